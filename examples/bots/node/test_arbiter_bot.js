// Tests of arbiter_bot.js on sample.txt, and on all requests of a folder that is named:
// `node test_arbiter_bot.js ../../requests`.
//
// What is read is written again from its parts alone, and must be the same text.
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const arbiter = require("./arbiter_bot");

// A line of these values, which are cards or numbers, or several of them; null is `none`.
function line(key, ...values) {
  return [key, ...values.flat().map((value) => (value === null ? "none" : value))].join(" ");
}

// The lines of a view, made of its fields.
function viewOf({ game, view }) {
  const fields = (...keys) => keys.map((key) => line(key, view[key]));
  switch (game) {
    case "tablic":
      return fields("hand", "table", "taken", "talon", "hands", "cards", "points", "tablas", "last");
    case "coup": {
      const { claim, owed } = view;
      for (const { text, kind, seat, card } of owed) {
        assert.strictEqual(text, line(kind, seat, card ?? []));
      }
      return [
        ...fields("hand", "hands", "coins"),
        ...view.lost.map((lost, seat) => line("lost", seat, lost)),
        ...fields("turn", "action"),
        line("claim", claim === null ? null : [claim.seat, claim.card]),
        line("owed", owed.map(({ text }) => text).join(", ")),
        line("decisions", view.decisions),
      ];
    }
    default: {
      const table = view.table.map(({ attack, beat }) => line(attack, beat ?? []));
      return [
        ...fields("hand", "trump", "talon", "hands"),
        ...view.known.map((known, seat) => line("known", seat, known)),
        ...fields("gone", "discards", "first", "attacker", "defender"),
        line("table", table.length > 0 ? table.join(", ") : []),
        ...fields("left"),
        line("taking", view.isTaking ? "yes" : "no"),
        line("turn", view.turn, view.asked),
        ...fields("decisions"),
      ];
    }
  }
}

// A move, made of its parts.
function moveOf(move) {
  if (move instanceof arbiter.TablicMove) {
    return arbiter.TablicMove.of(move.card, [...move.captured].reverse()).text;
  }
  if (move instanceof arbiter.CoupMove) {
    return arbiter.CoupMove.of(move.kind, move.target, move.cards).text;
  }
  return arbiter.DurakMove.of(move.kind, move.card).text;
}

// A line of the history, made of its parts.
function eventOf(event, game) {
  const { kind, seat, cards, hidden, verdict, move } = event;
  if (move !== null) return line(seat, hidden > 0 ? move.text : moveOf(move));
  const about = seat ?? (game === "tablic" && kind === "deal" ? "table" : []);
  const none = kind === "first" && cards.length === 0 ? "none" : [];
  return line(kind, about, verdict ?? [], none, cards, Array(hidden).fill(arbiter.HIDDEN));
}

// Fails if anything of a request is lost.
function check(request) {
  assert.notStrictEqual(request.game, null);
  assert.deepStrictEqual(viewOf(request), request.viewLines);
  for (const event of request.history) assert.strictEqual(eventOf(event, request.game), event.text);
  for (const move of request.legal) assert.strictEqual(moveOf(move), move.text);
  assert(request.legal.length > 0 && request.seat < request.seats);
  assert(request.legal.includes(request.pick(request.legal)));
}

async function read(text) {
  const found = [];
  for await (const request of arbiter.requests(text.split("\n"))) found.push(request);
  return found;
}

async function main() {
  const sample = fs.readFileSync(path.join(__dirname, "sample.txt"), "utf8");
  const texts = [sample];
  const folder = process.argv[2];
  for (const game of folder ? fs.readdirSync(folder) : []) {
    for (const file of fs.readdirSync(path.join(folder, game))) {
      texts.push(fs.readFileSync(path.join(folder, game, file), "utf8"));
    }
  }
  for (const text of texts) {
    const found = await read(text);
    assert.strictEqual(found.length, 1);
    check(found[0]);
  }
  assert.strictEqual((await read(texts.join(""))).length, texts.length, "one after the other");

  const [first] = await read(sample);
  assert.deepStrictEqual([first.seat, first.move, first.time, first.seats], [0, 0, 5000, 2]);
  assert.deepStrictEqual([first.seed, first.isComplete], [0x0bad1375233bd8f2n, true]);
  assert.deepStrictEqual([first.retry, first.reason], [0, null]);
  const again = "weather fair\nretry 1\nreason not on the table: 9C\nmove ";
  const [second] = await read(sample.replace("move ", again));
  assert.deepStrictEqual([second.retry, second.reason], [1, "not on the table: 9C"]);
  check(second);

  const other =
    "arbiter 1\ngame nim heaps=2\nmatch 00\nseat 0\nmove 0\ntime 9\nseed ff\nview 1\nlegal 7\n" +
    "history 0\nlegal 2 more\ntake 1\ntake 2\nend\n";
  const [unknown] = await read(other);
  assert.deepStrictEqual([unknown.game, unknown.name, unknown.isComplete], [null, "nim", false]);
  assert.deepStrictEqual([unknown.viewLines, unknown.legal], [["legal 7"], ["take 1", "take 2"]]);
  assert.strictEqual(unknown.pick(unknown.legal), "take 2");
  assert.strictEqual(unknown.view.passed ?? "none", "none", "a key that this position lacks");
  assert.strictEqual((await read("arbiter 1\nview 3\nhand\n")).length, 0, "it breaks off");
  assert.strictEqual(unknown.view.legal, "7");

  assert.deepStrictEqual(arbiter.PACK.map((card) => card.place), [...Array(52).keys()]);
  const ten = arbiter.card("10D");
  assert.deepStrictEqual([ten.rank, ten.suit, `${ten}`], ["10", "D", "10D"]);
  assert(ten === arbiter.card(ten) && arbiter.PACK.includes(ten));
  assert.strictEqual(JSON.stringify([ten]), '["10D"]');
  assert.throws(() => arbiter.card("1D"), /no card `1D`/);

  // A property that does not exist is no `undefined`.
  assert.throws(() => first.hand, /the request has no `hand`: use .*view/);
  assert.throws(() => first.view.tabel, /the view has no `tabel`: use hand, table/);
  assert.throws(() => first.legal[0].cards, /a move has no `cards`: use text, card, captured/);
  assert.throws(() => first.history[0].player, /an event has no `player`/);
  assert.throws(() => ten.value, /a card has no `value`: use text, rank, suit, place/);
  assert(first.legal[0] instanceof arbiter.TablicMove);

  const noted = [];
  const { error } = console;
  console.error = (line) => noted.push(line);
  arbiter.note("eval", 0.61);
  arbiter.note("plan", "two\nlines");
  console.error = error;
  assert.deepStrictEqual(noted, ["note eval 0.61", "note plan two lines"]);
  console.log(`${texts.length} requests`);
}

module.exports = { check };
if (require.main === module) main();
