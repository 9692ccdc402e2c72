// Keeps the list of games that are being played up to date.
"use strict";

(() => {
  const address = document.querySelector("[data-listed]").dataset.listed;
  // The list is fetched at most this often, and after an error ever more seldom, in milliseconds.
  const [PAUSE, LONGEST] = [1000, 30000];
  let timer = null;
  let pause = PAUSE;

  async function load() {
    timer = null;
    try {
      const response = await fetch(location.pathname, { cache: "no-store" });
      if (!response.ok) throw new Error(response.statusText);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      renewal.take([[document, page].map((it) => it.getElementById("playing"))]);
      pause = PAUSE;
    } catch {
      pause = Math.min(2 * pause, LONGEST);
      later();
    }
  }

  function later() {
    if (timer === null) timer = setTimeout(load, pause);
  }

  streams.follow(address, { changed: later });
})();
