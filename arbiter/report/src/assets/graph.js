// Drawings over the steps of a game, as wide as their column: a step has the same place in each of them.
"use strict";

arbiter.graph = (() => {
  const WIDTH = 300;
  const HEIGHT = 80;

  function shape(name, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // A drawing of a game with so many steps, of values between the ends of an axis; a click goes to a step.
  function drawing({ label, steps, low, high, step, go }) {
    const last = Math.max(1, steps - 1);
    const x = (place) => (place / last) * WIDTH;
    // Halves, since the difference of two large numbers need not be finite.
    const half = high / 2 - low / 2;
    const y = (value) => (half > 0 ? (high / 2 - value / 2) / half : 0.5) * HEIGHT;
    const picture = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
    const across = (value) => picture.append(shape("line", { class: "half", x1: 0, x2: WIDTH, y1: y(value), y2: y(value) }));
    // A line through points. A single point is a line of no length, whose ends are round.
    const line = (points, kind) => picture.append(shape("polyline", { class: kind,
      points: [...points, points[points.length - 1]].map(({ place, value }) => `${x(place)},${y(value)}`).join(" ") }));
    const dot = ({ place, value }, kind) => picture.append(shape("circle", { class: kind, cx: x(place), cy: y(value), r: 3 }));
    picture.append(shape("line", { class: "here", x1: x(step), x2: x(step), y1: 0, y2: HEIGHT }));
    picture.onclick = (event) => {
      const { left, width } = picture.getBoundingClientRect();
      go(Math.round(((event.clientX - left) / width) * last));
    };
    return { picture, across, line, dot };
  }

  return { drawing };
})();
