// Keeps a served page up to date: when its source has changed, the page is asked for again, and what is
// different takes the place of what was there. What a reader has opened stays open.
"use strict";

(() => {
  const address = document.body.dataset.events;
  if (!address) return;
  // Pages are asked for again at most this often, and after an error ever more seldom, in milliseconds.
  const [PAUSE, LONGEST] = [1000, 30000];
  let known = null;
  let timer = null;
  let pause = PAUSE;
  let isLoading = false;
  let isStale = false;
  // What the server has said of the page: its version as a whole, and that of each of its parts.
  let version = null;
  let versions = "none";

  // The parts of a page that are replaced, each as a whole.
  const parts = (page) => [...page.querySelectorAll("#top, main section[id], main [data-live], footer")]
    .filter((part) => !part.hasAttribute("data-own"));
  const name = (part) => part.id || part.dataset.live || part.tagName;

  function take(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const there = new Map(parts(document).map((part) => [name(part), part]));
    const pairs = [];
    let last = null;
    for (const part of parts(page)) {
      const before = there.get(name(part));
      there.delete(name(part));
      if (!before) {
        // A section that has come stands behind the one before it.
        const fresh = document.adoptNode(part);
        if (last) last.after(fresh);
        else document.querySelector("main").prepend(fresh);
        last = fresh;
        continue;
      }
      // The list of games looks after itself, and what is the same was not sent.
      if (before.id !== "games" && part.dataset.same === undefined) pairs.push([before, part]);
      last = before;
    }
    for (const gone of there.values()) gone.remove();
    renewal.take(pairs);
    // A page that looks after its heading has its own title.
    if (parts(page).some((part) => part.matches("#top"))) document.title = page.title;
    document.dispatchEvent(new CustomEvent("arbiter:changed"));
  }

  async function load() {
    if (isLoading) { isStale = true; return; }
    isLoading = true;
    let isDone = false;
    try {
      const headers = { "Accept": "text/html", "Arbiter-Parts": versions };
      if (version) headers["If-None-Match"] = version;
      const response = await fetch(location.pathname + location.search, { headers, cache: "no-store" });
      const isPage = (response.headers.get("Content-Type") || "").startsWith("text/html");
      isDone = response.status === 304 || response.ok || response.status < 500;
      if (response.ok && isPage) {
        take(await response.text());
        version = response.headers.get("ETag");
        versions = response.headers.get("Arbiter-Parts") || "none";
      }
    } catch {
      isDone = false;
    }
    isLoading = false;
    pause = isDone ? PAUSE : Math.min(2 * pause, LONGEST);
    if (isStale || !isDone) { isStale = false; later(); }
  }

  function later() {
    if (timer !== null) return;
    timer = setTimeout(() => { timer = null; load(); }, pause);
  }

  streams.follow(address, {
    // Another server may answer next, which counts anew.
    open: () => { known = null; },
    // The first one comes at once: the source may have changed since the page was made.
    changed: ({ data }) => {
      if (data === known) return;
      known = data;
      later();
    },
  });
})();
