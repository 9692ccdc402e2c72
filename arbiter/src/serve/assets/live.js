// Keeps a served page up to date: when its source has changed, the page is asked for again, and what is
// different takes the place of what was there. What a reader has opened stays open.
"use strict";

(() => {
  const address = document.body.dataset.events;
  if (!address) return;
  // Pages are asked for again at most this often, in milliseconds.
  const PAUSE = 1000;
  let known = null;
  let timer = null;
  let isLoading = false;
  let isStale = false;

  // The parts of a page that are replaced, each as a whole.
  const parts = (page) => [...page.querySelectorAll("header.top, main section[id], main [data-live], footer")]
    .filter((part) => !part.hasAttribute("data-own"));
  const name = (part) => part.id || part.dataset.live || part.tagName;

  function keepOpen(before, after) {
    const open = [...before.querySelectorAll("details")].map((details) => details.open);
    [...after.querySelectorAll("details")].forEach((details, place) => { details.open = open[place] || details.open; });
    const sides = [...before.querySelectorAll(".scroll")].map((region) => region.scrollLeft);
    return () => [...after.querySelectorAll(".scroll")].forEach((region, place) => { region.scrollLeft = sides[place] || 0; });
  }

  function take(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const there = new Map(parts(document).map((part) => [name(part), part]));
    let last = null;
    for (const part of parts(page)) {
      const before = there.get(name(part));
      there.delete(name(part));
      if (!before) {
        // A section that has come stands behind the one before it.
        last.after(document.adoptNode(part));
        last = part;
      } else if (before.id === "games" || before.innerHTML === part.innerHTML) {
        // The list of games looks after itself.
        last = before;
      } else {
        const restore = keepOpen(before, part);
        before.replaceWith(document.adoptNode(part));
        restore();
        last = part;
      }
    }
    for (const gone of there.values()) gone.remove();
    // A page that looks after its heading has its own title.
    if (parts(page).some((part) => part.matches("header.top"))) document.title = page.title;
    document.dispatchEvent(new CustomEvent("arbiter:changed"));
  }

  async function load() {
    if (isLoading) { isStale = true; return; }
    isLoading = true;
    try {
      const response = await fetch(location.pathname + location.search, { headers: { "Accept": "text/html" }, cache: "no-store" });
      const isPage = (response.headers.get("Content-Type") || "").startsWith("text/html");
      if (response.ok && isPage) take(await response.text());
    } catch {
      // The server is gone for a while; the events say when it is back.
    }
    isLoading = false;
    if (isStale) { isStale = false; later(); }
  }

  function later() {
    if (timer !== null) return;
    timer = setTimeout(() => { timer = null; load(); }, PAUSE);
  }

  const events = new EventSource(address);
  events.addEventListener("changed", (event) => {
    // The first one comes at once: the source may have changed since the page was made.
    if (event.data === known) return;
    known = event.data;
    if (document.hidden) isStale = true; else later();
  });
  // Another server may answer next, which counts anew.
  events.addEventListener("error", () => { known = null; });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && isStale) { isStale = false; later(); }
  });
  window.addEventListener("pagehide", () => events.close());
  // A page that a browser has kept, and shows again, stands still.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
