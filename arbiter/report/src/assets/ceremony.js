// Reveals one place at a time, from the last to the first, in two steps each: a card face down, and turned over.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const by = (id) => document.getElementById(id);
  const all = [...by("places").children].map((item) => ({
    place: item.querySelector("b").textContent,
    names: item.querySelector("h2").textContent,
    how: item.querySelector("p").textContent,
    game: item.querySelector("a")?.getAttribute("href"),
  }));
  if (!all.length) return;
  const LAST = 2 * all.length - 1;
  const TITLES = { 1: "The winner", 2: "Second place", 3: "Third place", 4: "Fourth place" };
  const LONG = 14;
  let at = Math.min(Number(new URLSearchParams(location.hash.slice(1)).get("at")) || 0, LAST);

  function element(name, content, attributes = {}) {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(content);
    return made;
  }

  function show() {
    const it = all[at >> 1];
    const isOpen = at % 2 === 1;
    const card = by("flip").firstElementChild;
    card.classList.toggle("open", isOpen);
    card.querySelector(".front").textContent = isOpen ? it.place : "";
    document.querySelector(".ceremony").classList.toggle("is-first", isOpen && it.place === "1");
    const title = element("div", TITLES[it.place] || `${/\d\D/.test(it.place) ? "Places" : "Place"} ${it.place}`, { className: "nth" });
    const words = [title];
    if (isOpen) {
      words.push(element("h2", it.names, { className: it.names.length > LONG ? "many" : "" }), element("p", it.how));
      if (it.game) words.push(element("a", "The decisive game", { className: "btn", href: it.game, id: "game" }));
    } else {
      const hidden = element("h2", "?", { className: "unknown" });
      hidden.setAttribute("aria-hidden", "true");
      words.push(hidden);
    }
    by("words").className = isOpen ? "words in" : "words";
    by("words").replaceChildren(...words);
    const known = all.slice(0, (at + 1) >> 1).filter(({ names }) => names.length <= LONG).reverse();
    by("revealed").replaceChildren(...known.map(({ place, names }) => {
      const item = element("li", element("b", place));
      item.append(names);
      return item;
    }));
    by("next").disabled = at === LAST;
    by("back").disabled = at === 0;
    history.replaceState(null, "", `#at=${at}`);
  }

  function go(to) {
    at = Math.max(0, Math.min(LAST, to));
    show();
  }

  const full = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  const STEPS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };

  by("places").hidden = true;
  for (const id of ["show", "foot", "full"]) by(id).hidden = false;
  by("next").addEventListener("click", () => go(at + 1));
  by("back").addEventListener("click", () => go(at - 1));
  by("full").addEventListener("click", full);
  document.addEventListener("keydown", (event) => {
    const isPressed = event.key === " " && event.target.closest("button, a");
    if (event.ctrlKey || event.altKey || event.metaKey || isPressed) return;
    if (STEPS[event.key]) { event.preventDefault(); go(at + STEPS[event.key]); }
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(LAST);
    else if (event.key === "f") full();
    else if (event.key === "g") by("game")?.click();
  });
  show();
});
