#!/usr/bin/env node
// Plays any game: answers with one of the listed legal moves, chosen at random.
//
// A bot reads a request from standard input and prints one move, and that is all. This one needs
// nothing of the request but its seed and its list of legal moves.
"use strict";

let seed = 0n;
let skipped = 0; // so many more lines say nothing to this bot
let listed = 0; // so many more lines are legal moves
let moves = [];

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  // Every line is a key and its value. Keys that are not known here are passed over, so that the
  // bot still plays when a later version of the protocol has more of them.
  const [key, value] = line.trim().split(" ");
  if (skipped > 0) {
    skipped--;
  } else if (listed > 0) {
    moves.push(line);
    // The last of the list: the seed, different for every request, chooses one. A bot that takes
    // all chance from it plays the same again when a match is repeated.
    if (--listed === 0) console.log(moves[Number(seed % BigInt(moves.length))]);
  } else if (key === "seed") {
    seed = BigInt("0x" + value);
  } else if (key === "view" || key === "history") {
    // So many lines follow: what the seat knows now, or what has happened.
    skipped = Number(value);
  } else if (key === "legal") {
    // So many moves follow; after `legal 1000 more` there are others that are not listed.
    listed = Number(value);
    moves = [];
  }
});
