// What a bot in JavaScript needs: the requests of the referee `arbiter` as values with types. One file, no
// packages.
//
//   const arbiter = require("./arbiter_bot");
//
//   function choose(request) {
//     if (request.game === "tablic") {
//       const most = Math.max(...request.legal.map((move) => move.captured.length));
//       return request.legal.find((move) => move.captured.length === most);
//     }
//     return request.pick(request.legal);
//   }
//
//   arbiter.play(choose);
//
// `play` answers one request after the other, so the same bot can be started for every move or keep running for
// a whole game. Cards, moves and events are objects that have their text in `text`, spelt as in the protocol, and
// its parts beside it: `card.rank`, `card.suit`. A property that does not exist throws an error with those that do,
// except in the view of a game without types here, where a key may be missing in a position.
// `structuredClone` and `postMessage` refuse these objects: give them the text. `game` says which types a request has: an editor that reads the types
// below knows after `request.game === "tablic"` that `request.view.table` are cards.
"use strict";

// Without types: those of Node are a package, which a bot does not need.
const { process } = /** @type {any} */ (globalThis);

const HIDDEN = "??";
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS = ["C", "D", "H", "S"];

/**
 * The same object, but a property that does not exist throws an error that names those that do: `undefined` would be
 * taken for a value.
 *
 * @template {object} Value
 * @param {Value} value
 * @param {string} what
 * @returns {Value}
 */
function strict(value, what) {
  return new Proxy(value, {
    get(target, key, receiver) {
      // The language itself looks for these two.
      if (typeof key === "symbol" || key in target || key === "then" || key === "toJSON") {
        return Reflect.get(target, key, receiver);
      }
      throw new TypeError(`${what} has no \`${key}\`: use ${Object.keys(target).join(", ")}`);
    },
  });
}

/** A card of the pack in Tablić and Durak. There is one object for each, so `===` compares cards. */
class Card {
  /** @param {string} rank @param {string} suit @param {number} place */
  constructor(rank, suit, place) {
    /** Its text, such as `10C` or `AS`. */
    this.text = rank + suit;
    /** `2` to `10`, `J`, `Q`, `K` or `A`. */
    this.rank = rank;
    /** `C`, `D`, `H` or `S`. */
    this.suit = suit;
    /** Its place in the order of the pack, from 0: by rank, 2 to ace, then by suit. */
    this.place = place;
    Object.freeze(this);
  }

  toString() {
    return this.text;
  }

  toJSON() {
    return this.text;
  }
}

/** The cards of Tablić and Durak, in the order of the pack. */
const PACK = RANKS.flatMap((rank, high) =>
  SUITS.map((suit, low) => strict(new Card(rank, suit, high * SUITS.length + low), "a card")),
);
const BY_TEXT = new Map(PACK.map((card) => [card.text, card]));
/** The cards of Coup. */
const CHARACTERS = ["ambassador", "assassin", "captain", "contessa", "duke"];

/**
 * The card with this text: `card("10C")`. A card is its own card.
 *
 * @param {string | Card} text
 * @returns {Card}
 */
function card(text) {
  const found = BY_TEXT.get(String(text));
  if (found === undefined) throw new RangeError(`no card \`${text}\`: use a text such as 10C or AS`);
  return found;
}

/** @param {string} text */
const words = (text) => text.split(" ").filter((word) => word !== "");
/** @param {string} word */
const isNumber = (word) => /^[0-9]+$/.test(word);
/** @param {string} text */
const numbers = (text) => words(text).map(Number);
/** @param {string} text */
const seatOrNone = (text) => (text === "none" ? null : Number(text));
/** @param {string} text */
const cards = (text) => words(text).map(card);
/** What stands behind the first word. @param {string} text */
const rest = (text) => words(text).slice(1).join(" ");

/** A move of Tablić: the card that is played, and the cards that it captures. */
class TablicMove {
  /** @param {string} text */
  constructor(text) {
    const [played, ...captured] = cards(text);
    this.text = text;
    this.card = played;
    this.captured = captured;
  }

  /**
   * The move that plays a card and captures these, in any order.
   *
   * @param {Card | string} played
   * @param {(Card | string)[]} captured
   */
  static of(played, captured = []) {
    const sorted = captured.map(card).sort((a, b) => a.place - b.place);
    return new TablicMove([card(played), ...sorted].join(" "));
  }

  toString() {
    return this.text;
  }
}

/** A move of Coup: its kind, the seat that it is against, and the cards that it names. */
class CoupMove {
  /** @param {string} text */
  constructor(text) {
    const [kind, ...others] = words(text);
    this.text = text;
    this.kind = kind;
    /** @type {number | null} */
    this.target = others.length === 1 && isNumber(others[0]) ? Number(others[0]) : null;
    this.cards = others.filter((word) => CHARACTERS.includes(word));
  }

  /** The move of this kind. @param {string} kind @param {number | null} target @param {string[]} cards */
  static of(kind, target = null, cards = []) {
    return new CoupMove([kind, ...(target === null ? [] : [target]), ...cards].join(" "));
  }

  toString() {
    return this.text;
  }
}

/** A move of Durak: its kind, and the card that is played, if one is. */
class DurakMove {
  /** @param {string} text */
  constructor(text) {
    const [kind, played] = words(text);
    this.text = text;
    this.kind = kind;
    /** @type {Card | null} */
    this.card = played === undefined ? null : card(played);
  }

  /** The move of this kind with this card. @param {string} kind @param {Card | string | null} played */
  static of(kind, played = null) {
    return new DurakMove(played === null ? kind : `${kind} ${card(played)}`);
  }

  toString() {
    return this.text;
  }
}

/**
 * A line of the history: `kind` is `move` for the move of a seat, and else its first word; `seat` the seat
 * that it is about; `cards` the cards that were dealt, drawn, shown or lost, as far as you see them;
 * `hidden` how many you do not see; `verdict` why a seat is `out`.
 *
 * @template Move, Shown
 * @typedef {{ text: string, kind: string, seat: number | null, cards: Shown[], hidden: number,
 *   verdict: string | null, move: Move | null }} Event
 */

/**
 * @template Move, Shown
 * @param {string} text
 * @param {(text: string) => Move} read
 * @param {(text: string) => Shown} shown
 * @returns {Event<Move, Shown>}
 */
function event(text, read, shown) {
  const [first, second] = words(text);
  const isMove = isNumber(first);
  const kind = isMove ? "move" : first;
  const about = isMove ? first : second;
  const seat = about !== undefined && isNumber(about) ? Number(about) : null;
  const others = words(text).slice(isMove || seat === null ? 1 : 2);
  const isCards = !isMove && kind !== "out";
  const known = others.filter((word) => ![HIDDEN, "table", "none"].includes(word));
  const parts = {
    text,
    kind,
    seat,
    cards: isCards ? known.map(shown) : [],
    hidden: others.filter((word) => word === HIDDEN).length,
    verdict: kind === "out" ? others[0] : null,
    move: isMove ? read(rest(text)) : null,
  };
  return strict(parts, "an event");
}

/**
 * What stands behind a key of a view, for each line with it.
 *
 * @param {string[]} lines
 * @param {string} key
 */
function values(lines, key) {
  return lines.filter((line) => line.split(" ")[0] === key).map(rest);
}

/** The view of Tablić. @param {string[]} lines */
function tablicView(lines) {
  /** @param {string} key */
  const value = (key) => values(lines, key)[0];
  return {
    hand: cards(value("hand")),
    table: cards(value("table")),
    /** All cards captured so far, by any seat. */
    taken: cards(value("taken")),
    /** How many cards are still to be dealt. */
    talon: Number(value("talon")),
    /** How many cards each seat holds. */
    hands: numbers(value("hands")),
    /** How many cards each seat has captured. */
    cards: numbers(value("cards")),
    /** The points of each seat so far, without those for the most cards. */
    points: numbers(value("points")),
    tablas: numbers(value("tablas")),
    /** The seat that captured last. */
    last: seatOrNone(value("last")),
  };
}

/** The view of Coup. @param {string[]} lines */
function coupView(lines) {
  /** @param {string} key */
  const value = (key) => values(lines, key)[0];
  const [action, claim] = [value("action"), value("claim")];
  return {
    /** Your hand; cards drawn for an exchange stand in front of it. */
    hand: words(value("hand")),
    /** How many cards each seat holds. */
    hands: numbers(value("hands")),
    coins: numbers(value("coins")),
    /** The cards that each seat has lost. */
    lost: values(lines, "lost").map((lost) => words(rest(lost))),
    /** The seat whose turn it is. */
    turn: Number(value("turn")),
    action: action === "none" ? null : new CoupMove(action),
    /** Who claims to hold which card, while the claim can be or is challenged. */
    claim: claim === "none" ? null : { seat: Number(words(claim)[0]), card: words(claim)[1] },
    /** What is left to do in this turn if nothing else happens, the first one now. */
    owed: value("owed")
      .split(", ")
      .map((text) => {
        const [kind, seat, card] = words(text);
        return { text, kind, seat: Number(seat), card: card ?? null };
      }),
    /** How many decisions were made, of both seats. */
    decisions: Number(value("decisions")),
  };
}

/** The view of Durak. @param {string[]} lines */
function durakView(lines) {
  /** @param {string} key */
  const value = (key) => values(lines, key)[0];
  const [turn, asked] = words(value("turn"));
  return {
    hand: cards(value("hand")),
    /** The trump card, wherever it is now. */
    trump: value("trump") === "none" ? null : card(value("trump")),
    /** How many cards the talon has; the last of them is the trump card. */
    talon: Number(value("talon")),
    /** How many cards each seat holds. */
    hands: numbers(value("hands")),
    /** The cards of each hand that all seats have seen. */
    known: values(lines, "known").map((known) => cards(rest(known))),
    /** The seats that are out of the game without cards. */
    gone: numbers(value("gone")),
    discards: cards(value("discards")),
    /** The seat that led this bout. */
    first: Number(value("first")),
    attacker: Number(value("attacker")),
    defender: Number(value("defender")),
    /** The attack cards in the order of play, each with the card that beats it, if any. */
    table: value("table")
      .split(",")
      .map(cards)
      .filter((pair) => pair.length > 0)
      .map(([attack, beat]) => strict({ attack, beat: beat ?? null }, "a pair on the table")),
    /** How many more attack cards this bout may have. */
    left: Number(value("left")),
    /** Whether the defender takes. */
    isTaking: value("taking") === "yes",
    /** Who is asked. */
    turn: Number(turn),
    /** What is asked for: `lead`, `defend` or `throw`. */
    asked,
    /** How many decisions were made, of all seats. */
    decisions: Number(value("decisions")),
  };
}

/**
 * What every request has: `match`, a name of this game; `seat`, your seat, from 0; `move`, how many moves
 * were made before in the game; `time`, milliseconds for this answer, 0 for no limit; `seed`, a number for your
 * own chance, new in every request; `retry` and `reason` of a second chance; `isComplete`, whether all legal
 * moves are listed; `viewLines`, the view as lines; `pick`, one of several, by the seed.
 *
 * @typedef {{ options: Record<string, string>, seats: number, match: string, seat: number, move: number,
 *   time: number, seed: bigint, retry: number, reason: string | null, isComplete: boolean,
 *   viewLines: string[], pick: <Items extends readonly unknown[]>(items: Items) => Items[number] }} Head
 *
 * @typedef {Head & { game: "tablic", view: ReturnType<typeof tablicView>, history: Event<TablicMove, Card>[],
 *   legal: TablicMove[] }} TablicRequest
 * @typedef {Head & { game: "coup", view: ReturnType<typeof coupView>, history: Event<CoupMove, string>[],
 *   legal: CoupMove[] }} CoupRequest
 * @typedef {Head & { game: "durak", view: ReturnType<typeof durakView>, history: Event<DurakMove, Card>[],
 *   legal: DurakMove[] }} DurakRequest
 * @typedef {Head & { game: null, name: string, view: Record<string, string | undefined>, history: string[],
 *   legal: string[] }} OtherRequest
 * @typedef {TablicRequest | CoupRequest | DurakRequest | OtherRequest} Request
 */

/**
 * The view of a game that is not known here: the text behind each key. Lines with one key are joined by line ends.
 * A game may leave out a key in a position: it is `undefined` then, and no error.
 *
 * @param {string[]} lines
 * @returns {Record<string, string | undefined>}
 */
function otherView(lines) {
  /** @type {Record<string, string | undefined>} */
  const view = Object.create(null);
  for (const line of lines) {
    const [key] = words(line);
    view[key] = key in view ? `${view[key]}\n${rest(line)}` : rest(line);
  }
  return view;
}

/** @template {object} Value @param {Value} request */
const known = (request) => strict(request, "the request");

/**
 * A request of its lines behind keys; in one of a game that is not known here the history and the moves are texts.
 *
 * @param {Record<string, string>} head
 * @param {Record<string, string[]>} lists
 * @returns {Request}
 */
function request(head, lists) {
  const { view, history, legal } = lists;
  const [game, ...rules] = words(head.game);
  const options = Object.fromEntries(rules.map((option) => option.split("=")));
  const seed = BigInt("0x" + head.seed);
  /** @type {Head} */
  const all = {
    options,
    seats: Number(options.seats),
    match: head.match,
    seat: Number(head.seat),
    move: Number(head.move),
    time: Number(head.time),
    seed,
    retry: Number(head.retry ?? 0),
    reason: head.reason ?? null,
    isComplete: !head.legal.endsWith("more"),
    viewLines: view,
    pick: (items) => items[Number(seed % BigInt(items.length))],
  };
  /**
   * @template {object} Move
   * @template Shown
   * @param {new (text: string) => Move} kind
   * @param {(text: string) => Shown} shown
   */
  const typed = (kind, shown) => {
    /** @param {string} text */
    const read = (text) => strict(new kind(text), "a move");
    return { history: history.map((text) => event(text, read, shown)), legal: legal.map(read) };
  };
  /** @param {string} name */
  const character = (name) => name;
  switch (game) {
    case "tablic":
      return known({ ...all, game, view: strict(tablicView(view), "the view"), ...typed(TablicMove, card) });
    case "coup":
      return known({ ...all, game, view: strict(coupView(view), "the view"), ...typed(CoupMove, character) });
    case "durak":
      return known({ ...all, game, view: strict(durakView(view), "the view"), ...typed(DurakMove, card) });
    default:
      return known({ ...all, game: null, name: game, view: otherView(view), history, legal });
  }
}

/**
 * The requests in these lines, one after the other. Lines with an unknown key are skipped.
 *
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @returns {AsyncGenerator<Request>}
 */
async function* requests(lines) {
  /** @type {Record<string, string>} */
  let head = {};
  /** @type {Record<string, string[]>} */
  let lists = {};
  /** The list that the next lines belong to, while lines are left of it. @type {string[]} */
  let list = [];
  let left = 0;
  for await (const line of lines) {
    const text = line.trim();
    const [key] = text.split(" ");
    if (left > 0) {
      list.push(text);
      left--;
    } else if (key === "end") {
      yield request(head, lists);
      [head, lists] = [{}, {}];
    } else {
      head[key] = text.slice(key.length + 1);
      if (["view", "history", "legal"].includes(key)) {
        list = lists[key] = [];
        left = Number(words(head[key])[0]);
      }
      if (key === "arbiter" && head[key] !== "1") {
        console.error(`expected version 1 of the protocol, found \`${head[key]}\``);
        process.exit(1);
      }
    }
  }
}

/**
 * Notes what the bot thinks, for its author: `note("eval", 0.61)`. `arbiter explain` and reports show it after the game,
 * and no other bot sees it. Call it before the answer.
 *
 * @param {string} key
 * @param {unknown} value
 */
function note(key, value) {
  // On one line, whatever the value is: the rest would not belong to the note.
  console.error(["note", key, ...String(value).split(/\s+/).filter((word) => word !== "")].join(" "));
}

/**
 * The lines of a stream, each without its end.
 *
 * @param {AsyncIterable<string>} stream
 * @returns {AsyncGenerator<string>}
 */
async function* linesOf(stream) {
  let last = "";
  for await (const part of stream) {
    const lines = (last + part).split("\n");
    last = lines.pop() ?? "";
    yield* lines;
  }
  if (last !== "") yield last;
}

/**
 * Answers every request of the referee by the move that is chosen.
 *
 * @param {(request: Request) => string | TablicMove | CoupMove | DurakMove} choose
 */
async function play(choose) {
  for await (const asked of requests(linesOf(process.stdin.setEncoding("utf8")))) {
    const move = choose(asked);
    if (move === undefined || move === null) {
      throw new TypeError(`the bot chose ${move}: return one of request.legal`);
    }
    console.log(String(move));
  }
}

// One by one, so that a checker of types takes the classes for types, too.
exports.HIDDEN = HIDDEN;
exports.RANKS = RANKS;
exports.SUITS = SUITS;
exports.PACK = PACK;
exports.CHARACTERS = CHARACTERS;
exports.Card = Card;
exports.card = card;
exports.note = note;
exports.TablicMove = TablicMove;
exports.CoupMove = CoupMove;
exports.DurakMove = DurakMove;
exports.requests = requests;
exports.play = play;
