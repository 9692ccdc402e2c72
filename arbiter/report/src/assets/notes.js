// The numbers that bots noted about their own thinking, over the steps of a game: a line for each seat. Beside
// values between 0 and 1 stands what the review of the game says of the same seat, if there is one.
"use strict";

arbiter.notes = (() => {
  const { make } = arbiter;
  const get = (id) => document.getElementById(id);
  const COLOURS = 6;
  let chosen = null;

  // The noted numbers by key, then by seat, in the order of steps.
  function numbers(game, mayKnow) {
    const keys = new Map();
    game.steps.forEach(({ answer }, place) => {
      if (!answer || !answer.notes || !mayKnow(answer.seat)) return;
      for (const [key, text, value] of answer.notes) {
        if (value === undefined) continue;
        if (!keys.has(key)) keys.set(key, new Map());
        const seats = keys.get(key);
        if (!seats.has(answer.seat)) seats.set(answer.seat, []);
        seats.get(answer.seat).push({ place, text, value });
      }
    });
    return keys;
  }

  // The chance of a seat to win at its decisions, as the review has it.
  const reviewed = (game, seat) => game.steps.map(({ answer }, place) => ({ place, answer }))
    .filter(({ answer }) => answer && answer.seat === seat && answer.review)
    .map(({ place, answer }) => ({ place, value: Math.max(...answer.review.moves.map((move) => move.win)) }));

  // Lists the keys, unless it has them already: a list that has the focus keeps it.
  function list(keys) {
    const select = get("noted-key");
    const listed = [...select.options].map((option) => option.value);
    if (listed.length !== keys.length || keys.some((key, place) => key !== listed[place])) {
      select.replaceChildren(...keys.map((key) => make("option", { value: key }, key)));
    }
    const key = keys.includes(chosen) ? chosen : keys[0];
    select.value = key;
    return key;
  }

  // Draws the notes of a game at a step: all of them, or those of a seat that may be known.
  function show(shown) {
    const { game, step, name, mayKnow, go } = shown;
    const keys = numbers(game, mayKnow);
    get("noted").hidden = keys.size === 0;
    if (keys.size === 0) return;
    const key = list([...keys.keys()]);
    get("noted-key").onchange = (event) => { chosen = event.target.value; show(shown); };
    const seats = [...keys.get(key)].sort(([one], [other]) => one - other);
    const points = seats.flatMap(([, all]) => all);
    const by = (better) => points.reduce((best, point) => (better(point.value, best.value) ? point : best));
    const [least, most] = [by((one, best) => one < best), by((one, best) => one > best)];
    const isShare = least.value >= 0 && most.value <= 1;
    const [low, high] = isShare ? [{ text: "0", value: 0 }, { text: "1", value: 1 }] : [least, most];
    const { picture, across, line } = arbiter.graph.drawing({ label: `${key}, step by step, from ${low.text} to ${high.text}`,
      steps: game.steps.length, low: low.value, high: high.value, step, go });
    if (isShare) across(0.5);
    const isReviewed = isShare && seats.map(([seat]) => [seat, reviewed(game, seat)]).filter(([, wins]) => wins.length)
      .map(([seat, wins]) => line(wins, `review colour-${seat % COLOURS}`)).length > 0;
    for (const [seat, all] of seats) line(all, `noted colour-${seat % COLOURS}`);
    // What each seat noted last.
    const legend = seats.map(([seat, all]) => {
      const last = all.filter(({ place }) => place <= step).pop();
      return make("li", { class: `colour-${seat % COLOURS}` }, name(seat), last ? make("b", {}, ` ${last.text}`) : null);
    });
    const end = ({ text }) => make("p", { class: "end", "aria-hidden": "true" }, text);
    get("noted-picture").replaceChildren(make("ul", { class: "legend" }, legend), end(high), picture, end(low),
      ...(isReviewed ? [make("p", { class: "quiet" }, "Dashed: win probability from the review.")] : []));
  }

  return { show };
})();
