// The steps of a game, read: what every seat saw after each, and what it was told at one.
"use strict";

arbiter.steps = (() => {
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

  // The lines of the history at a step, as one seat saw them, or all that there are: an event is a
  // text, or [text, owner, what the others saw].
  function events(step, seat) {
    return (step.events || []).flatMap((event) => {
      if (typeof event === "string") return [event];
      const [full, owner, seen] = event;
      return seat === null || seat === owner ? [full] : seen === null ? [] : [seen];
    });
  }

  // The seat whose move these lines tell. A seat is not told whether others were asked for theirs, so
  // this comes from what it saw.
  function mover(lines) {
    const move = lines.map((line) => line.split(" ")[0]).find((word) => /^[0-9]+$/.test(word));
    return move === undefined ? null : Number(move);
  }

  // The last step before the first answer, when the deal is complete. If no one was asked, it is the
  // last step.
  function opening({ steps }) {
    const first = steps.findIndex((step) => step.answer);
    return first < 0 ? Math.max(0, steps.length - 1) : Math.max(0, first - 1);
  }

  // The last step with an answer that was a fault; without one, where a game opens.
  function fault(game) {
    const last = game.steps.findLastIndex((step) => step.answer && step.answer.verdict !== "ok");
    return last < 0 ? opening(game) : last;
  }

  return { views, events, mover, opening, fault };
})();
