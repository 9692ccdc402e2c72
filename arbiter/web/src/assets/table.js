// A table at which a person plays. It knows no rule: what can be played comes from the server, move by
// move, and what is sent is checked there. It asks for the state of the table again and again; the server
// answers once something has changed.
"use strict";

(() => {
  const { make, cards, view } = arbiter;
  const get = (id) => document.getElementById(id);
  // How many moves are shown at once, and for how long digits belong to one number, in milliseconds.
  const SHOWN = 60;
  // How many moves are looked through without typing.
  const FEW = 12;
  const TYPING = 1000;
  // How often a hidden page asks for the table, and how long it is until a server is asked again that does not
  // answer, in milliseconds.
  const SELDOM = 10000;
  const [SHORTEST, LONGEST] = [2000, 30000];
  const now = { sight: null, known: 0, told: [], turn: null, held: null, chosen: null, card: null, taken: [], search: "", digits: "", typed: 0, isSending: false };

  // The hand of a game of one's own has the words of its view; that of all other games has cards.
  const drawing = () => (now.held ? arbiter.own.drawing(now.sight.own, new Set(now.sight.own.hand)) : arbiter.drawings[now.sight.game]);
  const name = (seat) => now.sight.names[Number(seat)] || `seat ${seat}`;
  const words = (text) => text.split(" ");
  // Running text with its cards drawn; a star or a comma may follow them.
  const CARD = /((?<![\w-])(?:10|[2-9TJQKA])[CDHS](?!\w)|\?\?)/;
  const spoken = (text) => text.split(CARD).flatMap((part) => (cards.isCard(part) ? cards.inText([part]) : part));
  // At a terminal a line repeats what lies on the table.
  const short = (line) => line.replace(/ {2,}table .*/, "").replace(/ +/g, " ");

  function say(message) {
    get("message").textContent = message;
    get("message").hidden = message === "";
  }

  // ---- moves

  const moves = () => (now.turn ? now.turn.moves : []);
  const cardsOf = (move) => words(move).filter((word) => (now.held ? now.held.includes(word) : cards.isCard(word)));
  const isSame = (one, other) => one.length === other.length && one.every((it) => other.includes(it));

  // The moves that fit what is chosen: of Tablić those with the card that take all that is marked, of a game of
  // one's own those with all cards that are marked and with what is typed.
  function fitting() {
    if (now.held) {
      return moves().filter(({ move }) => move.toLowerCase().includes(now.search.toLowerCase())
        && now.taken.every((card) => cardsOf(move).includes(card)));
    }
    if (now.card === null) return moves();
    return moves().filter(({ move }) => {
      const [first, ...rest] = cardsOf(move);
      return first === now.card && now.taken.every((card) => rest.includes(card));
    });
  }

  const listed = (text) => moves().find(({ move }) => move === text);

  // Makes the cards that are chosen a move, where they are one, or might be one that is not listed.
  function settle() {
    if (now.held) return settleOwn();
    const chosen = [now.card, ...now.taken];
    const exact = now.card === null ? [] : moves().filter(({ move }) => isSame(cardsOf(move), chosen));
    if (exact.length === 1) now.chosen = exact[0].move;
    else if (exact.length === 0 && now.card !== null && now.turn.more) now.chosen = chosen.join(" ");
    else now.chosen = null;
    return show();
  }

  // Of a game of one's own, what is typed is a move, or else the marked cards are if they are all of one.
  function settleOwn() {
    const typed = listed(now.search) ? now.search : now.turn.more && now.search !== "" ? now.search : null;
    const exact = now.taken.length === 0 ? [] : moves().filter(({ move }) => isSame(cardsOf(move), now.taken));
    now.chosen = typed || (exact.length === 1 ? exact[0].move : null);
    return show();
  }

  function choose(move) {
    const all = cardsOf(move);
    Object.assign(now, { chosen: move, card: all.length && !now.held ? all[0] : null, taken: now.held ? all : all.slice(1) });
    show();
  }

  function forget() {
    Object.assign(now, { chosen: null, card: null, taken: [], search: "", digits: "" });
    say("");
    if (now.sight) show();
  }

  // A click on a card of the hand, or on one of the table that may be taken.
  function pick(card, isOwn) {
    if (!now.turn || now.isSending) return;
    say("");
    if (now.held) {
      now.taken = now.taken.includes(card) ? now.taken.filter((it) => it !== card) : [...now.taken, card];
      if (fitting().length === 0) {
        now.taken = now.taken.filter((it) => it !== card);
        say("No listed move uses these cards.");
      }
    } else if (isOwn) {
      const isAgain = now.card === card;
      Object.assign(now, { card: isAgain ? null : card, taken: [], chosen: null });
      if (!isAgain && fitting().length === 0) {
        now.card = null;
        say(`No legal move uses ${cards.name(card)}.`);
      }
    } else if (now.card !== null) {
      now.taken = now.taken.includes(card) ? now.taken.filter((it) => it !== card) : [...now.taken, card];
      if (fitting().length === 0 && !now.turn.more) {
        now.taken = now.taken.filter((it) => it !== card);
        say(`No move captures ${cards.name(card)} with this selection.`);
      }
    } else {
      say("Choose a card from your hand first.");
    }
    settle();
  }

  // ---- what is shown

  // The hand of another seat of a game of one's own, as a line of its view.
  const turnedOver = (hand) => (hand && hand.length ? [`${now.sight.own.hand[0]} ${hand.join(" ")}`] : []);

  function seatBox(seat) {
    const { sight } = now;
    const isOwn = seat === sight.seat;
    // When the game is over, all hands are turned over.
    const hand = sight.ending ? sight.ending.hands[seat] : isOwn ? view.list(sight.view, "hand") : null;
    const lines = now.held && !isOwn ? turnedOver(hand) : sight.view;
    const drawn = drawing().seat({ lines, seat, hand, marked: now.told, name });
    const isAsked = isOwn ? sight.turn !== null : sight.thinking === seat;
    return make("section", { class: `seat-box ${isAsked ? "moved" : ""} ${isOwn ? "mine" : ""}`, "aria-label": `${name(seat)}, seat ${seat}` },
      make("h3", {}, make("span", { class: "who" }, name(seat)), make("span", { class: "where" }, ` seat ${seat}`),
        sight.thinking === seat ? make("span", { class: "mark" }, "thinking") : null),
      drawn.facts.length ? make("ul", { class: "facts-line" }, drawn.facts.map((fact) => make("li", {}, fact))) : null,
      drawn.hand);
  }

  function showBoard() {
    const { sight } = now;
    const seats = sight.names.map((_, seat) => seat);
    const others = seats.map((_, step) => (sight.seat + 1 + step) % seats.length).filter((seat) => seat !== sight.seat);
    if (sight.view.length === 0) {
      get("board").replaceChildren(make("p", {}, sight.stage === "starting" ? "Starting the bots…" : "Dealing…"));
      return;
    }
    get("board").replaceChildren(
      make("div", { class: seats.length > 3 ? "seats many" : "seats" }, others.map(seatBox)),
      drawing().table({ lines: sight.view, marked: now.told, name }),
      make("div", { class: "seats own" }, seatBox(sight.seat)));
    get("board").querySelectorAll(".card[data-card]").forEach(makeButton);
  }

  // Whether a move takes a card of the table; where not all moves are listed, one may.
  function isTakable(card) {
    if (now.held) return false;
    const isOfTable = view.list(now.sight.view, "table").includes(card);
    return (now.turn.more && isOfTable) || moves().some(({ move }) => cardsOf(move).slice(1).includes(card));
  }

  // Cards of the hand can be chosen, and so can those of the table that a move may take.
  function makeButton(element) {
    const { card } = element.dataset;
    const isOwn = element.closest(".mine") !== null;
    if (!now.turn || !(isOwn || isTakable(card))) return;
    const isPressed = card === now.card || now.taken.includes(card);
    const may = isOwn || (now.card !== null && fitting().some(({ move }) => cardsOf(move).slice(1).includes(card)));
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-pressed", String(isPressed));
    element.classList.toggle("chosen", isPressed);
    element.classList.toggle("may", may && !isPressed);
    element.onclick = () => pick(card, isOwn);
  }

  function showTurn() {
    const { turn } = now;
    get("turn").hidden = turn === null;
    get("turn").dataset.turn = turn === null ? "" : turn.number;
    if (turn === null) return;
    const all = fitting();
    const move = now.chosen === null ? null : listed(now.chosen);
    get("question").textContent = turn.question || "Your move:";
    get("play").disabled = now.chosen === null || now.isSending;
    get("play").textContent = now.chosen === null ? "Play" : `Play: ${move ? move.words : now.chosen}`;
    get("undo").disabled = now.chosen === null && now.card === null && now.taken.length === 0 && now.search === "";
    if (get("searching")) get("searching").hidden = moves().length <= FEW && !turn.more;
    get("moves").replaceChildren(...all.slice(0, SHOWN).map((each, place) => {
      const button = make("button", { type: "button", "aria-pressed": String(each.move === now.chosen), "data-move": each.move },
        make("span", { class: "number", "aria-hidden": "true" }, String(place + 1)), make("span", { class: "what" }, spoken(each.words)));
      button.onclick = () => choose(each.move);
      return make("li", {}, button);
    }));
    const left = all.length - SHOWN;
    const more = now.held ? [left > 0 ? `${left} more moves: type to filter.` : "",
      turn.more ? "Not all moves are listed: type one to try it." : ""]
      : [left > 0 ? `${left} more moves: select cards to filter.` : "",
        turn.more ? "Not all moves are listed: select cards to find them." : ""];
    get("more").textContent = more.filter((it) => it).join(" ");
  }

  function showEnding() {
    const { ending, stage, why } = now.sight;
    const isLast = ["over", "left", "failed"].includes(stage);
    get("leave").hidden = isLast || stage === "verifying";
    get("ending").hidden = !ending && !isLast;
    if (get("ending").hidden) return;
    const proof = ending && ending.proof;
    const parts = [
      ending && ending.verdict ? make("h2", { id: "verdict" }, ending.verdict) : null,
      ending ? make("p", { class: "result" }, make("b", {}, ending.result)) : null,
      why ? make("p", { class: "message" }, stage === "failed" ? `Cannot play the game: ${why}` : `${why}. The log keeps the moves so far, unfinished.`) : null,
      ending && ending.cards.length ? make("h3", {}, "Hidden cards") : null,
      ending && ending.cards.length ? make("ul", { class: "revealed" }, ending.cards.map((line) => make("li", {}, ...spoken(short(line))))) : null,
      ending && ending.seed ? make("p", { class: "quiet" }, "seed ", make("code", {}, ending.seed), ", commitment ", make("code", {}, now.sight.commitment)) : null,
      stage === "verifying" ? make("p", {}, "Verifying the log…") : null,
      proof && proof.head ? make("p", { id: "proof" }, "verified, head ", make("code", {}, proof.head)) : null,
      proof && proof.wrong ? make("p", { id: "proof", class: "detail" }, `log verification failed: ${proof.wrong}`) : null,
      stage === "over" && ending.can_be_loaded ? make("p", {}, make("a", { href: "game/game.html#game=0", id: "viewer" }, "Replay the game"),
        " · ", make("a", { href: "log", id: "log" }, `Download the log (${ending.log})`)) : null,
      stage === "over" && !ending.can_be_loaded ? make("p", {}, `The log, ${ending.log}, stays on the server, because it contains bots' standard error.`) : null,
      isLast ? make("p", {}, make("a", { href: "../" }, "Play again")) : null,
    ];
    get("ending").replaceChildren(...parts.filter((part) => part));
  }

  // The focus stays on the card or the move that it was on, though all are drawn anew.
  function show() {
    const { card, move } = document.activeElement ? document.activeElement.dataset : {};
    get("stage").hidden = false;
    showBoard();
    showTurn();
    showEnding();
    const again = card ? get("board").querySelector(`[data-card="${CSS.escape(card)}"][role=button]`)
      : move && get("moves").querySelector(`[data-move="${CSS.escape(move)}"]`);
    if (again) again.focus();
  }

  function tell({ from, lines }) {
    const fresh = lines.slice(now.known - from);
    if (fresh.length === 0) return;
    now.known = from + lines.length;
    // Of a page that was loaded anew, all lines are fresh: the last one is what has just happened.
    const latest = from === 0 && lines.length === fresh.length ? fresh.slice(-1) : fresh;
    now.told = latest.flatMap(words).filter((word) => cards.isCard(word) && word !== "??");
    get("story").append(...fresh.map((line) => make("li", {}, ...spoken(short(line)))));
    get("story").scrollTop = get("story").scrollHeight;
  }

  // ---- the server

  function take(sight) {
    const isNewTurn = (sight.turn ? sight.turn.number : null) !== (now.turn ? now.turn.number : null);
    now.sight = sight;
    now.turn = sight.turn;
    now.held = sight.own ? arbiter.own.hand(sight.view, sight.own) : null;
    tell(sight.story);
    if (isNewTurn) {
      now.isSending = false;
      forget();
    } else show();
  }

  // Waits for so long, or until the page is shown or hidden.
  const pause = (ms) => new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", done);
      resolve();
    }
    document.addEventListener("visibilitychange", done);
  });

  async function follow() {
    let wait = SHORTEST;
    let asking = null;
    // A browser has few connections, so a hidden page does not wait at one: it asks from time to time.
    document.addEventListener("visibilitychange", () => { if (document.hidden && asking) asking.abort(); });
    for (;;) {
      try {
        const waits = now.sight && !document.hidden;
        asking = waits ? new AbortController() : null;
        const after = waits ? `&after=${now.sight.version}` : "";
        const response = await fetch(`state?known=${now.known}${after}`, { cache: "no-store", signal: asking && asking.signal });
        if (response.status === 404) return say("This table is closed.");
        if (!response.ok) throw new Error(response.statusText);
        const sight = await response.json();
        wait = SHORTEST;
        if (get("message").dataset.isLost) { delete get("message").dataset.isLost; say(""); }
        if (!now.sight || sight.version !== now.sight.version) take(sight);
        if (["over", "left", "failed"].includes(sight.stage)) return undefined;
        if (document.hidden) await pause(SELDOM);
      } catch (error) {
        if (error.name === "AbortError") continue;
        say("Connection lost; reconnecting…");
        get("message").dataset.isLost = "1";
        await pause(wait);
        wait = Math.min(2 * wait, LONGEST);
      }
    }
  }

  async function send(path, options) {
    try {
      const response = await fetch(path, { cache: "no-store", ...options });
      const answer = response.status === 204 ? {} : await response.json();
      if (!response.ok) say(answer.problem || "Request rejected.");
      return response.ok ? answer : null;
    } catch {
      say("Cannot reach the server.");
      return null;
    }
  }

  async function play() {
    if (now.chosen === null || now.isSending) return;
    now.isSending = true;
    say("");
    const body = JSON.stringify({ turn: now.turn.number, move: now.chosen });
    const headers = { "content-type": "application/json" };
    const answer = await send("move", { method: "POST", headers, body });
    if (answer === null) now.isSending = false;
    if (now.turn) showTurn();
  }

  async function hint() {
    if (!now.turn) return;
    const answer = await send(`hint?turn=${now.turn.number}`);
    if (answer && now.turn) choose(answer.move);
  }

  async function leave() {
    if (window.confirm("Leave the game? It will be void.")) await send("leave", { method: "POST" });
  }

  // ---- keys

  function number(digit) {
    const isOn = Date.now() - now.typed < TYPING;
    now.typed = Date.now();
    const all = fitting();
    const typed = isOn && all[Number(now.digits + digit) - 1] ? now.digits + digit : digit;
    now.digits = typed;
    // The numbers are those that are shown: the list stays as it is while digits come.
    const each = all[Number(typed) - 1];
    if (each) { now.chosen = each.move; showTurn(); }
  }

  function keys(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !now.turn) return;
    const { target } = event;
    const isButton = target.matches("button, a, [role=button]");
    if (target.matches("input") && event.key !== "Enter" && event.key !== "Escape") return undefined;
    if (target.matches("[role=button]") && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      return target.click();
    }
    if (/^[0-9]$/.test(event.key)) number(event.key);
    else if (event.key === "Escape") forget();
    else if (event.key === "h") hint();
    else if (event.key === "Enter" && (!isButton || (now.chosen !== null && target.dataset.move === now.chosen))) play();
    else return undefined;
    return event.preventDefault();
  }

  document.addEventListener("DOMContentLoaded", () => {
    get("play").onclick = play;
    get("undo").onclick = forget;
    get("hint").onclick = hint;
    get("leave").onclick = leave;
    if (get("search")) get("search").oninput = () => { now.search = get("search").value.trim(); settle(); };
    document.addEventListener("keydown", keys);
    follow();
  });
})();
