// Streams of events. A browser opens six connections to a server at most, whatever the number of its tabs. So
// only pages that can be seen keep a stream, and only the few that were shown last; others look for a moment from
// time to time. A stream that breaks, or that a proxy answers with an error, is opened again after a wait that grows.
"use strict";

const streams = (() => {
  // How many pages of one browser keep a stream.
  const MOST = 3;
  // How long it is between two looks of any other page, and how long such a look takes at most, in milliseconds.
  const [PAUSE, LOOK] = [10000, 3000];
  // After this time without an event a stream is opened anew: nothing else says that a connection is dead.
  const SILENCE = 60000;
  // The first wait after an error, and the longest one.
  const [SHORTEST, LONGEST] = [1000, 30000];

  // Follows the events at an address: `takers` has a function for each kind, and `open` for each new stream.
  // The result ends that.
  function follow(address, takers) {
    const own = `${Date.now()} ${Math.random()}`;
    // When the pages were heard of whose streams are newer than that of this page.
    const newer = new Map();
    const channel = window.BroadcastChannel ? new BroadcastChannel("arbiter streams") : null;
    let events = null;
    let timer = null;
    let wait = SHORTEST;
    let isOver = false;

    const tell = (what) => { if (channel) channel.postMessage({ what, page: own }); };

    function isCrowded() {
      for (const [page, heard] of newer) if (Date.now() - heard > 2 * SILENCE) newer.delete(page);
      return newer.size >= MOST;
    }

    function close() {
      clearTimeout(timer);
      timer = null;
      if (events === null) return;
      events.close();
      events = null;
      tell("closed");
    }

    function again(pause) {
      close();
      if (!isOver && !document.hidden) timer = setTimeout(open, pause);
    }

    // After an event, or after none for long.
    function goOn() {
      if (events === null) return;
      clearTimeout(timer);
      if (isCrowded()) again(PAUSE);
      else timer = setTimeout(again, SILENCE, 0);
    }

    function open() {
      close();
      if (isOver || document.hidden) return;
      const opened = new EventSource(address);
      events = opened;
      if (isCrowded()) {
        timer = setTimeout(again, LOOK, PAUSE);
      } else {
        newer.clear();
        tell("opened");
        timer = setTimeout(again, SILENCE, 0);
      }
      for (const [kind, take] of Object.entries(takers)) {
        opened.addEventListener(kind, (event) => {
          if (events !== opened) return;
          take(event);
          if (kind === "open") return;
          wait = SHORTEST;
          goOn();
        });
      }
      opened.addEventListener("error", () => {
        if (events !== opened) return;
        // Not all pages come back at the same moment.
        again(wait * (0.5 + Math.random()));
        wait = Math.min(2 * wait, LONGEST);
      });
    }

    if (channel) {
      channel.onmessage = ({ data: { what, page } }) => {
        if (what === "closed") newer.delete(page);
        else newer.set(page, Date.now());
        if (events !== null && what === "opened" && isCrowded()) again(PAUSE);
      };
    }
    document.addEventListener("visibilitychange", open);
    window.addEventListener("pagehide", close);
    // A page that a browser has kept, and shows again, stands still.
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
    open();
    return () => { isOver = true; close(); };
  }

  return { follow };
})();
