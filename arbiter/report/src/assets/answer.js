// What a bot answered at a step: its verdict, what it printed, and how long it took.
"use strict";

arbiter.answer = (() => {
  const { make, time } = arbiter;
  const quiet = (text) => make("p", { class: "quiet" }, text);
  const line = (...parts) => make("p", { class: "line" }, ...parts);
  const code = (text) => make("code", { class: "output" }, text);

  // The original of a text that a log holds escaped; invisible characters get a sign.
  function unescaped(text) {
    const bytes = [];
    for (const [part, , hex] of text.matchAll(/\\(\\|n|x([0-9a-f]{2}))|[^\\]/g)) {
      bytes.push(part === "\\\\" ? 92 : part === "\\n" ? 10 : hex ? parseInt(hex, 16) : part.charCodeAt(0));
    }
    return new TextDecoder().decode(new Uint8Array(bytes))
      .replace(/[\u0000-\u0008\u000b-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
      .replace(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, "\ufffd");
  }

  const badge = (verdict) => make("span", { class: `badge ${verdict === "ok" ? "good" : "bad"}` }, verdict);

  function output(title, text, open) {
    return make("details", { open: open ? "" : false }, make("summary", {}, title), make("pre", { class: "output" }, unescaped(text)));
  }

  // A game that is being played has no digest on its page, and files have them in base64.
  const hexadecimal = (base64) => [...atob(base64)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");

  function used({ ms, cpu_ms, waited_ms, referee_waited_ms, escaped }) {
    // Of a game that is being played it is not known.
    return [ms === undefined ? null : time(ms), cpu_ms === undefined ? null : `${time(cpu_ms)} of CPU time`,
      waited_ms === undefined ? null : `${time(waited_ms)} waiting for a CPU`,
      referee_waited_ms === undefined ? null : `${time(referee_waited_ms)} of referee delay`,
      escaped ? `${escaped} leftover processes` : null].filter((it) => it).join(", ");
  }

  function printed({ reply }) {
    const text = unescaped(reply).trimEnd();
    if (text.length > 60 || text.includes("\n")) return output("output", reply, true);
    return line("printed ", code(text === "" ? "nothing" : text));
  }

  // Whether standard error has more than notes, which are shown apart.
  const hasRemarks = ({ stderr }) => Boolean(stderr) && unescaped(stderr).split("\n").some((text) => text !== "" && !text.startsWith("note "));

  function errors(answer) {
    const { stderr, stderr_dropped } = answer;
    if (!stderr) return null;
    const dropped = stderr_dropped ? ` (${stderr_dropped} more bytes discarded)` : "";
    return output(`standard error${dropped}`, stderr, hasRemarks(answer));
  }

  // What the bot noted about its own thinking.
  function noted({ notes }) {
    if (!notes) return null;
    return make("dl", { class: "noted" }, notes.map(([key, text]) => make("div", {}, make("dt", {}, key), make("dd", {}, text))));
  }

  const percent = (part) => `${(100 * part).toFixed(1)}%`;

  const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

  // A mistake, as a sign with its name.
  const marked = (mark) => make("span", { class: "badge bad mistake", title: mark },
    make("span", { "aria-hidden": "true" }, SIGNS[mark] || "?"), make("span", { class: "hidden" }, mark));

  // The judgement of a move.
  function judged({ review }) {
    if (!review) return null;
    const { mark, difference } = review;
    const sign = SIGNS[mark] || "✓";
    const words = mark ? `${mark === "inaccuracy" ? "An" : "A"} ${mark}` : "A sound move";
    return make("div", { class: "judged" },
      make("p", { class: "verdict" }, make("span", { class: `sign ${mark || "sound"}`, "aria-hidden": "true" }, sign), words),
      mark && difference ? line(difference) : null);
  }

  // The different moves by their chance to win, with the one that was played.
  function values({ review }) {
    if (!review) return null;
    const { moves, played, worlds } = review;
    const order = moves.map((_, place) => place).sort((one, other) => moves[other].win - moves[one].win);
    const habits = moves.some((move) => move.habits !== undefined);
    const row = (place) => make("tr", place === played ? { class: "played" } : {},
      make("th", { scope: "row" }, moves[place].move, place === played ? make("span", { class: "hidden" }, " (played)") : null),
      make("td", {}, make("meter", { min: 0, max: 1, value: moves[place].win, "aria-hidden": "true" })),
      make("td", { class: "number" }, percent(moves[place].win)),
      habits ? make("td", { class: "number" }, moves[place].habits === undefined ? "–" : percent(moves[place].habits)) : null);
    const heading = make("tr", {}, make("th", { scope: "col" }, "move"), make("td", {}),
      ["win %", habits ? "vs. this opponent" : null].map((title) => (title ? make("th", { scope: "col", class: "number" }, title) : null)));
    return make("div", { class: "review" },
      make("table", { class: "values" }, make("thead", {}, heading), make("tbody", {}, order.map(row))),
      quiet(worlds ? `Win probability given the information available to this seat, over ${worlds} sampled worlds.` : "Exact win probability: no hidden information left."));
  }

  // A command for a closer look. If a game has several attempts, it is about the last one by default.
  function command(verb, { number, attempt, sequel }, { move }, more = "") {
    const which = sequel === "again" ? `${number} --attempt ${attempt}` : number;
    return make("pre", { class: "command" }, `arbiter ${verb} ${arbiter.index().log} --game ${which} --move ${move}${more}`);
  }

  // The note after a step without an answer, for a viewer of all hands or of one seat. A seat cannot see
  // the requests to others.
  function next(game, place, { seat, name }) {
    const { answer } = game.steps[place + 1] || {};
    if (place === game.steps.length - 1 && game.ending === "playing") return [line("Game in progress.")];
    if (place === game.steps.length - 1) return [line("Final result: ", make("b", {}, arbiter.outcome(game)), ".")];
    if (!answer || (seat !== null && answer.seat !== seat)) return [];
    return [line("Next: ", make("b", {}, name(answer.seat)), ` in seat ${answer.seat}, move ${answer.move}.`)];
  }

  // The answer at a step, for a viewer of all hands or of one seat.
  function told(game, place, { seat, name }) {
    const { answer, unasked } = game.steps[place];
    const after = () => next(game, place, { seat, name });
    if (game.hands === "public") {
      return [quiet("Hands and answers stay hidden until this deal is finished."), ...after()];
    }
    const dealt = !answer && place === arbiter.steps.opening(game) && place < game.steps.length - 1;
    if (seat !== null && (!answer || answer.seat !== seat)) {
      return [dealt ? line("Cards dealt. First decision next.") : null,
        quiet("No request for this seat at this step."), ...after()].filter((it) => it);
    }
    if (dealt) return [line("Cards dealt. First decision next."), ...after()];
    if (!answer && !unasked) return [quiet("Cards are drawn."), ...after()];
    if (!answer) {
      const isOut = game.steps.slice(0, place).some((step) =>
        arbiter.steps.events(step, null).some((event) => event.startsWith("out ")));
      return [quiet(`${isOut ? "Forced, or for a seat that forfeited" : "Forced move"}: no request.`), ...after()];
    }
    const { classic } = answer;
    // Commands are about games of the log.
    const isPlaying = game.ending === "playing";
    return [
      judged(answer),
      line(make("b", {}, name(answer.seat)), " answered ", badge(answer.verdict),
        make("span", { class: "moment" }, `move ${answer.move}${answer.retry ? `, retry ${answer.retry}` : ""}`)),
      answer.detail ? make("p", { class: "detail" }, answer.detail) : null,
      printed(answer),
      classic ? line(`file ${classic.file}, printed `, code(unescaped(classic.printed))) : null,
      quiet(used(answer)),
      noted(answer),
      values(answer),
      answer.verdict === "ok" || isPlaying ? null : command("explain", game, answer),
      isPlaying ? null : make("details", {}, make("summary", {}, "request"), code(`SHA-256 ${hexadecimal(answer.asked)}`),
        command("request", game, answer, answer.retry ? ` --retry ${answer.retry}` : "")),
      errors(answer),
    ].filter((it) => it);
  }

  return { told, badge, marked, hasRemarks };
})();
