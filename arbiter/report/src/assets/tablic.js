// How a game of Tablić is drawn, and its events are told.
"use strict";

(() => {
  const { make, cards, view } = arbiter;
  const some = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

  // The middle of the table: its cards, and what is left to deal.
  function table({ lines, marked }) {
    const talon = Number(view.value(lines, "talon"));
    return make("div", { class: "middle" },
      make("div", { class: "talon", role: "img", "aria-label": `talon: ${talon} cards` },
        talon > 0 ? cards.draw("??") : make("span", { class: "card gap" }), make("span", { class: "count" }, String(talon))),
      make("div", { class: "grow" },
        make("h3", {}, "Table"), cards.row("Table", view.list(lines, "table"), marked)));
  }

  // A seat: its hand and what it has by now.
  function seat({ lines, seat, hand, marked }) {
    const [points, taken, tablas] = ["points", "cards", "tablas"].map((key) => view.numbers(lines, key)[seat]);
    const last = view.value(lines, "last") === String(seat);
    const facts = [some(points, "point"), some(taken, "card"), some(tablas, "tabla")];
    return {
      hand: cards.row("Hand", hand || cards.backs(view.numbers(lines, "hands")[seat] || 0), marked),
      facts: last ? [...facts, "captured last"] : facts,
    };
  }

  function tell(words, name) {
    const [key, who, ...rest] = words;
    if (key === "deal" && who === "table") return ["To the table: ", cards.inText(rest)];
    if (key === "deal") return [name(who), " is dealt ", cards.inText(rest)];
    if (key === "tabla") return [name(who), " makes a tabla"];
    if (key === "rest") return [who === "none" ? "nobody" : name(who), " takes the remaining cards: ", cards.inText(rest)];
    if (key === "score") return [`${name(who)}: ${rest.join(" ").replace(" most", ", the most")}`];
    if (rest.length === 0) return [name(key), " lays down ", cards.inText([who])];
    return [name(key), " plays ", cards.inText([who]), " and takes ", cards.inText(rest)];
  }

  arbiter.drawings.tablic = { table, seat, tell };
})();
