// Shows what has moved: when a table is drawn anew, cards glide from where they were to where they are now, and
// those that are gone go to the seat that has moved. Nothing moves for those who prefer that.
"use strict";

arbiter.motion = (() => {
  const TIME = 320;
  const EASING = "cubic-bezier(.2, .8, .3, 1)";
  const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  function centre(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  // The cards of a board that are there once, with their places.
  function places(board) {
    const found = new Map();
    const twice = new Set();
    for (const element of board.querySelectorAll("[data-card]")) {
      const { card } = element.dataset;
      if (found.has(card)) twice.add(card);
      found.set(card, { element, at: centre(element), width: element.offsetWidth });
    }
    for (const card of twice) found.delete(card);
    return found;
  }

  function glide(element, from, to, more = {}) {
    const [x, y] = [from.x - to.x, from.y - to.y];
    if (Math.hypot(x, y) < 3) return null;
    return element.animate({ translate: [`${x}px ${y}px`, "0 0"], ...more }, { duration: TIME, easing: EASING });
  }

  // A card that is gone, on its way.
  function leave(board, { element, at, width }, to) {
    const frame = board.getBoundingClientRect();
    element.removeAttribute("data-card");
    element.setAttribute("aria-hidden", "true");
    element.setAttribute("tabindex", "-1");
    element.classList.add("gone");
    const height = width * 1.4;
    Object.assign(element.style, { width: `${width}px`, left: `${at.x - frame.left - width / 2}px`,
      top: `${at.y - frame.top - height / 2}px` });
    board.append(element);
    const away = to ? `${to.x - at.x}px ${to.y - at.y}px` : "0 0";
    const going = element.animate({ translate: ["0 0", away], scale: [1, 0.6], opacity: [1, 0] },
      { duration: TIME, easing: "ease-in", fill: "forwards" });
    going.onfinish = () => element.remove();
  }

  // Draws a board anew. The mover is the seat that has moved last, if one has.
  function redraw(board, draw, mover) {
    if (isCalm() || document.hidden) return draw();
    const before = places(board);
    draw();
    if (before.size === 0) return undefined;
    const after = places(board);
    const home = (selector) => {
      const found = board.querySelector(selector);
      return found && centre(found);
    };
    const seat = mover === null ? null : `.seat-box[data-seat="${mover}"]`;
    const source = seat && home(`${seat} .sitter`);
    const pile = seat && (home(`${seat} .pile`) || source);
    for (const [card, { element, at }] of after) {
      const old = before.get(card);
      const from = old ? old.at : element.closest(".seat-box") ? home(".talon") : source;
      if (from) glide(element, from, at, old ? {} : { opacity: [0.2, 1] });
    }
    for (const [card, old] of before) if (!after.has(card)) leave(board, old, pile);
    return undefined;
  }

  return { redraw };
})();
