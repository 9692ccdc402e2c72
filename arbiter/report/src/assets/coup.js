// How a game of Coup is drawn, and its events are told. What seats claim and answer stands in bubbles beside them.
"use strict";

(() => {
  const { make, cards, view, felt, agreeing } = arbiter;
  // What each action claims, if anything.
  const ACTIONS = { income: null, "foreign-aid": null, coup: null, tax: "duke", assassinate: "assassin", steal: "captain",
    exchange: "ambassador" };
  const MOST_COINS = 10;

  function coins(count) {
    const label = `${count} coin${count === 1 ? "" : "s"}`;
    return make("span", { class: "coins", role: "img", "aria-label": label },
      Array.from({ length: Math.min(count, MOST_COINS) }, () => make("i", {})), make("b", {}, String(count)));
  }

  // A lost card lies face up, so that it is known to all.
  const lost = (who) => cards.character(who, { class: "lost", "aria-label": `${who}, lost`, "data-card": null });

  function seat({ lines, seat, hand, card, events, name }) {
    const held = hand || cards.backs(view.numbers(lines, "hands")[seat] || 0);
    const gone = view.list(lines, `lost ${seat}`);
    const drawn = [...held.map((who) => card(who, "hand", cards.character)), ...gone.map(lost)];
    const said = conversation(events).findLast((event) => event.startsWith(`${seat} `));
    return {
      hand: make("div", { class: "pair2", role: "group", "aria-label": "Hand" }, drawn),
      facts: [coins(view.numbers(lines, "coins")[seat] || 0)],
      mark: held.length === 0 && gone.length > 0 ? "out" : null,
      bubble: said ? bubble(said.split(" "), name) : null,
    };
  }

  // What was said since the last action began.
  function conversation(events) {
    const begun = events.findLastIndex((event) => event.split(" ")[1] in ACTIONS);
    return begun < 0 ? [] : events.slice(begun).filter((event) => /^[0-9]/.test(event));
  }

  // What a seat says: its words, what it claims to be or shows, and whether it contradicts.
  function bubble([, word, what], name) {
    const against = what === undefined ? "" : name(what);
    const said = {
      income: ["Income.", "takes 1 coin"],
      "foreign-aid": ["Foreign aid.", "wants 2 coins"],
      coup: ["A coup.", `against ${against}`],
      tax: ["I am the duke.", "takes 3 coins"],
      assassinate: ["I am the assassin.", `against ${against}`],
      steal: ["I am the captain.", `steals from ${against}`],
      exchange: ["I am the ambassador.", "exchanges cards"],
      block: [`I am the ${what}.`, "blocks it"],
      challenge: ["I don’t believe it.", "challenges"],
      pass: ["I let it pass.", ""],
      show: ["Here it is.", `shows the ${what}`],
      lose: [`There goes my ${what}.`, "loses a card"],
    }[word];
    if (!said) return null;
    const isNamed = ["block", "show", "lose"].includes(word) && cards.CHARACTERS.includes(what);
    const claim = ACTIONS[word] || (isNamed ? what : null);
    return make("div", { class: `bubble ${word === "challenge" || word === "lose" ? "no" : ""}` },
      claim ? cards.emblem(claim) : null,
      make("span", {}, make("b", {}, said[0]), said[1] ? make("small", {}, said[1]) : null));
  }

  // The middle of the table: what is being done, and who decides next.
  function table({ lines, name }) {
    const action = view.value(lines, "action").split(" ");
    const [claimant, claimed] = view.list(lines, "claim");
    const [debt, debtor] = view.value(lines, "owed").split(",")[0].split(" ");
    const turn = view.value(lines, "turn");
    const asked = { act: "chooses an action", answer: "answers", accept: "answers the block", prove: "must show the card",
      block: "may block", lose: "loses a card", keep: "chooses what to keep", end: "ends the turn" }[debt];
    const told = (...parts) => make("p", { class: "fly" }, agreeing(parts));
    return make("div", { class: "middle arena" },
      action[0] === "none" || action[0] === "" ? null : told(`${name(turn)} acts: ${spoken(action, name)}.`),
      claimed && claimant !== turn ? told(`${name(claimant)} claims the ${claimed}.`) : null,
      asked ? told(`${name(debtor)} ${asked}.`) : null);
  }

  function spoken([action, target], name) {
    return action.replace("-", " ") + (target === undefined ? "" : ` against ${name(target)}`);
  }

  // The cards of the own hand that a move is about.
  const cardsOf = (move) => (/^(lose|keep|show) /.test(move) ? move.split(" ").slice(1) : []);

  // A move as a tile: what it claims, its title, the rest of it, and whether the hand holds what it claims.
  function tile({ move, words }, lines, name) {
    const [word, what] = move.split(" ");
    const claim = word === "block" ? what : ACTIONS[word];
    const target = what !== undefined && word in ACTIONS ? ` ${name(what)}` : "";
    const [title, small] = {
      income: ["Income", "+1 coin, safe"],
      "foreign-aid": ["Foreign aid", "+2 coins, a duke stops it"],
      coup: [`Coup:${target}`, "costs 7 coins"],
      tax: ["Tax", "+3 coins"],
      assassinate: [`Assassinate${target}`, "costs 3 coins"],
      steal: [`Steal from${target}`, words.replace(/^.*: take ([0-9]+ coins?).*$/, "+$1")],
      exchange: ["Exchange", "swap cards with the deck"],
      pass: ["Let it pass", ""],
      challenge: ["Challenge", "I don’t believe it"],
      block: [`I am the ${what}`, "block it"],
      show: [`Show the ${what}`, "and draw another card"],
      lose: [`Give up the ${what}`, ""],
      keep: [`Keep ${move.split(" ").slice(1).join(" and ")}`, ""],
      end: ["End the turn", ""],
    }[word] || [words, ""];
    const isBluff = Boolean(claim) && !view.list(lines, "hand").includes(claim);
    const emblem = claim || (["show", "lose"].includes(word) ? what : null);
    const sign = { income: "+1", "foreign-aid": "+2", coup: "7", challenge: "!", pass: "✓", keep: "2" }[word] || "→";
    return { emblem, title, small, isBluff, sign };
  }

  // What decided a game: who still holds cards, and the coins.
  function decided({ hands, lines }) {
    return [["cards left", hands.map((hand) => hand.length)], ["coins", view.list(lines, "coins")]];
  }

  function tell(words, name) {
    const [key, who, ...rest] = words;
    const listed = rest.map((word) => (word === "??" ? "a hidden card" : word)).join(", ");
    if (key === "deal") return [`${name(who)} is dealt ${listed}`];
    if (key === "draw") return [`${name(who)} draws ${listed}`];
    if (key === "lost") return [`${name(who)} also loses ${listed}`];
    if (key === "winner") return [who === "none" ? "no winner" : `${name(who)} wins`];
    if (["coup", "assassinate", "steal"].includes(who)) return [`${name(key)}: ${spoken([who, ...rest], name)}`];
    const told = { income: "takes income", "foreign-aid": "declares foreign aid", tax: "claims duke: tax",
      exchange: "claims ambassador: exchange", pass: "passes", challenge: "challenges", block: `blocks as ${listed}`,
      show: `shows ${listed}`, lose: `loses ${listed}`, keep: `keeps ${listed}`, end: "ends the turn" }[who];
    return [`${name(key)} ${told || words.slice(1).join(" ")}`];
  }

  arbiter.drawings.coup = { table, seat, tell, tile, cardsOf, decided };
})();
