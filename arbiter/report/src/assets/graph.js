// Drawings over the steps of a game, as wide as their column: a step has the same place in each of them.
"use strict";

arbiter.graph = (() => {
  const { make } = arbiter;
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
    const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      role: "img", "aria-label": label });
    const picture = make("div", { class: "line" }, svg);
    const across = (value) =>
      svg.append(shape("line", { class: "half", x1: 0, x2: WIDTH, y1: y(value), y2: y(value) }));
    const mark = (place, kind) =>
      svg.append(shape("line", { class: kind, x1: x(place), x2: x(place), y1: 0, y2: HEIGHT }));
    const path = (points) => points.map(({ place, value }) => `${x(place)},${y(value)}`).join(" ");
    // A line through points. A single point is a line of no length, whose ends are round.
    const line = (points, kind) =>
      svg.append(shape("polyline", { class: kind, points: path([...points, points[points.length - 1]]) }));
    // What lies between a line and one end of the axis.
    function area(points, end, kind) {
      const [first, final] = [points[0], points[points.length - 1]].map(({ place }) => x(place));
      svg.append(shape("path", { class: kind, d: `M${first},${y(end)} L${path(points)} L${final},${y(end)} Z` }));
    }
    // A point of its own, which goes to a step.
    function dot({ place, value }, kind, name, to) {
      const button = make("button", { type: "button", class: `dot ${kind}`, "aria-label": name, title: name });
      button.style.left = `${(100 * place) / last}%`;
      button.style.top = `${(100 * y(value)) / HEIGHT}%`;
      button.onclick = () => go(to);
      picture.append(button);
    }
    mark(step, "here");
    svg.onclick = (event) => {
      const { left, width } = svg.getBoundingClientRect();
      go(Math.round(((event.clientX - left) / width) * last));
    };
    return { picture, across, mark, line, area, dot };
  }

  return { drawing };
})();
