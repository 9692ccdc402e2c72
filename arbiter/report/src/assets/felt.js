// The table: its cloth, seats, hands and piles, as all games have them. What lies where, and what is said of a
// seat, comes from the script of each game.
"use strict";

arbiter.felt = (() => {
  const { make, cards } = arbiter;
  // So many backs are drawn side by side; more are one card with their number.
  const MOST_BACKS = 8;
  // Hands of more cards are drawn smaller on a phone.
  const LARGE_HAND = 12;

  const some = (count, what) => [count, ` ${what}${count === 1 ? "" : "s"}`];
  const isHidden = (texts) => texts.every((text) => text === "??");

  // Cards side by side, the middle ones higher. The style says how far they turn and overlap.
  function fan(label, drawn) {
    const half = (drawn.length - 1) / 2;
    const share = Math.min(1, 3 / Math.max(1, half));
    drawn.forEach((card, place) => {
      const off = (place - half) * share;
      card.style.setProperty("--turn", `${(4 * off).toFixed(2)}deg`);
      card.style.setProperty("--drop", `${(2.2 * off * off).toFixed(1)}px`);
    });
    const kind = drawn.length > LARGE_HAND ? "fan large" : "fan";
    const element = make("div", { class: kind, role: "group", "aria-label": label },
      drawn.length ? drawn : make("span", { class: "empty" }, "no cards"));
    element.style.setProperty("--count", drawn.length);
    element.style.setProperty("--gaps", Math.max(1, drawn.length - 1));
    return element;
  }

  // A back that is told as a part of several.
  const unnamed = () => cards.draw("??", { role: null, "aria-label": null });

  // Hidden cards: no more than their number is known.
  function backs(count) {
    const label = `${count} hidden card${count === 1 ? "" : "s"}`;
    const isPile = count > MOST_BACKS;
    return make("div", { class: `backs ${isPile ? "stacked" : ""}`, role: "img", "aria-label": label },
      cards.backs(isPile ? 1 : count).map(unnamed),
      make("small", { class: "count" }, String(count)));
  }

  // A hand, open or hidden; `card` draws one of it.
  function hand(texts, card) {
    return isHidden(texts) ? backs(texts.length) : fan("Hand", texts.map((text) => card(text, "hand")));
  }

  // A pile with its number of cards, of which at most the top one is known.
  function pile(count, word, top = null, label = `${count} cards ${word}`) {
    const drawn = [unnamed(), top || unnamed()].slice(2 - Math.min(2, count));
    const kind = count === 0 ? "pile none" : "pile";
    return make("div", { class: kind, role: "img", "aria-label": label },
      drawn, make("small", { class: "count" }, count === 0 ? "none" : `${count} ${word}`));
  }

  // The cards that are not dealt yet; the trump card lies under them.
  function talon(count, { under = null, label = `talon: ${count} cards`, words = [String(count)] } = {}) {
    const left = Math.max(0, count - (under ? 1 : 0));
    const drawn = cards.backs(Math.min(3, left)).map(unnamed);
    const kind = `talon ${under ? "trump" : ""} ${left === 0 ? "bare" : ""}`;
    return make("div", { class: kind, role: "img", "aria-label": label },
      under, drawn, count === 0 && !under ? make("span", { class: "card gap" }) : null,
      make("small", { class: "count" }, words));
  }

  // The cards on the table.
  function spread(label, drawn, empty = "the table is empty") {
    return make("div", { class: drawn.length ? "spread" : "spread none", role: "group", "aria-label": label },
      drawn.length ? drawn : make("span", {}, empty));
  }

  const fact = (of) => make("li", {}, Array.isArray(of) ? [make("b", {}, String(of[0])), of[1]] : of);

  // A seat: who sits there and what is said of it, its hand, and what lies beside it.
  function seat({ name, seat: number, drawn, kind = "", tags = [], marks = [], clock = null }) {
    const [sign = "?"] = name.replace(/[^\p{L}\p{N}]/gu, "");
    const words = [drawn.mark, ...tags].flat().filter((it) => it);
    const box = { class: `seat-box ${kind}`, "aria-label": `${name}, seat ${number}`, "data-seat": number };
    return make("section", box,
      make("div", { class: "sitter" },
        make("span", { class: "face", "aria-hidden": "true" }, sign.toUpperCase()),
        make("div", { class: "tagline" },
          make("h2", {}, make("span", { class: "who", title: name }, make("bdi", {}, name)),
            make("span", { class: "where" }, ` seat ${number}`),
            words.map((text) => make("span", { class: "badge warn" }, text)), marks, clock),
          drawn.facts.length ? make("ul", { class: "facts-line" }, drawn.facts.map(fact)) : null)),
      drawn.hand, drawn.beside, drawn.bubble);
  }

  // Seats above, the middle, and the own seat below. With many seats the middle comes first, so that it can
  // be seen.
  function lay(board, { others, middle, own, below = [] }) {
    board.classList.toggle("crowded", others.length > 4);
    const many = others.length > 2 ? "seats many" : "seats";
    board.replaceChildren(make("div", { class: many }, others), middle,
      make("div", { class: "seats own" }, own), ...below);
  }

  return { some, fan, backs, hand, pile, talon, spread, seat, lay };
})();
