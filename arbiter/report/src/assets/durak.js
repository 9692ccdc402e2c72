// How a game of Durak is drawn, and its events are told.
"use strict";

(() => {
  const { make, cards, view, felt } = arbiter;

  // Attack cards, each with what beats it.
  function pairs(lines, card) {
    const bout = view.value(lines, "table");
    const drawn = (bout === "" ? [] : bout.split(", ")).map((pair) => {
      const [attack, beat] = pair.split(" ");
      const label = cards.name(attack) + (beat ? `, beaten by ${cards.name(beat)}` : ", not beaten");
      return make("div", { class: beat ? "pair beaten" : "pair open", role: "group", "aria-label": label },
        card(attack, "table"), beat ? card(beat, "table") : null);
    });
    if (drawn.length === 0) return felt.spread("Attack and defence", [], "no attack");
    return make("div", { class: "bout", role: "group", "aria-label": "Attack and defence" }, drawn);
  }

  function table({ lines, name, card }) {
    const talon = Number(view.value(lines, "talon"));
    const trump = view.value(lines, "trump");
    const isKnown = cards.isCard(trump) && trump !== "??";
    const [turn, asked] = view.list(lines, "turn");
    const told = { lead: "leads", defend: "defends", throw: "may throw in" }[asked];
    const facts = [told && arbiter.agreeing([`${name(turn)} ${told}`])[0],
      view.value(lines, "taking") === "yes" && "the defender takes"].filter((it) => it);
    // Where the trump card was drawn, it stays as a reminder.
    const as = { role: null, "aria-label": null, "data-card": null, class: talon === 0 ? "faint" : "" };
    const under = isKnown ? cards.draw(trump, as) : null;
    const words = [`${talon} · ${isKnown ? cards.suitSign(trump) : ""} trump`];
    return make("div", { class: "middle" },
      felt.talon(talon, { under, words, label: `talon: ${talon} cards, trump card ${cards.name(trump)}` }),
      make("div", { class: "grow" },
        facts.length ? make("p", { class: "stage-of" }, facts.join(" · ")) : null, pairs(lines, card)),
      felt.pile(view.list(lines, "discards").length, "out"));
  }

  function seat({ lines, seat, hand, card }) {
    const count = view.numbers(lines, "hands")[seat] || 0;
    const known = view.list(lines, `known ${seat}`);
    const shown = hand ? inOrder(hand, view.value(lines, "trump"))
      : [...known, ...cards.backs(Math.max(0, count - known.length))];
    const is = (key) => view.value(lines, key) === String(seat);
    const isGone = view.list(lines, "gone").includes(String(seat));
    return {
      hand: felt.hand(shown, card),
      facts: [felt.some(count, "card")],
      mark: isGone ? "out of cards" : is("attacker") ? "attacks" : is("defender") ? "defends" : null,
    };
  }

  // The trumps at the end.
  function inOrder(hand, trump) {
    const isTrump = (text) => text.slice(-1) === trump.slice(-1);
    return [...hand.filter((text) => !isTrump(text)), ...hand.filter(isTrump)];
  }

  const CAN = { lead: "can attack", beat: "can beat", transfer: "can pass the attack on", throw: "can be thrown in" };
  const VERBS = { lead: "Attack", beat: "Beat", transfer: "Pass on", throw: "Throw in", done: "Done" };

  // What a card of the hand can do by these moves.
  function offer(moves, text, lines) {
    const isTrump = text.slice(-1) === view.value(lines, "trump").slice(-1);
    const can = moves.map(({ move }) => CAN[move.split(" ")[0]]).filter((it) => it);
    const label = [isTrump ? "trump" : null, ...can].filter((it) => it).join(", ");
    return { badge: isTrump ? "trump" : null, kind: "star", label };
  }

  function verb(move, lines) {
    const [first] = move.split(" ");
    const lying = view.value(lines, "table").split(/[ ,]+/).filter((it) => it).length;
    return first === "take" ? `Take ${lying} card${lying === 1 ? "" : "s"}` : VERBS[first];
  }

  // What a person can do now.
  function advice(lines) {
    const [, asked] = view.list(lines, "turn");
    const open = view.value(lines, "table").split(", ").filter((pair) => pair !== "" && !pair.includes(" "));
    if (asked === "lead") return ["Lead any card."];
    if (asked === "throw") return ["Throw in a bright card, or be done."];
    return ["Beat ", cards.inText(open), " with a bright card, or take all."];
  }

  // What decided a game: who has cards left.
  function decided({ hands }) {
    return [["cards left", hands.map((hand) => hand.length)]];
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

  arbiter.drawings.durak = { table, seat, tell, offer, verb, decided, advice };
})();
