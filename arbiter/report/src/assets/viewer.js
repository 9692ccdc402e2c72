// The viewer: shows a game step by step, all hands, as one seat saw it, or, while it is being played, as all
// seats see it. It knows no rule. What every seat saw after a step comes with the game; how lines are drawn is
// in the script of each game.
"use strict";

(() => {
  const { make, cards, view, felt, motion, steps, whole } = arbiter;
  const get = (id) => document.getElementById(id);
  const now = { game: null, piece: 0, place: 0, states: [], own: null, step: 0, seat: null, timer: null, heard: [], lit: [], shown: null };

  // A game without a script of its own is drawn by the lines of its views.
  const drawing = () => now.own || arbiter.drawings[arbiter.index().game];
  const ownDrawing = (states) => (arbiter.own ? arbiter.own.drawing(arbiter.index().own || {}, arbiter.own.privates(states)) : null);
  const name = (seat) => arbiter.index().names[now.game.seats[Number(seat)]] || `seat ${seat}`;

  const events = (place) => steps.events(now.game.steps[place], now.seat);
  const mover = (place) => steps.mover(events(place));

  // Whether the hands of a game are hidden from everyone who watches.
  const isCovered = () => now.game.hands === "public";
  const isPlaying = () => now.game.ending === "playing";
  const mayKnow = (seat) => !isCovered() && (now.seat === null || now.seat === seat);

  // Neighbouring texts as one.
  const joined = (parts) => parts.reduce((all, part) => {
    if (part === "") return all;
    const last = all[all.length - 1];
    return typeof part === "string" && typeof last === "string" ? [...all.slice(0, -1), last + part] : [...all, part];
  }, []);

  // A text for people has a seat in braces for its name.
  function tell({ text, tell: told }) {
    if (typeof told === "string") {
      const parts = told.split(/(\{[0-9]+\})/).map((part) => (/^\{[0-9]+\}$/.test(part) ? name(part.slice(1, -1)) : cards.inText(part.split(" "))));
      return arbiter.agreeing(joined(parts.flat(2)));
    }
    const words = text.split(" ");
    if (words[0] === "out") return arbiter.agreeing([`${name(words[1])} forfeits: ${words[2]}`]);
    return arbiter.agreeing(drawing().tell(words, name).flat(2));
  }

  // What happened at a step, in words; nothing if this seat was told nothing.
  function told(step) {
    const lines = steps.lines(now.game.steps[step], now.seat).filter((line) => line.tell !== "");
    const parts = lines.map((line) => tell(line).flat(2));
    const { answer } = now.game.steps[step];
    if (parts.length === 0 && answer && mayKnow(answer.seat)) parts.push([`${name(answer.seat)}: ${answer.verdict}`]);
    return parts.flatMap((part, place) => (place === 0 ? part : [" · ", ...part]));
  }

  // Who has how much, in the order of seats.
  const points = () => now.game.scores.map((score, seat) => `${name(seat)} ${arbiter.signed(score)}`);

  function result() {
    const { game } = now;
    if (game.ending === "void") return `Void: ${game.reason}`;
    return `Result: ${points().join(", ")}${game.ending === "walkover" ? " (walkover)" : ""}`;
  }

  const hasWon = (seat) => !arbiter.isDrawn(now.game) && arbiter.best(now.game).includes(seat);

  // Who played, and how it ended. Of many seats the heading names those that won alone.
  const MOST_IN_TITLE = 4;

  function entitle() {
    const { game } = now;
    const called = `Game ${game.number}` + (game.attempt ? `, attempt ${game.attempt + 1}` : "");
    const isLong = game.seats.length > MOST_IN_TITLE;
    const outcome = arbiter.outcome(game);
    const who = game.scores ? points() : game.seats.map((_, seat) => name(seat));
    document.title = `${called}: ${outcome}, ${isLong ? `${game.seats.length} seats` : who.join(" – ")} · arbiter`;
    get("game-title").replaceChildren(make("span", { class: "called" }, `${called}: `),
      ...(isLong ? [`${game.seats.length} seats, `, outcome] : arbiter.seated(game)));
    const marks = arbiter.remarks(game).filter((text) => text !== outcome).map((text) => make("span", { class: "mark" }, text));
    get("game-about").replaceChildren(...(isLong ? arbiter.seated(game) : [make("b", {}, outcome)]), ` · deal ${game.deal} `, ...marks);
  }

  // ---- the table

  const isLast = () => now.step === now.game.steps.length - 1;
  const isOver = () => isLast() && !isPlaying();

  // A card, lit if it was played at this step.
  function card(text, where, draw = cards.draw) {
    return draw(text, { class: where === "table" && now.lit.includes(text) ? "lit" : "" });
  }

  function seatBox(seat, lines, isBelow) {
    const open = mayKnow(seat);
    const own = now.states[now.step][seat];
    const handOf = drawing().handOf || ((of) => view.list(of, "hand"));
    const drawn = drawing().seat({ lines: open ? own : lines, seat, hand: open ? handOf(own) : null, name, card, events: now.heard });
    const moved = mover(now.step) === seat;
    const out = now.game.steps.slice(0, now.step + 1).some((step) => (step.events || []).some((event) =>
      typeof event === "string" && event.startsWith(`out ${seat} `)));
    const left = open ? steps.clock(now.game, now.step, seat) : null;
    return felt.seat({ name: name(seat), seat, drawn,
      kind: [moved ? "moved" : "", out ? "out" : "", isBelow ? "self" : ""].join(" "),
      marks: [isOver() && hasWon(seat) ? make("span", { class: "mark winner" }, "★ won") : null,
        out ? make("span", { class: "mark" }, "forfeited") : null],
      clock: left === null ? null : make("span", { class: "clock", title: "time left in the bank" }, `${arbiter.time(left)} left`) });
  }

  function showBoard() {
    const below = now.seat === null ? 0 : now.seat;
    const lines = now.states[now.step][below];
    // All that this seat has heard so far, and the cards that were played just now.
    now.heard = now.game.steps.slice(0, now.step + 1).flatMap((step) => steps.events(step, now.seat));
    now.lit = events(now.step).filter((event) => /^[0-9]+ /.test(event)).flatMap((event) => event.split(" ").slice(1));
    const boxes = now.game.seats.map((_, seat) => seatBox(seat, lines, seat === below));
    const others = boxes.map((_, step) => (below + 1 + step) % boxes.length).filter((seat) => seat !== below);
    const ending = () => make("p", { class: "result", id: "result" },
      hasWon(arbiter.best(now.game)[0]) ? make("span", { class: "star", "aria-hidden": "true" }, "★ ") : null,
      make("b", {}, arbiter.outcome(now.game)), make("span", { class: "points" }, result()));
    get("board").dataset.game = arbiter.index().game;
    felt.lay(get("board"), { others: others.map((seat) => boxes[seat]),
      middle: drawing().table({ lines, name, card, events: now.heard }),
      own: boxes[below], below: isOver() ? [ending()] : [] });
  }

  function showAnswer() {
    get("answer").replaceChildren(...arbiter.answer.told(now.game, now.step, { seat: now.seat, name }));
  }

  // ---- the list of steps

  function listSteps() {
    get("moves").replaceChildren(...rows(0));
  }

  // The steps of the list from one on.
  function rows(from) {
    return now.game.steps.slice(from).map((step, behind) => {
      const place = from + behind;
      const fault = step.answer && step.answer.verdict !== "ok" && mayKnow(step.answer.seat) ? step.answer.verdict : null;
      const words = told(place);
      const kind = step.answer && mayKnow(step.answer.seat) || mover(place) !== null ? "asked" : "nature";
      const button = make("button", { type: "button", class: kind },
        make("span", { class: "number", "aria-hidden": "true" }, String(place)),
        make("span", { class: "what" }, words.length ? words : "hidden from this seat"),
        fault ? arbiter.answer.badge(fault) : null,
        isMistake(place) ? arbiter.answer.marked(step.answer.review.mark) : null,
        step.answer && arbiter.answer.hasRemarks(step.answer) && mayKnow(step.answer.seat) ? make("span", { class: "mark", title: "standard error" }, "stderr") : null,
        step.answer && mayKnow(step.answer.seat) ? make("span", { class: "moment" }, `move ${step.answer.move}`) : null);
      button.onclick = () => go(place);
      return make("li", {}, button);
    });
  }

  // ---- the review of a game, if its report has one

  function isMistake(place) {
    const { answer } = now.game.steps[place];
    return Boolean(answer && mayKnow(answer.seat) && answer.review && answer.review.mark);
  }

  // Goes to the next mistake, after the last one to the first.
  function nextMistake() {
    if (!now.game.steps.some(({ answer }) => answer && answer.review)) return undefined;
    const places = now.game.steps.map((_, place) => place).filter(isMistake);
    if (places.length === 0) return say("No significant mistakes in this game.");
    return go(places.find((place) => place > now.step) || places[0]);
  }

  // The chance of seat 0 to win at each decision, by the best move there.
  function chances() {
    return now.game.steps.map(({ answer }, place) => {
      if (!answer || !answer.review || !mayKnow(answer.seat)) return null;
      const win = Math.max(...answer.review.moves.map((move) => move.win));
      return { place, value: answer.seat === 0 ? win : 1 - win };
    }).filter((it) => it);
  }

  function isReviewed() {
    return Boolean(now.game.asked) || now.game.steps.some(({ answer }) => answer && answer.review);
  }

  // The faults by which seats are out: they decided the game, and no move did.
  function faults() {
    return (now.game.out || []).flatMap((fault, seat) => {
      if (!fault) return [];
      const place = now.game.steps.findIndex(({ events }) => (events || []).some((event) =>
        typeof event === "string" && event.startsWith(`out ${seat} `)));
      const button = make("button", { type: "button" }, "show the fault");
      button.onclick = () => go(place);
      return [make("p", { class: "fault" }, `${name(seat)} lost because of a fault (${fault}), not its moves. `, place < 0 ? null : button)];
    });
  }

  // Whether a server can be asked what the moves are worth.
  function canAsk() {
    return Boolean(arbiter.index().reviews) && !isReviewed() && now.piece !== null && Boolean(now.game.places);
  }

  function addReview(game, { steps: reviewed, luck }) {
    for (const [step, moves] of Object.entries(reviewed)) if (game.steps[step] && game.steps[step].answer) game.steps[step].answer.review = moves;
    Object.assign(game, { luck, asked: true });
  }

  // Asks it, and puts the answer into the game.
  async function ask() {
    const { game } = now;
    get("graph").replaceChildren(make("p", { class: "quiet" }, "Reviewing this game…"));
    const isShown = () => now.game && now.game.number === game.number && now.game.attempt === game.attempt;
    try {
      const review = await arbiter.review(game.number, game.attempt);
      // Meanwhile the page may have loaded the game anew.
      for (const one of isShown() ? [game, now.game] : [game]) addReview(one, review);
    } catch {
      say("No review available. The reviewer may be busy: try again in a few seconds.");
    }
    if (!isShown()) return;
    listSteps();
    show();
  }

  // Offers a review of a game that has none yet. While hands are hidden, it is for the author of a bot.
  function offerReview() {
    const { own } = arbiter.index().reviews;
    get("graph").hidden = isCovered() && !own;
    if (get("graph").hidden) return;
    const link = () => make("a", { href: `${own}${now.game.number}` }, "Review your moves");
    const button = make("button", { type: "button" }, "Review this game");
    button.onclick = ask;
    get("graph").replaceChildren(make("p", { class: "quiet" }, isCovered() ? link() : button));
  }

  // The focus stays on the button that it was on, though all are drawn anew.
  function showGraph() {
    const focused = get("graph").contains(document.activeElement) ? document.activeElement.title : null;
    drawGraph();
    const again = focused && get("graph").querySelector(`button[title="${CSS.escape(focused)}"]`);
    if (again) again.focus({ preventScroll: true });
  }

  function drawGraph() {
    if (canAsk()) return offerReview();
    const known = now.game.seats.length === 2 ? chances() : [];
    const lost = isReviewed() ? faults() : [];
    get("graph").hidden = known.length < 2 && lost.length === 0;
    if (known.length < 2) return get("graph").replaceChildren(...lost);
    const { picture, across, mark, line, area, dot } = arbiter.graph.drawing({ label: `Win probability of ${name(0)}, by step`,
      steps: now.game.steps.length, low: 0, high: 1, step: now.step, go });
    area(known, 0, "below");
    area(known, 1, "above");
    across(0.5);
    for (const { step } of now.game.luck ? now.game.luck.deals.slice(1) : []) mark(step, "deal");
    line(known, "chance");
    for (const point of known.filter(({ place }) => isMistake(place))) {
      const { seat, move, review } = now.game.steps[point.place].answer;
      dot(point, review.mark, `${review.mark} of ${name(seat)}, move ${move}`, point.place);
    }
    const here = known.filter(({ place }) => place <= now.step).pop();
    const words = here ? [...arbiter.agreeing([`${name(0)} wins `]), make("b", { class: "chance" }, `${(100 * here.value).toFixed(0)}%`)] : [`Win probability of ${name(0)}`];
    const next = make("button", { type: "button", title: "Next mistake (m)" }, "Next mistake");
    next.onclick = nextMistake;
    const legend = make("ul", { class: "legend" }, ["inaccuracy", "mistake", "blunder"].map((kind) =>
      make("li", {}, make("span", { class: `sign ${kind}`, "aria-hidden": "true" }), kind)));
    get("graph").replaceChildren(...lost, make("p", {}, make("span", {}, words), legend, next), picture);
    return undefined;
  }

  // Shows the luck of each deal, and luck, skill and rest in the results. It reveals all hands.
  function showLuck() {
    const { luck, seats } = now.game;
    get("luck").hidden = !luck || isCovered() || now.seat !== null;
    if (get("luck").hidden) return;
    const percent = (part) => `${(100 * Math.abs(part)).toFixed(1)}%`;
    const signed = (part) => `${part < 0 ? "−" : "+"}${percent(part)}`;
    const deal = ({ step }, place) => {
      const button = make("button", { type: "button", title: `Go to deal ${place + 1}`, "aria-label": `Go to deal ${place + 1}` }, place + 1);
      button.onclick = () => go(step);
      return make("th", { scope: "col" }, button);
    };
    const heading = make("tr", {}, make("th", { scope: "col" }, "luck per deal"), ...luck.deals.map(deal), make("th", { scope: "col" }, "all"));
    const row = (_, seat) => make("tr", {}, make("th", { scope: "row" }, name(seat)),
      ...luck.deals.map(({ win }) => make("td", { class: "number" }, signed(win[seat]))),
      make("td", { class: "number" }, signed(luck.accounts[seat].luck)));
    const parts = ({ result, luck: cards, skill, rest }, seat) => {
      if (skill === null) return null;
      const sum = [[cards, "luck"], [skill, "skill"], [rest, "rest"]].map(([part, word]) => ` ${part < 0 ? "−" : "+"} ${percent(part)} ${word}`);
      return make("p", { class: "quiet" }, `${name(seat)}: ${(100 * result).toFixed(0)}% = 50%${sum.join("")}`);
    };
    const table = make("table", {}, make("thead", {}, heading), make("tbody", {}, seats.map(row)));
    get("luck").replaceChildren(make("div", { class: "scroll" }, table), ...luck.accounts.map(parts).filter((it) => it));
  }

  function markStep() {
    const list = get("moves");
    const before = list.querySelector("[aria-current]");
    if (before) before.removeAttribute("aria-current");
    const button = list.children[now.step].firstChild;
    button.setAttribute("aria-current", "step");
    // Not scrollIntoView, which would scroll the page away from the table on a phone. What lies in the
    // list has its place in it as an offset, since the style gives the list a position.
    const [top, height] = [button.offsetTop, button.offsetHeight];
    const isSeen = top >= list.scrollTop && top + height <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = top + height / 2 - list.clientHeight / 2;
  }

  // ---- steps

  function show() {
    const last = now.game.steps.length - 1;
    // Cards glide from one step to the next alone.
    const isNext = now.shown !== null && now.shown.game === now.game && now.step === now.shown.step + 1;
    if (isNext) motion.redraw(get("board"), showBoard, mover(now.step));
    else showBoard();
    now.shown = { game: now.game, step: now.step };
    showAnswer();
    showGraph();
    showLuck();
    if (arbiter.notes) arbiter.notes.show({ game: now.game, step: now.step, name, mayKnow, go });
    markStep();
    const words = told(now.step);
    get("told").replaceChildren(...(words.length ? words : ["Hidden from this seat."]));
    if (isOver()) get("told").append(make("span", { class: "hidden" }, ` ${arbiter.outcome(now.game)}. ${result()}`));
    get("position").value = now.step;
    get("position").setAttribute("aria-valuetext", `step ${now.step} of ${last}`);
    get("place").textContent = `step ${now.step} of ${last}`;
    for (const id of ["first", "back"]) get(id).disabled = now.step === 0;
    for (const id of ["forward", "last"]) get(id).disabled = now.step === last;
    if (!document.querySelector("[data-watched]")) address.change();
  }

  // The address that leads to this step.
  const address = arbiter.address(() => [`game=${now.game.number}`, now.game.attempt ? `attempt=${now.game.attempt}` : null,
    `step=${now.step}`, now.seat === null ? null : `seat=${now.seat}`].filter((it) => it));

  function go(step) {
    say("");
    now.step = Math.max(0, Math.min(step, now.game.steps.length - 1));
    if (isLast()) stop();
    show();
  }

  function stop() {
    clearInterval(now.timer);
    now.timer = null;
    label(false);
  }

  function label(isPlaying) {
    const word = isPlaying ? "Pause" : "Play";
    get("play").classList.toggle("on", isPlaying);
    get("play").querySelector("span").textContent = word;
    get("play").setAttribute("aria-label", word);
  }

  function play() {
    if (now.timer !== null) return stop();
    if (isLast()) now.step = 0;
    now.timer = setInterval(() => go(now.step + 1), Number(get("speed").value));
    label(true);
    show();
  }

  // Shows all hands, or what one seat saw.
  function look(seat) {
    now.seat = seat;
    get("view").value = now.seat === null ? "" : String(now.seat);
    listSteps();
  }

  // ---- games

  // The last piece that begins with this game or one before.
  function pieceOf(number, attempt) {
    const { pieces } = arbiter.index();
    const later = pieces.findIndex(([first, again]) => first > number || (first === number && again > attempt));
    return (later === -1 ? pieces.length : later) - 1;
  }

  function say(message) {
    get("message").textContent = message;
    get("message").hidden = message === "";
  }

  // Says why there is nothing to show.
  function miss(message) {
    stop();
    address.forget();
    now.game = null;
    document.title = "Game · arbiter";
    get("game-title").textContent = "Game";
    get("game-about").textContent = "";
    get("stage").hidden = true;
    say(message);
  }

  let turn = 0;
  async function open(number, attempt, place) {
    turn += 1;
    const mine = turn;
    const piece = pieceOf(number, attempt);
    const games = piece < 0 ? [] : await arbiter.piece(piece);
    // Meanwhile another game may have been asked for.
    if (mine !== turn) return;
    const found = games.findIndex((game) => game.number === number && game.attempt === attempt);
    if (found < 0) miss(`No game ${number}${attempt ? `, attempt ${attempt + 1},` : ""} in this report.`);
    else take(piece, found, games, place);
  }

  function take(piece, place, games, asked) {
    const isLastOfPiece = place === games.length - 1;
    load(games[place], { piece, place });
    get("game-before").disabled = piece === 0 && place === 0;
    get("game-after").disabled = piece === arbiter.index().pieces.length - 1 && isLastOfPiece;
    if (now.game.steps.length === 0) say("This game has no steps.");
    else put(asked);
  }

  function load(game, where) {
    stop();
    steps.complete(game);
    // A page that has changed loads games anew, without what a server was asked for.
    const known = arbiter.reviewOf(game);
    if (known) addReview(game, known);
    const states = steps.views(game);
    Object.assign(now, { game, ...where, states, own: ownDrawing(states) });
    get("stage").hidden = game.steps.length === 0;
    entitle();
    get("position").max = game.steps.length - 1;
    const seats = isCovered() ? [] : game.seats;
    get("view").replaceChildren(make("option", { value: "" }, isCovered() ? "spectator view" : "all hands"),
      ...seats.map((_, each) => make("option", { value: each }, `seat ${each}, ${name(each)}`)));
  }

  // ---- a game that is being played

  // Shows a game as far as it has come.
  function watch(game) {
    load(game, { piece: null, place: 0 });
    for (const id of ["game-before", "game-after"]) get(id).disabled = true;
    if (game.steps.length === 0) return say("The game has not started.");
    say("");
    look(null);
    go(game.steps.length - 1);
  }

  // Adds what has happened since. Who is at the last step goes on with the game; who looks at another one stays
  // there.
  function grow(more) {
    const before = now.game.steps.length;
    const follows = before === 0 || (isLast() && now.timer === null);
    const game = steps.complete({ ...now.game, ...more, steps: [...now.game.steps.slice(0, more.from), ...more.steps] });
    if (before === 0) return watch(game);
    const states = steps.views(game);
    Object.assign(now, { game, states, own: ownDrawing(states) });
    entitle();
    get("position").max = game.steps.length - 1;
    get("moves").append(...rows(before));
    if (follows) return go(game.steps.length - 1);
    show();
    const added = game.steps.length - 1 - now.step;
    if (now.timer === null) say(`${added} new step${added === 1 ? "" : "s"}. Press End for the latest.`);
    return undefined;
  }

  // Shows the game of the log in the place of the one that was watched, where it is there by now. Says how it is
  // there: `missing`, `covered` if the hands are still hidden, or `open`.
  async function finish(number) {
    const piece = pieceOf(number, Infinity);
    const games = piece < 0 ? [] : await arbiter.piece(piece);
    const found = games.map((game) => game.number).lastIndexOf(number);
    if (found < 0) {
      arbiter.forget(piece);
      return "missing";
    }
    exchange(piece, found, games);
    return isCovered() ? "covered" : "open";
  }

  // Shows a game of the log where the same one was shown that was not over, or whose hands were hidden, at the
  // same place.
  function exchange(piece, place, games) {
    const [before, game] = [now.game, games[place]];
    const isSame = before && before.number === game.number && before.attempt === game.attempt && before.steps.length > 0;
    if (isSame && before.ending === game.ending && before.hands === game.hands) return;
    const wasPlaying = now.timer !== null;
    take(piece, place, games, isSame ? { step: String(steps.same(game, before, now.step)) } : {});
    if (wasPlaying) play();
  }

  // Once all games of a deal are over, a served page shows all hands of the one that is looked at.
  async function uncover() {
    if (!now.game || !isCovered() || now.piece === null) return;
    const { number, attempt } = now.game;
    await arbiter.refresh();
    const piece = pieceOf(number, attempt);
    const games = await arbiter.piece(piece);
    const found = games.findIndex((game) => game.number === number && game.attempt === attempt);
    const isShown = now.game && now.game.number === number && now.game.attempt === attempt;
    if (found >= 0 && isShown) exchange(piece, found, games);
  }

  // Goes to the step and the seat of an address, and reports unknown values. Without a step it goes to
  // the first decision, after the deal.
  function put({ move = "", step = String(move === "" ? steps.opening(now.game) : steps.ofMove(now.game, whole(move))), seat = "", review = "" }) {
    if (step === "fault") step = String(steps.fault(now.game));
    const last = now.game.steps.length - 1;
    const [atStep, atSeat] = [whole(step), whole(seat)];
    const notes = [
      atStep === null ? `No step “${step}”; showing the first.` : null,
      atStep > last ? `No step ${step}; showing the last.` : null,
      seat !== "" && !(atSeat in now.game.seats) ? `No seat “${seat}”; showing all hands.` : null,
    ];
    look(atSeat in now.game.seats ? atSeat : null);
    go(atStep || 0);
    say(notes.filter((note) => note).join(" "));
    // A link may ask for the review at once.
    if (review === "now" && canAsk() && !isCovered()) ask();
  }

  async function neighbour(by) {
    // A game that is being played has none.
    if (now.piece === null) return;
    const games = await arbiter.piece(now.piece);
    let [piece, place] = [now.piece, now.place + by];
    if (place < 0 || place >= games.length) {
      piece += by;
      if (piece < 0 || piece >= arbiter.index().pieces.length) return;
      place = by > 0 ? 0 : (await arbiter.piece(piece)).length - 1;
    }
    take(piece, place, await arbiter.piece(piece), now.seat === null ? {} : { seat: String(now.seat) });
  }

  function follow() {
    if (address.isOwn()) return;
    const { game = get("main").dataset.game || "0", attempt = "0", ...place } = arbiter.hash();
    const [number, again] = [whole(game), whole(attempt)];
    if (number === null) return miss(`Invalid game number “${game}”.`);
    if (again === null) return miss(`Invalid attempt “${attempt}”.`);
    const isShown = now.game && now.game.number === number && now.game.attempt === again;
    if (isShown && now.game.steps.length) return put(place);
    open(number, again, place).catch((error) => miss(error.message));
  }

  // ---- the screen, and links

  // Only the table and its buttons, on all of the screen where the browser lets a page have it.
  function fill() {
    const isFull = !document.body.classList.contains("full");
    document.body.classList.toggle("full", isFull);
    get("full").setAttribute("aria-pressed", String(isFull));
    if (isFull && document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => {});
    if (!isFull && document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }

  // The browser may leave it at a key of its own.
  function unfill() {
    if (!document.fullscreenElement && document.body.classList.contains("full")) fill();
  }

  async function copyLink() {
    const link = `${location.href.split("#")[0]}#${address.parts().join("&")}`;
    try {
      await navigator.clipboard.writeText(link);
      say("The link to this step is copied.");
    } catch {
      say(`The link to this step: ${link}`);
    }
  }

  function keys(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !now.game || get("stage").hidden) return;
    const { tagName, type } = event.target;
    if (tagName === "SELECT" || tagName === "TEXTAREA" || (tagName === "INPUT" && type !== "range")) return;
    // A button that has the focus takes the space bar itself.
    if (event.key === " " && (tagName === "BUTTON" || tagName === "SUMMARY" || tagName === "A")) return;
    const action = {
      ArrowLeft: () => go(now.step - 1), ArrowRight: () => go(now.step + 1),
      Home: () => go(0), End: () => go(now.game.steps.length - 1), " ": play,
      m: nextMistake, f: fill, "[": () => neighbour(-1), "]": () => neighbour(1),
      v: () => { look(isCovered() ? null : now.seat === null ? 0 : now.seat + 1 in now.game.seats ? now.seat + 1 : null); show(); },
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  arbiter.viewer = { watch, grow, finish };

  document.addEventListener("DOMContentLoaded", () => {
    if (!arbiter.index()) return say("Report data missing. Keep the folder “data” beside the pages.");
    get("first").onclick = () => go(0);
    get("back").onclick = () => go(now.step - 1);
    get("forward").onclick = () => go(now.step + 1);
    get("last").onclick = () => go(now.game.steps.length - 1);
    get("play").onclick = play;
    get("position").oninput = (event) => go(Number(event.target.value));
    get("speed").onchange = () => { if (now.timer !== null) { stop(); play(); } };
    get("view").onchange = (event) => { look(whole(event.target.value)); show(); };
    get("game-before").onclick = () => neighbour(-1);
    get("game-after").onclick = () => neighbour(1);
    get("full").onclick = fill;
    get("link").onclick = copyLink;
    document.addEventListener("fullscreenchange", unfill);
    // Rows get higher or lower with the width of the window: the present step stays in sight.
    new ResizeObserver(() => get("moves").children[now.step] && markStep()).observe(get("moves"));
    document.addEventListener("keydown", keys);
    // The page of a game that is being played is about that one, and has a script that fetches it.
    if (document.querySelector("[data-watched]")) return;
    window.addEventListener("hashchange", follow);
    document.addEventListener("arbiter:changed", () => uncover().catch(() => {}));
    follow();
  });
})();
