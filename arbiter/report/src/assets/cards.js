// Cards, drawn and named. A card is its text in a log: `10D` or `TD`, `KS`, `??` where it is hidden. Faces are
// put together from the drawings of `art.svg`, which stands in the page: only a card that is known by its text
// in a table here becomes a drawing.
"use strict";

arbiter.cards = (() => {
  const { make } = arbiter;
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = { C: ["♣", "clubs"], D: ["♦", "diamonds"], H: ["♥", "hearts"], S: ["♠", "spades"] };
  const RANKS = { J: "jack", Q: "queen", K: "king", A: "ace" };
  const CHARACTERS = ["ambassador", "assassin", "captain", "contessa", "duke"];
  // A face is 250 wide and 350 high. Its pips stand in three columns.
  const [LEFT, CENTRE, RIGHT, TOP, MIDDLE, BOTTOM] = [88, 125, 162, 66, 175, 284];
  const THIRD = (BOTTOM - TOP) / 3;
  const column = (x, ...places) => places.map((y) => [x, y]);
  const sides = (...places) => [...column(LEFT, ...places), ...column(RIGHT, ...places)];
  const FOUR = [TOP, TOP + THIRD, BOTTOM - THIRD, BOTTOM];
  const PIPS = {
    2: column(CENTRE, TOP, BOTTOM),
    3: column(CENTRE, TOP, MIDDLE, BOTTOM),
    4: sides(TOP, BOTTOM),
    5: [...sides(TOP, BOTTOM), [CENTRE, MIDDLE]],
    6: sides(TOP, MIDDLE, BOTTOM),
    7: [...sides(TOP, MIDDLE, BOTTOM), [CENTRE, (TOP + MIDDLE) / 2]],
    8: [...sides(TOP, MIDDLE, BOTTOM), ...column(CENTRE, (TOP + MIDDLE) / 2, (MIDDLE + BOTTOM) / 2)],
    9: [...sides(...FOUR), [CENTRE, MIDDLE]],
    10: [...sides(...FOUR), ...column(CENTRE, TOP + THIRD / 2, BOTTOM - THIRD / 2)],
  };

  // Rank and suit of a text, if it is a card of the usual pack.
  function read(text) {
    const found = /^(10|[2-9TJQKA])([CDHS])$/.exec(text);
    return found && { rank: found[1] === "T" ? "10" : found[1], suit: found[2] };
  }

  const isCard = (text) => text === "??" || read(text) !== null;

  // What a screen reader says: `king of spades`.
  function name(text) {
    const card = read(text);
    return card ? `${RANKS[card.rank] || card.rank} of ${SUITS[card.suit][1]}` : "a hidden card";
  }

  // What stands in running text: `K♠`.
  function short(text) {
    const card = read(text);
    return card ? card.rank + SUITS[card.suit][0] : "▮";
  }

  function shape(kind, attributes, ...children) {
    const element = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  const picture = (kind, ...children) =>
    shape("svg", { viewBox: "0 0 250 350", class: kind, "aria-hidden": "true" }, ...children);
  const use = (drawing, [x, y, width, height], more = {}) =>
    shape("use", { href: `#${drawing}`, x, y, width, height, ...more });
  const WHOLE = [0, 0, 250, 350];
  const turned = (...children) => shape("g", { transform: `rotate(180 ${CENTRE} ${MIDDLE})` }, ...children);

  function pips(suit, places) {
    return places.map(([x, y]) => use(`suit-${suit}`, [x - 22, y - 22, 44, 44],
      y > MIDDLE ? { transform: `rotate(180 ${x} ${y})` } : {}));
  }

  // A court card: half a person, and the same half turned round.
  function court(rank, suit) {
    const half = () => [use(`court-${rank}`, [66, 40, 118, 135]), use(`suit-${suit}`, [70, 45, 26, 26])];
    const panel = (attributes) => shape("rect", { x: 66, y: 40, width: 118, height: 270, rx: 6, ...attributes });
    const belt = (stroke, width) => shape("path", { d: "M66 175h118", stroke, "stroke-width": width });
    return [panel({ class: "panel" }), ...half(), turned(...half()), belt("#1d2430", 9), belt("#e3a83b", 5),
      panel({ fill: "none", stroke: "#1d2430", "stroke-opacity": 0.55, "stroke-width": 2 })];
  }

  function face({ rank, suit }) {
    const corner = (of = {}) => [
      use(`rank-${rank}`, [rank === "10" ? 10 : 13, 15, 48, 63], of.rank),
      use(`suit-${suit}`, [18, 82, 38, 38], of.suit)];
    const middle = rank === "A" ? [use(`suit-${suit}`, [70, 120, 110, 110])]
      : PIPS[rank] ? pips(suit, PIPS[rank]) : court(rank, suit);
    const named = { rank: { class: "rank" }, suit: { class: "suit" } };
    return picture(`ink-${suit.toLowerCase()}`, ...corner(named), turned(...corner()), ...middle);
  }

  const back = () => picture("", use("back", WHOLE));

  // An element that is a card: with the attributes of a button it is one.
  function element(kind, drawing, label, attributes) {
    const { tag = "span", class: more = "", ...rest } = attributes;
    const role = tag === "span" ? "img" : null;
    return make(tag, { class: `card ${kind} ${more}`, role, "aria-label": label, ...rest }, drawing);
  }

  function draw(text, attributes = {}) {
    const card = read(text);
    return card ? element("", face(card), name(text), { "data-card": text, ...attributes })
      : element("back", back(), "a hidden card", attributes);
  }

  // A character of Coup, with its emblem.
  function character(who, attributes = {}) {
    if (!CHARACTERS.includes(who)) return draw("??", attributes);
    const title = shape("text", { x: 125, y: 300, "text-anchor": "middle", class: "role-name" }, who);
    const crest = use(`crest-${who}`, [70, 83, 110, 110], { color: "#fff7e6", fill: "#fff7e6" });
    const drawing = picture("", use("role", WHOLE), crest, title);
    return element(`role ${who}`, drawing, who, { "data-card": who, ...attributes });
  }

  // A card that is none of the usual pack: its text.
  function named(text, attributes = {}) {
    const long = text.length > 3 ? "long" : "";
    const written = make("span", { "aria-hidden": "true" }, text);
    const corner = long ? null : text;
    return element(`named ${long}`, written, text, { "data-card": text, "data-corner": corner, ...attributes });
  }

  function emblem(who) {
    const crest = use(`crest-${who}`, [0, 0, 100, 100], { fill: "currentColor" });
    const drawing = shape("svg", { viewBox: "0 0 100 100" }, crest);
    return make("span", { class: `emblem ${who}`, "aria-hidden": "true" }, drawing);
  }

  const suit = (text) => (read(text) ? SUITS[read(text).suit].join(" ") : "");
  const suitSign = (text) => (read(text) ? SUITS[read(text).suit][0] : "");

  // A card in running text.
  function inline(text) {
    const card = read(text);
    const isRed = card && (card.suit === "D" || card.suit === "H");
    return make("span", { class: isRed ? "pip red" : "pip" },
      make("span", { "aria-hidden": "true" }, short(text)),
      make("span", { class: "hidden" }, name(text)));
  }

  const backs = (count) => Array(count).fill("??");
  const inText = (words) => words.map((word) => [isCard(word) ? inline(word) : word, " "]).flat().slice(0, -1);

  return { isCard, draw, character, named, emblem, backs, inText, name, short, suit, suitSign, CHARACTERS };
})();
