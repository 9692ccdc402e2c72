#!/usr/bin/env node
// Plays any game: a legal move at random. A bot to start from.
//
// A bot reads a request from standard input and prints one move. These are its lines, which
// `arbiter_bot.js` reads:
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

const arbiter = require("./arbiter_bot");

/** The move to play. @param {arbiter.Request} request */
function choose(request) {
  // YOUR BOT GOES HERE. All that your seat knows is in request.view and request.history: in Tablić,
  // where request.game is "tablic", request.view.table has cards.
  // A bot that takes all chance from the seed plays the same again when a match is repeated.
  return request.pick(request.legal);
}

arbiter.play(choose);
