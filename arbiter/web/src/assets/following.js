// Follows a game that is being played: its steps come from the server as they are made. When it is over, the
// game of the log takes its place, as soon as it is there.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { watched, stream } = document.querySelector("[data-watched]").dataset;
  const number = Number(watched);
  const { viewer } = arbiter;
  // How long it is between two looks for the finished game, in milliseconds.
  const [SOON, LATER] = [500, 5000];
  let attempt = null;
  // How many steps of it were told.
  let told = 0;

  function say(text) {
    const message = document.getElementById("message");
    message.textContent = text;
    message.hidden = text === "";
  }

  // The log may get it late: games stand in it in the order of their numbers.
  async function finish(pause) {
    let found = "missing";
    try {
      await arbiter.refresh();
      found = await viewer.finish(number);
    } catch {
      // The server is gone for a while.
    }
    if (found === "open") return;
    const missing = attempt === null ? "This game is not live." : "Game finished. It will appear in the log shortly.";
    say(found === "covered" ? "Game finished. Hands stay hidden until its deal is finished." : missing);
    setTimeout(() => finish(Math.min(2 * pause, LATER)), pause);
  }

  const end = streams.follow(stream, {
    game: (event) => {
      const part = JSON.parse(event.data);
      const all = part.from + part.steps.length;
      const isKnown = part.attempt === attempt;
      // A stream that was opened again begins with the first step.
      if (isKnown && all <= told) return undefined;
      told = all;
      if (isKnown) return viewer.grow(part);
      attempt = part.attempt;
      return viewer.watch(part);
    },
    over: () => {
      end();
      finish(SOON);
    },
  });
});
