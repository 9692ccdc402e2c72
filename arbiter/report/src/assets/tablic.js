// How a game of Tablić is drawn, and its events are told.
"use strict";

(() => {
  const { make, cards, view, felt } = arbiter;

  // The middle of the table: its cards, and what is left to deal.
  function table({ lines, card }) {
    const talon = Number(view.value(lines, "talon"));
    const words = talon > 0 ? [String(talon), make("span", { class: "spare" }, " to deal")] : ["last deal"];
    return make("div", { class: "middle" },
      felt.talon(talon, { words }),
      felt.spread("Table", view.list(lines, "table").map((text) => card(text, "table"))));
  }

  // A seat: its hand and what it has by now.
  function seat({ lines, seat, hand, card }) {
    const [points, taken, tablas] = ["points", "cards", "tablas"].map((key) => view.numbers(lines, key)[seat] || 0);
    return {
      hand: felt.hand(hand || cards.backs(view.numbers(lines, "hands")[seat] || 0), card),
      beside: felt.pile(taken, "won"),
      facts: [felt.some(points, "point"), felt.some(tablas, "tabla")],
      mark: view.value(lines, "last") === String(seat) ? "captured last" : null,
    };
  }

  const captured = (move) => move.split(" ").length - 1;

  // What a card of the hand can do by these moves.
  function offer(moves) {
    const most = Math.max(0, ...moves.map(({ move }) => captured(move)));
    return most > 0 ? { badge: `+${most}`, label: `can take ${most}` } : { label: "can only be laid down" };
  }

  const verb = (move) => (captured(move) > 0 ? `Take ${captured(move)}` : "Lay down");
  const advice = () => "Choose a card: +2 means that it can take two.";

  // What decided a game: rows of a name and a figure a seat.
  function decided({ events, seats }) {
    const tallies = events.filter((event) => event.startsWith("score ")).map((event) => event.split(" "));
    const of = (figure) => Array.from({ length: seats }, (_, seat) => {
      const found = tallies.find((words) => words[1] === String(seat));
      return found ? figure(found) : "–";
    });
    const most = (words) => (words.includes("most") ? 3 : 0);
    return [
      ["points in the cards", of((words) => Number(words[2]) - Number(words[6]) - most(words))],
      ["for the most cards", of(most)],
      ["tablas", of((words) => words[6])],
      ["cards taken", of((words) => words[4])],
    ];
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

  arbiter.drawings.tablic = { table, seat, tell, offer, verb, advice, decided, isCapture: true };
})();
