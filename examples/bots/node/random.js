#!/usr/bin/env node
// Plays any game: a legal move at random. A bot to start from.
//
// A bot reads a request from standard input and prints one move. These are its lines:
//
//   arbiter 1          the version of the protocol, always the first line
//   game NAME OPTIONS  the game and how it is set up
//   match ID           a name of this game, the same in all its requests
//   seat S             your seat; seats count from 0 in the order of turns
//   move K             how many moves were made before in the game
//   time T             milliseconds for this answer
//   seed X             16 hexadecimal digits for your own chance, new in every request
//   retry K            your last answer broke a rule, and this is another chance
//   reason TEXT        the rule that it broke
//   view N             N lines follow: what you may know of the state now, KEY VALUE...
//   history N          N lines follow: what has happened, an event a line
//   legal N            N lines follow: legal moves; behind `legal N more` there are others
//   end                the last line; another request may follow
//
// Lines with another key are skipped, for later versions may have more of them.
"use strict";

// A request has a list of lines behind `view`, `history` and `legal`, and else the text behind the
// key.
async function* requests(lines) {
  let request = {};
  let list = null; // the list that the next lines belong to, while lines are left of it
  let left = 0;
  for await (const line of lines) {
    const [key, ...words] = line.trim().split(" ");
    if (left > 0) {
      list.push(line.trim());
      left--;
    } else if (key === "end") {
      yield request;
      request = {};
    } else if (["view", "history", "legal"].includes(key)) {
      request[key] = list = [];
      left = Number(words[0]);
    } else {
      request[key] = words.join(" ");
      if (key === "arbiter" && request[key] !== "1") {
        console.error(`expected version 1 of the protocol, found \`${request[key]}\``);
        process.exit(1);
      }
    }
  }
}

// The move to play.
function choose(request) {
  // YOUR BOT GOES HERE. All that your seat knows is in request.view and request.history.
  // A bot that takes all chance from the seed plays the same again when a match is repeated.
  const moves = request.legal;
  return moves[Number(BigInt("0x" + request.seed) % BigInt(moves.length))];
}

async function main() {
  const lines = require("readline").createInterface({ input: process.stdin });
  for await (const request of requests(lines)) console.log(choose(request));
}

main();
