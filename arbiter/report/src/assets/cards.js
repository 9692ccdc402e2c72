// Cards, drawn and named. A card is its text in a log: `10D` or `TD`, `KS`, `??` where it is hidden.
"use strict";

arbiter.cards = (() => {
  const { make } = arbiter;
  const SUITS = { C: ["♣", "clubs"], D: ["♦", "diamonds"], H: ["♥", "hearts"], S: ["♠", "spades"] };
  const RANKS = { J: "jack", Q: "queen", K: "king", A: "ace" };

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

  const colour = (card) => (card.suit === "D" || card.suit === "H" ? "red" : "black");

  function draw(text, mark) {
    const card = read(text);
    const label = { role: "img", "aria-label": name(text) };
    if (!card) return make("span", { class: "card back", ...label });
    const suit = SUITS[card.suit][0];
    return make("span", { class: `card ${colour(card)} ${mark || ""}`, "data-card": text, ...label },
      make("span", { class: "rank", "aria-hidden": "true" }, card.rank),
      make("span", { class: "suit", "aria-hidden": "true" }, suit));
  }

  const suit = (text) => (read(text) ? SUITS[read(text).suit].join(" ") : "");

  // A card in running text.
  function inline(text) {
    const card = read(text);
    return make("span", { class: `pip ${card ? colour(card) : "black"}` },
      make("span", { "aria-hidden": "true" }, short(text)),
      make("span", { class: "hidden" }, name(text)));
  }

  // Cards in a row; those that are new get a mark.
  function row(label, cards, marked) {
    const drawn = cards.map((card) => make("li", {}, draw(card, marked && marked.includes(card) ? "new" : "")));
    const empty = drawn.length === 0 ? make("li", { class: "empty" }, "none") : null;
    return make("ul", { class: "cards", "aria-label": label }, drawn, empty);
  }

  const backs = (count) => Array(count).fill("??");
  const inText = (words) => words.map((word) => [isCard(word) ? inline(word) : word, " "]).flat().slice(0, -1);

  return { isCard, draw, row, backs, inText, name, suit };
})();
