// Small helps for the pages of an organiser and of participants: a menu closes by a click elsewhere and by Escape, rows are
// found while a name is typed, and a new token is copied. Each page is whole without them.
"use strict";

(() => {
  const menus = () => [...document.querySelectorAll("details.menu[open]")];

  document.addEventListener("click", async (event) => {
    for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = document.querySelector(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      // Without https there is no clipboard: the text is selected, and the keys of the system copy it.
      getSelection().selectAllChildren(source);
      button.textContent = "Selected: copy it now";
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.firstElementChild.focus();
    }
  });

  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!field.matches("input[data-rows]")) return;
    const wanted = field.value.trim().toLowerCase();
    for (const row of document.querySelectorAll(field.dataset.rows)) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  });
})();
