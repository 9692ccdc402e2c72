// A table at which a person plays. It knows no rule: what can be played comes from the server, move by
// move, and what is sent is checked there. It asks for the state of the table again and again; the server
// answers once something has changed.
"use strict";

(() => {
  const { make, cards, view, felt, choice, ending, motion } = arbiter;
  const get = (id) => document.getElementById(id);
  // How many moves are listed at once, and how many without a card have buttons of their own: in a game of one's own
  // as many as have a single digit as their key.
  const SHOWN = 60;
  const [MOST_BUTTONS, MOST_OWN] = [6, 9];
  // How many moves are looked through without typing, and for how long digits belong to one number, in milliseconds.
  const FEW = 12;
  const TYPING = 1000;
  // How often a hidden page asks for the table, and how long it is until a server is asked again that does not
  // answer, in milliseconds.
  const SELDOM = 10000;
  const [SHORTEST, LONGEST] = [2000, 30000];
  // The last seconds of a seat.
  const SHORT = 30;
  const now = { sight: null, due: null, known: 0, heard: 0, events: [], told: [], mover: null, turn: null,
    digits: "", typed: 0, isSending: false };

  // A game of one's own is drawn by the lines of its view.
  const isOwn = () => Boolean(now.sight.own);
  const drawing = () => (isOwn() ? arbiter.own.drawing(now.sight.own, new Set(now.sight.own.hand))
    : arbiter.drawings[now.sight.game]);
  const name = (seat) => now.sight.names[Number(seat)] || `seat ${seat}`;
  const words = (text) => text.split(" ");
  // Running text with its cards drawn; a star or a comma may follow them.
  const CARD = /((?<![\w-])(?:10|[2-9TJQKA])[CDHS](?!\w)|\?\?)/;
  const spoken = (text) => text.split(CARD).flatMap((part) => (cards.isCard(part) ? cards.inText([part]) : part));
  // At a terminal a line repeats what lies on the table.
  const short = (line) => line.replace(/ {2,}table .*/, "").replace(/ +/g, " ");
  const hand = () => (drawing().handOf || ((lines) => view.list(lines, "hand")))(now.sight.view);

  function say(message) {
    get("message").textContent = message;
    get("message").hidden = message === "";
  }

  // The cards of a move: those of the pack, or the words of the hand that it names.
  function cardsOf(move) {
    const { cardsOf: own } = drawing();
    if (own) return own(move);
    const held = isOwn() ? hand() : null;
    return words(move).filter((word) => (held ? held.includes(word) : cards.isCard(word)));
  }

  // ---- choosing

  function chosen() {
    const { move } = choice.now;
    const found = move === null ? null : choice.listed(move);
    return move === null ? null : found || { move, words: move };
  }

  function choose(move) {
    choice.choose(move);
    show();
  }

  function forget() {
    choice.clear();
    now.digits = "";
    if (get("search")) get("search").value = "";
    say("");
    if (now.sight) show();
  }

  // A click on a card of the hand, or on one of the table that may be taken. A card that can do only one thing
  // does it.
  function pick(card, where) {
    if (!now.turn || now.isSending) return undefined;
    const only = where === "hand" ? choice.onlyMove(card) : null;
    if (only) return play(only);
    const called = cards.isCard(card) ? cards.name(card) : card;
    say((where === "hand" ? choice.pick(card, called) : choice.take(card, called)) || "");
    return show();
  }

  // ---- the board

  // A card of the table, which is a button if what is chosen may take it.
  function tableCard(text, draw) {
    const lit = now.told.includes(text) ? "lit" : "";
    if (!choice.isTakable(text)) return draw(text, { class: lit });
    const isPicked = choice.isPicked(text);
    const kind = isPicked ? "taken" : choice.isInReach(text) ? "can" : "";
    return button(text, "table", draw, { class: `${lit} ${kind}`, "aria-pressed": String(isPicked) });
  }

  // A card of the hand, whose name says what it can do.
  function handCard(text, draw) {
    const possible = choice.movesWith(text);
    // Where moves are what a seat says, a card is a button only if a move is about it.
    const isSaid = drawing().tile || (isOwn() && choice.plain().length === choice.moves().length);
    if (isSaid && possible.length === 0) return draw(text);
    const may = possible.length > 0;
    const element = button(text, "hand", draw, { class: may ? "" : "dimmed",
      "aria-pressed": String(choice.isPicked(text)), "aria-disabled": may ? null : "true" });
    const offered = drawing().offer ? drawing().offer(possible, text, now.sight.view) : {};
    const label = [element.getAttribute("aria-label"), offered.label, may ? "" : "cannot be played now"];
    element.setAttribute("aria-label", label.filter((it) => it).join(", "));
    const badge = { class: `badge-on ${offered.kind || ""}`, "aria-hidden": "true" };
    if (offered.badge) element.append(make("span", badge, offered.badge));
    return element;
  }

  function button(text, where, draw, attributes) {
    const element = draw(text, { tag: "button", type: "button", ...attributes });
    element.onclick = () => pick(text, where);
    return element;
  }

  // A card that can be chosen is a button.
  function card(text, where, draw = cards.draw) {
    if (now.turn && text !== "??") return where === "table" ? tableCard(text, draw) : handCard(text, draw);
    return draw(text, { class: where === "table" && now.told.includes(text) ? "lit" : "" });
  }

  // Other hands are open once the game is over; before, no more than their number is known.
  function handOf(seat) {
    const { sight } = now;
    if (sight.ending) return sight.ending.hands[seat];
    return seat === sight.seat ? hand() : null;
  }

  function seatBox(seat) {
    const { sight } = now;
    const isSelf = seat === sight.seat;
    const scene = { lines: sight.view, seat, hand: handOf(seat), name, events: now.events,
      card: isSelf ? card : (text, _, draw = cards.draw) => draw(text, { "data-card": null }) };
    const isAsked = isSelf ? sight.turn !== null : sight.thinking === seat;
    return felt.seat({ name: name(seat), seat, drawn: drawing().seat(scene),
      kind: `${isAsked ? "moved" : ""} ${isSelf ? "self" : ""}`, tags: sight.thinking === seat ? ["thinking"] : [],
      clock: isAsked && now.due !== null ? make("span", { class: "clock", role: "timer", "aria-live": "off", title: "time left" }) : null });
  }

  function drawBoard() {
    const { sight } = now;
    const seats = sight.names.map((_, seat) => seat);
    const others = seats.slice(1).map((step) => (sight.seat + step) % seats.length);
    // A game that begins with a move of the person has no view before it.
    if (sight.view.length === 0 && sight.turn === null) {
      const waiting = sight.stage === "starting" ? "Starting the bots…" : "Dealing…";
      get("board").replaceChildren(make("p", { class: "fly" }, waiting));
      return;
    }
    get("board").dataset.game = sight.game;
    felt.lay(get("board"), {
      others: others.map(seatBox),
      middle: drawing().table({ lines: sight.view, name, card, events: now.events }),
      own: seatBox(sight.seat), below: [bar()] });
  }

  // ---- the bar below the hand

  function action(text, attributes, act) {
    const { class: kind = "", ...rest } = attributes;
    const element = make("button", { type: "button", class: `btn ${kind}`, ...rest }, text);
    element.onclick = act;
    return element;
  }

  const label = (move) => (drawing().verb && drawing().verb(move, now.sight.view)) || null;
  // The name of a bot keeps its letters.
  const question = () => {
    const text = (now.turn.question || "your move").replace(/:$/, "");
    const isName = now.sight.names.some((each, seat) => seat !== now.sight.seat && text.startsWith(`${each} `));
    return `${isName ? text[0] : text[0].toUpperCase()}${text.slice(1)}. `;
  };

  function advice() {
    if (drawing().advice) return drawing().advice(now.sight.view);
    return isOwn() && does(null).length === 0 ? "Choose it by its cards, or from the list." : "";
  }

  function bar() {
    const { sight, turn } = now;
    const output = (...parts) => make("output", { id: "question" }, parts.flat(3));
    if (ending.isOver(sight)) {
      return make("div", { class: "act", id: "act", tabindex: "-1" }, output("The game is over."),
        action("Result", { class: "main", id: "result-again" }, ending.open));
    }
    if (turn === null) {
      const thinking = sight.thinking === null ? "…" : `${name(sight.thinking)} thinks…`;
      return make("div", { class: "act", id: "act", tabindex: "-1" }, output(thinking));
    }
    const move = chosen();
    const told = move ? spoken(move.words)
      : [make("b", {}, question()), choice.isEmpty() ? advice() : "Select more cards."];
    const group = { class: "act turn", id: "act", tabindex: "-1", role: "group", "aria-label": "Your move" };
    return make("div", group, output(told), make("div", { class: "does" }, ...does(move)), drawing().tile ? tiles() : null);
  }

  // The buttons of the bar: to play what is chosen, the moves without a card, and to undo.
  function does(move) {
    const disabled = now.isSending;
    const played = (it) => action(label(it.move) || it.move, { "data-does": it.move, disabled }, () => play(it.move));
    const plain = drawing().tile ? [] : choice.plain();
    const isPlain = (it) => plain.some((each) => each.move === it.move);
    const same = move && choice.now.card !== null && choice.now.taken.length > 0
      ? choice.movesWith(choice.now.card).find((it) => cardsOf(it.move).length === 1) : null;
    const rivals = choice.isEmpty() || choice.now.card !== null ? [] : choice.fitting()
      .filter((it) => move && it.move !== move.move && cardsOf(it.move).join() === cardsOf(move.move).join());
    const main = (text) => action(text, { class: "main", id: "play", disabled }, () => play(move.move));
    const shown = plain.length > (isOwn() ? MOST_OWN : MOST_BUTTONS) || (move && !isPlain(move)) ? [] : plain;
    const isChosen = (it) => move && it.move === move.move;
    return [
      move && !shown.some(isChosen) ? main(label(move.move) || "Play") : null,
      ...[...rivals, same].filter((it) => it && !isPlain(it)).map(played),
      ...shown.map((it) => (isChosen(it) ? main(label(it.move) || it.move) : played(it))),
      choice.isEmpty() ? null : action("Undo", { id: "undo" }, forget),
      choice.isEmpty() && !isOwn() ? action("Hint", { id: "hint" }, hint) : null,
    ].filter((it) => it);
  }

  // Every move as a tile that plays it, where moves are what a seat says.
  function tiles() {
    return make("div", { class: "tiles" }, choice.moves().map((each) => {
      const { emblem, title, small, isBluff, sign } = drawing().tile(each, now.sight.view, name);
      const rest = [small, isBluff ? "a bluff" : ""].filter((it) => it).join(" · ");
      const tile = make("button", { type: "button", "data-does": each.move, disabled: now.isSending,
        "aria-pressed": String(each.move === choice.now.move) },
      emblem ? cards.emblem(emblem) : make("span", { class: "plainmark", "aria-hidden": "true" }, sign),
      make("b", {}, title), rest ? make("small", { class: isBluff ? "lie" : "" }, rest) : null);
      tile.onclick = () => play(each.move);
      return tile;
    }));
  }

  // ---- the list of all moves

  function showMoves() {
    const { turn } = now;
    get("turn").hidden = turn === null;
    get("turn").dataset.turn = turn === null ? "" : turn.number;
    if (turn === null) return;
    const all = choice.fitting();
    get("count").textContent = turn.more ? `${choice.moves().length} and more` : String(choice.moves().length);
    if (get("searching")) get("searching").hidden = choice.moves().length <= FEW && !turn.more;
    get("moves").replaceChildren(...all.slice(0, SHOWN).map((each, place) => {
      const isChosen = String(each.move === choice.now.move);
      const element = make("button", { type: "button", "aria-pressed": isChosen, "data-move": each.move },
        make("span", { class: "number", "aria-hidden": "true" }, choice.keyOf(each, place)),
        make("span", { class: "what" }, spoken(each.words)));
      element.onclick = () => choose(each.move);
      return make("li", {}, element);
    }));
    const left = all.length - SHOWN;
    const narrow = isOwn() ? "type to filter" : "select cards to filter";
    const find = isOwn() ? "type one to try it" : "select cards to find them";
    get("more").textContent = [left > 0 ? `${left} more moves: ${narrow}.` : "",
      turn.more ? `Not all moves are listed: ${find}.` : ""].filter((it) => it).join(" ");
  }

  function showEnding() {
    const { sight } = now;
    const isOver = ending.isOver(sight);
    get("leave").hidden = isOver;
    if (!isOver) return;
    const isDecided = sight.ending && drawing().decided && sight.view.length > 0;
    const rows = isDecided ? drawing().decided({ lines: sight.view, events: now.events,
      hands: sight.ending.hands, scores: sight.ending.scores, seats: sight.names.length }) : [];
    ending.show(sight, { spoken: (line) => spoken(short(line)), rows });
  }

  // The focus stays on the card or the button that it was on, though all are drawn anew.
  function show() {
    const active = document.activeElement;
    const { card: text, move, does: done } = active ? active.dataset : {};
    const wasInside = active && get("board").contains(active);
    get("stage").hidden = false;
    motion.redraw(get("board"), drawBoard, now.mover);
    tick();
    showMoves();
    showEnding();
    const find = (place, key, value) => value
      && get(place).querySelector(`button[data-${key}="${CSS.escape(value)}"]`);
    const again = find("board", "card", text) || find("board", "does", done) || find("moves", "move", move)
      || (active && active.id && document.getElementById(active.id)) || (wasInside && get("act"));
    if (again && again !== document.activeElement && !get("ending").open) again.focus({ preventScroll: true });
  }

  // The time left of the seat that is asked. The clock is drawn without its time, which goes on by itself.
  function tick() {
    const clock = get("board").querySelector(".clock");
    if (!clock) return;
    const seconds = Math.max(0, Math.ceil((now.due - performance.now()) / 1000));
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    clock.classList.toggle("short", seconds <= SHORT);
  }

  // Adds to what has happened. A game with a script of its own tells its events itself.
  function tell({ from, lines }) {
    const fresh = lines.slice(now.known - from);
    now.known = from + lines.length;
    add(fresh.filter((line) => isOwn() || line.startsWith("the game is void")).map((line) => spoken(short(line))));
  }

  function add(told) {
    get("story").append(...told.map((parts) => make("li", {}, parts.flat(2))));
    if (told.length) get("story").parentElement.scrollTop = get("story").scrollHeight;
  }

  function told(event) {
    const [first, seat, verdict] = words(event);
    const parts = first === "out" ? [`${name(seat)} forfeits: ${verdict}`] : drawing().tell(words(event), name);
    return arbiter.agreeing(parts.flat(2));
  }

  // The events that the seat has seen. The last moves among them are what has just happened.
  function hear({ from, lines }) {
    const fresh = lines.slice(now.heard - from);
    now.heard = from + lines.length;
    now.events.push(...fresh);
    if (!isOwn()) add(fresh.map(told));
    const moved = now.events.slice(-Math.max(1, fresh.length)).filter((event) => /^[0-9]+ /.test(event));
    if (moved.length === 0) return;
    now.told = moved.flatMap(words);
    now.mover = Number(words(moved[moved.length - 1])[0]);
  }

  // ---- the server

  function take(sight) {
    const isNewTurn = (sight.turn ? sight.turn.number : null) !== (now.turn ? now.turn.number : null);
    now.sight = sight;
    now.turn = sight.turn;
    now.due = sight.left_ms === null ? null : performance.now() + sight.left_ms;
    tell(sight.story);
    hear(sight.events);
    if (isNewTurn) {
      now.isSending = false;
      choice.begin(sight.turn, { cardsOf, isCapture: Boolean(drawing().isCapture) });
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
        const address = `state?known=${now.known}&heard=${now.heard}${after}`;
        const response = await fetch(address, { cache: "no-store", signal: asking && asking.signal });
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

  async function play(move) {
    if (!move || now.isSending || !now.turn) return;
    now.isSending = true;
    say("");
    show();
    const body = JSON.stringify({ turn: now.turn.number, move });
    const headers = { "content-type": "application/json" };
    const answer = await send("move", { method: "POST", headers, body });
    if (answer !== null) return;
    now.isSending = false;
    show();
  }

  async function hint() {
    if (!now.turn) return;
    const answer = await send(`hint?turn=${now.turn.number}`);
    if (!answer || !now.turn) return;
    choose(answer.move);
    say(`greedy would play ${answer.move}: ${answer.why}`);
  }

  async function leave() {
    if (window.confirm("Leave the game? It will be void.")) await send("leave", { method: "POST" });
  }

  // ---- keys

  function number(digit) {
    const isOn = Date.now() - now.typed < TYPING;
    now.typed = Date.now();
    now.digits = isOn && choice.keyed(now.digits + digit).isBegun ? now.digits + digit : digit;
    // The numbers are those that are shown: what fits stays as it is while digits come.
    const { move } = choice.keyed(now.digits);
    if (move !== null) { choice.now.move = move; show(); }
  }

  // Goes to the next card or tile, or to the one before.
  function walk(by) {
    const all = [".fan", ".pair2", ".spread", ".tiles"].flatMap((place) =>
      [...get("board").querySelectorAll(`${place} button`)]);
    if (all.length === 0) return;
    const at = all.indexOf(document.activeElement);
    all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length].focus();
  }

  function keys(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !now.turn) return undefined;
    const { target } = event;
    if (target.matches("input") && event.key !== "Enter" && event.key !== "Escape") return undefined;
    const { move } = choice.now;
    const isCard = target.matches("button.card, [data-move], input") || !target.matches("button, a, summary, input");
    if (event.key === "ArrowLeft") walk(-1);
    else if (event.key === "ArrowRight") walk(1);
    else if (/^[0-9]$/.test(event.key)) number(event.key);
    else if (event.key === "Escape") forget();
    else if (event.key === "h" && get("hint")) hint();
    else if (event.key === "Enter" && move !== null && (isCard || target.dataset.does === move)) play(move);
    else return undefined;
    return event.preventDefault();
  }

  document.addEventListener("DOMContentLoaded", () => {
    get("leave").onclick = leave;
    if (get("search")) get("search").oninput = () => { choice.type(get("search").value.trim()); show(); };
    get("deck").onchange = (event) => { document.body.dataset.deck = event.target.checked ? "4" : "2"; };
    document.addEventListener("keydown", keys);
    setInterval(tick, 500);
    follow();
  });
})();
