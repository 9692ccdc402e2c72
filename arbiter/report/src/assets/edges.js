// What is wider than the page and can be scrolled fades at each edge behind which there is more.
"use strict";

(() => {
  function mark(region) {
    const left = region.scrollLeft;
    const right = region.scrollWidth - region.clientWidth - left;
    // A part of a pixel cannot be scrolled to.
    const more = [left > 1 && "left", right > 1 && "right"].filter((side) => side);
    if (more.length) region.dataset.more = more.join(" ");
    else delete region.dataset.more;
  }

  // The page that is shown stands in the middle of the bar, as far as that goes.
  function center(bar) {
    const current = bar.querySelector("[aria-current]");
    if (!current) return;
    const [whole, own] = [bar, current].map((it) => it.getBoundingClientRect());
    bar.scrollLeft += own.left + own.width / 2 - whole.left - whole.width / 2;
  }

  const known = new WeakSet();

  function find() {
    for (const region of document.querySelectorAll(".scroll, nav[aria-label=Sections], nav[aria-label=Pages], .bracket")) {
      if (known.has(region)) continue;
      known.add(region);
      const observer = new ResizeObserver(() => {
        if (region.matches("nav")) center(region);
        mark(region);
      });
      for (const each of [region, ...region.children]) observer.observe(each);
      region.addEventListener("scroll", () => mark(region), { passive: true });
    }
  }

  document.addEventListener("DOMContentLoaded", find);
  // A served page that has changed may have new ones.
  document.addEventListener("arbiter:changed", find);
})();
