// Keeps the list of games that are being played up to date.
"use strict";

(() => {
  const address = document.querySelector("[data-listed]").dataset.listed;
  // The list is fetched at most this often, in milliseconds.
  const PAUSE = 1000;
  let timer = null;

  async function load() {
    timer = null;
    try {
      const response = await fetch(location.pathname, { cache: "no-store" });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const [before, after] = [document, page].map((it) => it.getElementById("playing"));
      const focused = document.activeElement && document.activeElement.getAttribute("href");
      before.replaceWith(document.adoptNode(after));
      if (focused) after.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
    } catch {
      // The server is gone for a while; the events say when it is back.
    }
  }

  const events = new EventSource(address);
  events.addEventListener("changed", () => {
    if (timer === null && !document.hidden) timer = setTimeout(load, PAUSE);
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && timer === null) load(); });
  window.addEventListener("pagehide", () => events.close());
  // A page that a browser has kept, and shows again, stands still.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
