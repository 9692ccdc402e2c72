// What a person has chosen among the legal moves of a turn: by cards, by a number, or by typing. It knows no
// rule: a choice fits if a listed move has all its cards.
"use strict";

arbiter.choice = (() => {
  const now = { turn: null, cardsOf: null, isCapture: false, move: null, card: null, taken: [], search: "" };

  const moves = () => (now.turn ? now.turn.moves : []);
  const cardsOf = ({ move }) => now.cardsOf(move);
  const isSame = (one, other) => one.length === other.length && one.every((it) => other.includes(it));
  const listed = (text) => moves().find(({ move }) => move === text);
  const bySize = (all) => [...all].sort((one, other) => cardsOf(one).length - cardsOf(other).length);

  // Begins with a turn: `cardsOf` gives the cards of a move. In a game of captures the first card of a move comes
  // from the hand, and the others from the table.
  function begin(turn, { cardsOf: of, isCapture }) {
    Object.assign(now, { turn, cardsOf: of, isCapture });
    clear();
  }

  function clear() {
    Object.assign(now, { move: null, card: null, taken: [], search: "" });
  }

  // The moves that a card of the hand is played by.
  const movesWith = (card) => moves().filter((it) =>
    (now.isCapture ? cardsOf(it)[0] === card : cardsOf(it).includes(card)));

  // The moves that fit what is chosen, and what is typed.
  function fitting() {
    const typed = moves().filter(({ move }) => move.toLowerCase().includes(now.search.toLowerCase()));
    if (!now.isCapture) return typed.filter((it) => now.taken.every((card) => cardsOf(it).includes(card)));
    if (now.card === null) return typed;
    return movesWith(now.card).filter((it) => now.taken.every((card) => cardsOf(it).includes(card)));
  }

  // Makes the cards that are chosen a move, where they are one, or might be one that is not listed.
  function settle() {
    const chosen = now.card === null ? now.taken : [now.card, ...now.taken];
    const exact = chosen.length === 0 ? [] : moves().filter((it) => isSame(cardsOf(it), chosen));
    const unlisted = now.isCapture && exact.length === 0 && now.card !== null && now.turn.more;
    now.move = exact.length === 1 ? exact[0].move : unlisted ? chosen.join(" ") : null;
  }

  // What is typed is a move if it is listed, or if not all moves are.
  function type(text) {
    now.search = text;
    settle();
    if (listed(text) || (now.turn.more && text !== "")) now.move = text;
  }

  function choose(move) {
    const all = now.cardsOf(move);
    const [card = null, ...taken] = now.isCapture ? all : [null, ...all];
    Object.assign(now, { move, card, taken });
  }

  const toggled = (card) => (now.taken.includes(card) ? now.taken.filter((it) => it !== card)
    : [...now.taken, card]);

  // A card of the hand is chosen, or put back. Returns what is wrong with that, if anything is.
  function pick(card, name) {
    if (!now.isCapture) return mark(card, name);
    if (now.card === card) return clear();
    const possible = movesWith(card);
    if (possible.length === 0) return `No legal move uses ${name}.`;
    // The largest capture is proposed.
    choose(bySize(possible).pop().move);
    return null;
  }

  function mark(card, name) {
    const before = now.taken;
    now.taken = toggled(card);
    if (fitting().length === 0) now.taken = before.length === 1 && movesWith(card).length > 0 ? [card] : before;
    settle();
    if (now.taken !== before) return null;
    return before.length > 0 ? "No listed move uses these cards." : `No legal move uses ${name}.`;
  }

  // A card of the table is taken, or left there.
  function take(card, name) {
    const before = now.taken;
    now.taken = toggled(card);
    if (fitting().length === 0 && !now.turn.more) {
      const [other] = bySize(movesWith(now.card).filter((it) => cardsOf(it).includes(card)));
      now.taken = other ? cardsOf(other).slice(1) : before;
    }
    settle();
    return now.taken === before ? `No move captures ${name} with this selection.` : null;
  }

  // The move that a click on a card of the hand plays at once: the only one with it, and of no other card.
  function onlyMove(card) {
    const [first, ...others] = movesWith(card);
    if (now.isCapture || now.turn.more || now.taken.length > 0) return null;
    return first && others.length === 0 && cardsOf(first).length === 1 ? first.move : null;
  }

  // A move that is a number has it as its key. Where there is one, no move has its place in the list as a key.
  const isNumber = ({ move }) => /^[0-9]+$/.test(move);
  const arePlaces = () => !moves().some(isNumber);
  const keyOf = (it, place) => (arePlaces() ? String(place + 1) : isNumber(it) ? it.move : "");

  // The move with this key, and whether more digits may make another one.
  function keyed(digits) {
    const all = arePlaces() ? fitting() : moves();
    const keys = all.map(keyOf);
    const at = keys.indexOf(digits);
    return { move: at < 0 ? null : all[at].move, isBegun: keys.some((key) => key.startsWith(digits)) };
  }

  // Whether a listed move takes a card of the table with the one that is chosen.
  const isInReach = (card) => now.card !== null
    && movesWith(now.card).some((it) => cardsOf(it).slice(1).includes(card));
  // Whether any move may: one that is not listed, too.
  const isTakable = (card) => now.isCapture && now.card !== null && (now.turn.more || isInReach(card));
  const isPicked = (card) => now.card === card || now.taken.includes(card);
  const isEmpty = () => now.move === null && now.card === null && now.taken.length === 0 && now.search === "";
  // Moves without a card, such as to pass.
  const plain = () => moves().filter((it) => cardsOf(it).length === 0);

  return { now, moves, listed, begin, clear, movesWith, fitting, type, choose, pick, take, onlyMove,
    keyOf, keyed, isTakable, isInReach, isPicked, isEmpty, plain };
})();
