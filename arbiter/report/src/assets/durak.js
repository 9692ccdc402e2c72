// How a game of Durak is drawn, and its events are told.
"use strict";

(() => {
  const { make, cards, view } = arbiter;

  // Attack cards, each with what beats it.
  function pairs(lines, marked) {
    const bout = view.value(lines, "table");
    const mark = (card) => (marked.includes(card) ? "new" : "");
    const drawn = (bout === "" ? [] : bout.split(", ")).map((pair) => {
      const [attack, beat] = pair.split(" ");
      const label = cards.name(attack) + (beat ? `, beaten by ${cards.name(beat)}` : ", not beaten");
      return make("li", { class: beat ? "pair beaten" : "pair", "aria-label": label },
        cards.draw(attack, mark(attack)), beat ? cards.draw(beat, `over ${mark(beat)}`) : null);
    });
    const empty = drawn.length === 0 ? make("li", { class: "empty" }, "no attack") : null;
    return make("ul", { class: "cards bout", "aria-label": "Attack and defence" }, drawn, empty);
  }

  function table({ lines, marked, name }) {
    const talon = Number(view.value(lines, "talon"));
    const trump = view.value(lines, "trump");
    const discards = view.list(lines, "discards").length;
    const [turn, asked] = view.list(lines, "turn");
    const told = { lead: "leads", defend: "defends", throw: "may throw in" }[asked];
    const trumps = trump === "none" || trump === "" ? null : `trumps ${cards.suit(trump)}`;
    const facts = [trumps, told && arbiter.agreeing([`${name(turn)} ${told}`])[0], view.value(lines, "taking") === "yes" && "the defender takes",
      `${discards} discarded`].filter((it) => it);
    return make("div", { class: "middle" },
      make("div", { class: "talon trump", role: "img", "aria-label": `talon: ${talon} cards, trump card ${cards.name(trump)}` },
        cards.isCard(trump) && trump !== "??" ? cards.draw(trump, ["under alone faint", "under alone"][talon] || "under") : null,
        talon > 1 ? cards.draw("??") : null, make("span", { class: "count" }, String(talon))),
      make("div", { class: "grow" }, make("h3", {}, facts.join(" · ")), pairs(lines, marked)));
  }

  function seat({ lines, seat, hand, marked }) {
    const count = view.numbers(lines, "hands")[seat] || 0;
    const known = view.list(lines, `known ${seat}`);
    const shown = hand || [...known, ...cards.backs(Math.max(0, count - known.length))];
    const is = (key) => view.value(lines, key) === String(seat);
    const facts = [is("attacker") && "attacks", is("defender") && "defends",
      view.list(lines, "gone").includes(String(seat)) && "out of cards", `${count} cards`].filter((it) => it);
    return { hand: cards.row("Hand", shown, marked), facts };
  }

  function tell(words, name) {
    const [key, who, ...rest] = words;
    if (key === "deal") return [name(who), " is dealt ", cards.inText(rest)];
    if (key === "draw" || key === "last") return [name(who), " draws ", cards.inText(rest)];
    if (key === "trump") return ["The trump card is ", cards.inText([who])];
    if (key === "first" && rest[0] === "none") return [name(who), " attacks first (no trumps held)"];
    if (key === "first") return [name(who), " attacks first, with the lowest trump: ", cards.inText(rest)];
    if (key === "discard") return ["Attack beaten, cards discarded"];
    if (key === "pick-up") return [name(who), " picks up ", cards.inText(rest)];
    if (key === "gone") return [name(who), " has no cards left"];
    if (key === "durak") return [who === "none" ? "A draw" : `${name(who)} is the durak`];
    const told = { lead: " attacks with ", beat: " beats with ", transfer: " transfers with ", take: " takes",
      throw: " throws in ", done: " throws in no more" }[who];
    return [name(key), told || ` ${who} `, cards.inText(rest)];
  }

  arbiter.drawings.durak = { table, seat, tell };
})();
