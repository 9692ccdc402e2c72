// The steps of a game, read: what every seat saw after each, and what it was told at one.
"use strict";

arbiter.steps = (() => {
  // Adds to the answers of a game what files leave out: the verdict on a legal move, and the seat and the output if
  // they are the first event.
  function complete(game) {
    for (const { answer, events } of game.steps.filter((step) => step.answer)) {
      answer.verdict ??= "ok";
      if (answer.reply !== undefined) continue;
      const [seat, ...reply] = [events[0]].flat()[0].split(" ");
      Object.assign(answer, { seat: Number(seat), reply: reply.join(" ") });
    }
    return game;
  }

  // The views of all seats after each step: a step holds only the lines that changed.
  function views(game) {
    let seen = game.seats.map(() => []);
    return game.steps.map((step) => {
      seen = seen.map((lines, seat) => {
        const changed = { ...(step.all || {}), ...((step.own || {})[seat] || {}) };
        if (Object.keys(changed).length === 0) return lines;
        const after = [...lines];
        for (const [place, line] of Object.entries(changed)) after[place] = line;
        return after.filter((line) => line !== null);
      });
      return seen;
    });
  }

  // What the clock of a seat shows after a step, in milliseconds; nothing if it has none.
  function clock(game, place, seat) {
    const last = game.steps.slice(0, place + 1).findLast((step) => step.clocks);
    return last ? last.clocks[seat] : null;
  }

  // The lines of the history at a step, as one seat saw them, or all that there are. An event is a text, or
  // [text, owner, what the others saw, the text for people, and that for people on other seats]; without an
  // owner all saw all of it.
  function lines(step, seat) {
    return (step.events || []).flatMap((event) => {
      if (typeof event === "string") return [{ text: event }];
      const [full, owner, seen, tell, others] = event;
      if (seat === null || owner === null || seat === owner) return [{ text: full, tell }];
      return seen === null ? [] : [{ text: seen, tell: others }];
    });
  }

  const events = (step, seat) => lines(step, seat).map(({ text }) => text);

  // The seat whose move these lines tell. A seat is not told whether others were asked for theirs, so
  // this comes from what it saw.
  function mover(lines) {
    const move = lines.map((line) => line.split(" ")[0]).find((word) => /^[0-9]+$/.test(word));
    return move === undefined ? null : Number(move);
  }

  // The last step before the first answer, when the deal is complete. If no one was asked, it is the
  // last step. Of a game whose answers are hidden, it is the first one.
  function opening({ steps, hands }) {
    if (hands === "public") return 0;
    const first = steps.findIndex((step) => step.answer);
    return first < 0 ? Math.max(0, steps.length - 1) : Math.max(0, first - 1);
  }

  // The last step with an answer that was a fault; without one, where a game opens.
  function fault(game) {
    const last = game.steps.findLastIndex((step) => step.answer && step.answer.verdict !== "ok");
    return last < 0 ? opening(game) : last;
  }

  // The step of a move, by its number among all; without one, where a game opens.
  function ofMove(game, move) {
    const last = game.steps.findLastIndex((step) => step.answer && step.answer.move === move);
    return last < 0 ? opening(game) : last;
  }

  // How many lines all seats were told up to a step.
  function known({ steps }, place) {
    const all = (event) => typeof event === "string" || event[2] !== null;
    return steps.slice(0, place + 1).reduce((sum, step) => sum + (step.events || []).filter(all).length, 0);
  }

  // The step of a game at which it is where another one is at a step: the same game, told to others.
  function same(game, other, place) {
    if (place === other.steps.length - 1) return game.steps.length - 1;
    const lines = known(other, place);
    const at = game.steps.findIndex((_, each) => known(game, each) >= lines);
    return at < 0 ? game.steps.length - 1 : at;
  }

  return { complete, views, clock, lines, events, mover, opening, fault, ofMove, same };
})();
