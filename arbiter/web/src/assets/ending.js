// The card at the end of a game: the result, what decided it, and what can be done next.
"use strict";

arbiter.ending = (() => {
  const { make } = arbiter;
  const get = (id) => document.getElementById(id);
  // How long the last move can be seen before the card covers it, in milliseconds.
  const PAUSE = 900;
  let isAnnounced = false;
  let timer = null;

  // Two scores, large; of more seats a row of them.
  function scores({ ending, names, seat }) {
    const best = Math.max(...ending.scores.map(Number));
    const order = names.map((_, place) => place).sort((one, other) => (other === seat) - (one === seat));
    return make("div", { class: names.length === 2 ? "versus" : "versus many" }, order.map((place) =>
      make("div", { class: Number(ending.scores[place]) === best ? "first" : "" },
        make("b", {}, arbiter.signed(ending.scores[place])), make("bdi", {}, names[place]))));
  }

  function decided(rows, names, seat) {
    if (rows.length === 0) return null;
    const order = names.map((_, place) => place).sort((one, other) => (other === seat) - (one === seat));
    const heading = make("tr", {}, make("td", {}),
      order.map((place) => make("th", { scope: "col" }, make("bdi", {}, names[place]))));
    const row = ([label, figures]) => make("tr", {}, make("th", { scope: "row" }, label),
      order.map((place) => make("td", {}, arbiter.signed(figures[place] ?? "–"))));
    return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What decided" },
      make("table", { class: "why" }, make("thead", {}, heading), make("tbody", {}, rows.map(row))));
  }

  function proof({ ending, stage, commitment }, spoken) {
    const of = ending.proof;
    return [
      stage === "verifying" ? make("p", {}, "Verifying the log…") : null,
      of && of.wrong ? make("p", { id: "proof", class: "fault" }, `log verification failed: ${of.wrong}`) : null,
      of && of.head ? make("p", { id: "proof", class: "quiet" }, "verified, head ", make("code", {}, of.head)) : null,
      make("details", {}, make("summary", {}, "Hidden cards, seed and log"),
        ending.cards.length
          ? make("ul", { class: "revealed" }, ending.cards.map((line) => make("li", {}, spoken(line)))) : null,
        ending.seed ? make("p", { class: "quiet" }, "seed ", make("code", {}, ending.seed),
          ", commitment ", make("code", {}, commitment)) : null,
        stage === "over" && ending.can_be_loaded
          ? make("p", {}, make("a", { href: "log", id: "log" }, `Download the log (${ending.log})`)) : null,
        stage === "over" && !ending.can_be_loaded
          ? make("p", {}, `The log, ${ending.log}, stays on the server, because it contains bots' standard error.`) : null),
    ];
  }

  // What can be done next. A new deal is a form, which stands in the page.
  function next({ ending, stage }) {
    const canReview = get("main").dataset.reviews !== undefined;
    const address = `game/game.html#game=0${canReview ? "&review=now" : ""}`;
    const isThere = stage === "over" && ending && ending.can_be_loaded;
    const again = get("again").content.cloneNode(true);
    return make("div", { class: "together" },
      again,
      isThere ? make("a", { class: "btn", href: address, id: "viewer" },
        canReview ? "Review this game" : "Replay the game") : null,
      make("a", { class: "btn", href: "../" }, "Other games"));
  }

  function content(sight, { spoken, rows }) {
    const { ending, why, stage } = sight;
    const title = ending ? ending.verdict || "The game is over."
      : stage === "failed" ? "The game failed." : "The game is void.";
    return [
      make("form", { method: "dialog", class: "close" },
        make("button", { class: "btn low", "aria-label": "Look at the table" }, "✕")),
      make("h2", { id: "verdict" }, title),
      ending ? make("p", { class: ending.scores.length ? "result hidden" : "result" }, ending.result) : null,
      ending && ending.scores.length ? scores(sight) : null,
      why ? make("p", { class: "message" }, stage === "failed" ? `Cannot play the game: ${why}`
        : `${why}. The log keeps the moves so far, unfinished.`) : null,
      ending ? decided(rows, sight.names, sight.seat) : null,
      next(sight),
      ...(ending ? proof(sight, spoken) : []),
    ].filter((it) => it);
  }

  const isOver = ({ ending, stage }) => Boolean(ending) || ["over", "left", "failed"].includes(stage);

  // Opens over the table, which is then out of reach of the keyboard.
  function open() {
    clearTimeout(timer);
    timer = null;
    if (get("ending").open) return;
    get("ending").showModal();
    get("ending").querySelector(".together .btn").focus();
  }

  // Shows the end, if there is one. Before it is opened it waits until the last move was seen.
  function show(sight, telling) {
    if (!isOver(sight)) return;
    const isFocused = get("ending").contains(document.activeElement);
    const isUnfolded = get("ending").querySelector("details[open]") !== null;
    get("ending").replaceChildren(...content(sight, telling));
    if (isUnfolded) get("ending").querySelector("details").open = true;
    if (isFocused) get("ending").querySelector(".together .btn").focus();
    if (isAnnounced) return;
    isAnnounced = true;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    timer = setTimeout(open, isCalm ? 0 : PAUSE);
  }

  return { show, open, isOver };
})();
