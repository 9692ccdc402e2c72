// What the pages have beside the scripts of mdBook, so that a keyboard and a screen reader reach all of them.
"use strict";

(() => {
  // A label is no button: it cannot be reached by a key, nor say whether the contents are shown.
  const label = document.querySelector("#mdbook-sidebar-toggle");
  const shown = document.querySelector("#mdbook-sidebar-toggle-anchor");
  if (label && shown) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = label.className;
    button.title = label.title;
    button.setAttribute("aria-label", label.title);
    button.setAttribute("aria-controls", "mdbook-sidebar");
    button.append(...label.cloneNode(true).childNodes);
    const tell = () => button.setAttribute("aria-expanded", String(shown.checked));
    tell();
    shown.addEventListener("change", tell);
    button.addEventListener("click", () => label.click());
    label.before(button);
    label.style.display = "none";
  }

  document.querySelector("#mdbook-menu-bar")?.setAttribute("role", "banner");

  // The corner of a table heads nothing.
  for (const corner of document.querySelectorAll("main th:empty")) {
    corner.replaceWith(document.createElement("td"));
  }

  // What can be scrolled can be reached by a key.
  const wide = new ResizeObserver((changed) => {
    for (const { target } of changed) {
      const isWider = target.scrollWidth > target.clientWidth;
      if (isWider) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const region of document.querySelectorAll("main pre > code, main .table-wrapper")) wide.observe(region);
})();
