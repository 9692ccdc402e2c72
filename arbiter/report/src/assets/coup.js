// How a game of Coup is drawn, and its events are told.
"use strict";

(() => {
  const { make, view } = arbiter;
  const CHARACTERS = ["ambassador", "assassin", "captain", "contessa", "duke"];

  function card(name, lost) {
    const known = CHARACTERS.includes(name);
    const label = (known ? name : "a hidden card") + (lost ? ", lost" : "");
    const face = known ? [make("span", { class: "crest", "aria-hidden": "true" }, name[0].toUpperCase() + name[1]),
      make("span", { class: "title", "aria-hidden": "true" }, name)] : [];
    const kind = known ? `character ${name}` : "back";
    return make("span", { class: `card tall ${kind} ${lost ? "lost" : ""}`, role: "img", "aria-label": label }, ...face);
  }

  const row = (label, drawn) => make("ul", { class: "cards", "aria-label": label }, drawn.map((it) => make("li", {}, it)));

  function table({ lines, name }) {
    const action = view.value(lines, "action").split(" ");
    const [claimant, claimed] = view.list(lines, "claim");
    const [debt, debtor] = view.value(lines, "owed").split(",")[0].split(" ");
    const turn = view.value(lines, "turn");
    const asked = { act: "to choose an action", answer: "to answer", accept: "to answer the block", prove: "to show the card",
      block: "to block or pass", lose: "to lose a card", keep: "to choose what it keeps", end: "to end the turn" }[debt];
    return make("div", { class: "middle plain" },
      make("dl", { class: "facts" },
        make("dt", {}, "Turn"), make("dd", {}, turn === "none" || turn === "" ? "–" : name(turn)),
        make("dt", {}, "Action"), make("dd", { class: "strong" }, action[0] === "none" ? "–" : spoken(action, name)),
        make("dt", {}, "Claim"), make("dd", {}, claimed ? make("span", { class: "claim" }, `${name(claimant)}: ${claimed}`) : "–"),
        make("dt", {}, "Next"), make("dd", {}, asked ? `${name(debtor)} ${asked}` : "–")));
  }

  function seat({ lines, seat, hand }) {
    const held = hand || Array(view.numbers(lines, "hands")[seat] || 0).fill("??");
    const lost = view.list(lines, `lost ${seat}`);
    const coins = view.numbers(lines, "coins")[seat] || 0;
    const drawn = [...held.map((it) => card(it, false)), ...lost.map((it) => card(it, true))];
    const pile = make("div", { class: "coins", role: "img", "aria-label": `${coins} coins` },
      ...Array.from({ length: Math.min(coins, 12) }, () => make("span", { class: "coin" })),
      make("span", { class: "count" }, String(coins)));
    const [claimant, claimed] = view.list(lines, "claim");
    return {
      hand: make("div", {}, row("Hand", drawn), pile),
      facts: claimant === String(seat) ? [`claims the ${claimed}`] : [],
    };
  }

  function spoken([action, target], name) {
    return action.replace("-", " ") + (target === undefined ? "" : ` against ${name(target)}`);
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

  arbiter.drawings.coup = { table, seat, tell };
})();
