// Small helps for the pages of a contest: times are counted down to, rows are found by a word, and a participant who is
// signed in sees the own bot. Each page is whole without them.
"use strict";

(() => {
  const UNITS = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];

  // The two largest units, such as `2 d 3 h`.
  function words(seconds) {
    const first = UNITS.findIndex(([, length]) => seconds >= length);
    if (first < 0) return "0 s";
    let left = seconds;
    const parts = UNITS.slice(first, first + 2).map(([unit, length]) => {
      const count = Math.floor(left / length);
      left -= count * length;
      return count ? `${count} ${unit}` : "";
    });
    return parts.filter((part) => part).join(" ");
  }

  function show() {
    for (const node of document.querySelectorAll("[data-until]")) {
      const seconds = Math.round((Number(node.dataset.until) - Date.now()) / 1000);
      const time = seconds > 0 ? `in ${words(seconds)}` : `${words(-seconds)} ago`;
      const text = node.matches(".clock") ? time : `· ${time}`;
      if (node.textContent !== text) node.textContent = text;
    }
  }

  // A field is hidden until there is something to search with.
  function find() {
    for (const field of document.querySelectorAll("input[data-find]")) {
      field.hidden = false;
      const wanted = field.value.trim().toLowerCase();
      for (const row of document.querySelectorAll(field.dataset.find)) {
        row.hidden = !row.querySelector("th").textContent.toLowerCase().includes(wanted);
      }
    }
  }

  function element(name, content, attributes = {}) {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...[].concat(content));
    return made;
  }

  // The own bot, as the standings for everybody have it: they obey a freeze.
  let own = null;

  async function ask(box) {
    const json = async (address) => {
      const response = await fetch(address, { headers: { "Accept": "application/json" } });
      return response.ok ? response.json() : null;
    };
    const told = await json(box.dataset.own);
    if (!told || !told.participant) return;
    const bot = await json(`api/v1/bots/${encodeURIComponent(told.participant)}`);
    own = { name: told.participant, versions: bot ? bot.versions : [] };
    mark();
  }

  function mark() {
    const box = document.getElementById("own");
    if (!box || !own) return;
    const current = own.versions.find(({ row }) => row);
    const row = [...document.querySelectorAll("#standings tbody tr")]
      .find((each) => each.querySelector("th").textContent.trim().split("@")[0] === own.name);
    if (row) row.classList.add("mine");
    const heading = element("header", [element("h2", `My bot: ${own.name}`)]);
    const link = row && row.querySelector("th a");
    if (link) heading.append(element("a", "open", { href: link.getAttribute("href"), className: "small" }));
    const figure = (name, value) => element("div", [element("dt", name), element("dd", String(value))]);
    const figures = element("dl", [], { className: "numbers" });
    if (row) figures.append(figure("rank", row.querySelector(".rank").textContent));
    if (current && current.row.rating) figures.append(figure("rating", Math.round(current.row.rating.value)));
    if (current) figures.append(figure("games", current.row.games));
    const nothing = own.versions.length ? [] : [element("p", "It has not entered yet.")];
    const next = element("a", "Submissions", { href: box.dataset.own, className: "btn low" });
    box.replaceChildren(heading, figures, ...nothing, element("p", [next]));
    box.hidden = false;
  }

  function begin() {
    show();
    find();
    setInterval(show, 1000);
    const box = document.getElementById("own");
    if (box) ask(box).catch(() => {});
  }

  document.addEventListener("input", (event) => { if (event.target.matches("input[data-find]")) find(); });
  document.addEventListener("keydown", (event) => {
    const field = document.querySelector("input[data-find]");
    if (event.key !== "/" || !field || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  document.addEventListener("arbiter:changed", () => {
    show();
    find();
    const box = document.getElementById("own");
    if (box && own) ask(box).catch(() => {});
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
