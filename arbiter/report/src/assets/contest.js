// Small helps for the pages of a contest: times are counted down to, rows are found by a word, and a participant who is
// signed in sees the own bot. Each page is whole without them.
"use strict";

(() => {
  // Fewer rows are found at a glance.
  const FEW = 16;
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

  // A field is hidden until there is enough to search in.
  function find() {
    for (const field of document.querySelectorAll("input[data-find]")) {
      const wanted = field.value.trim().toLowerCase();
      const rows = document.querySelectorAll(field.dataset.find);
      field.hidden = rows.length < FEW && !wanted;
      for (const row of rows) {
        row.hidden = !row.querySelector("th").textContent.toLowerCase().includes(wanted);
      }
    }
  }

  function element(name, content, attributes = {}) {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...[].concat(content));
    return made;
  }

  // The own bots, as the standings for everybody have them: they obey a freeze.
  let own = null;

  async function ask(box) {
    const json = async (address) => {
      const response = await fetch(address, { headers: { "Accept": "application/json" } });
      return response.ok ? response.json() : null;
    };
    const told = await json(box.dataset.own);
    if (!told || !told.participant) return;
    const bot = async (name) => ({ name, told: await json(`api/v1/bots/${encodeURIComponent(name)}`) });
    own = await Promise.all(told.bots.map(bot));
    mark();
  }

  function figuresOf({ told }) {
    const current = told && told.versions.find(({ row }) => row);
    if (!current) return element("p", "It has not played yet.");
    const figure = (name, value) => element("div", [element("dt", name), element("dd", String(value))]);
    const figures = element("dl", [], { className: "numbers" });
    if (told.rank) figures.append(figure("rank", told.rank));
    if (current.row.rating) figures.append(figure("rating", String(Math.round(current.row.rating.value)).replace("-", "−")));
    figures.append(figure("games", current.row.games));
    return figures;
  }

  function mark() {
    const box = document.getElementById("own");
    if (!box || !own) return;
    const title = own.length === 1 ? `My bot: ${own[0].name}` : "My bots";
    const content = [element("header", element("h2", title))];
    for (const bot of own) {
      const row = [...document.querySelectorAll("#standings tbody tr")]
        .find((each) => each.querySelector("th").textContent.trim().split("@")[0] === bot.name);
      if (row) row.classList.add("mine");
      const link = row && row.querySelector("th a");
      if (own.length > 1) content.push(element("h3", link ? element("a", bot.name, { href: link.getAttribute("href") }) : bot.name));
      else if (link) content[0].append(element("a", "open", { href: link.getAttribute("href"), className: "small" }));
      content.push(figuresOf(bot));
    }
    const next = element("a", "Submissions", { href: box.dataset.own, className: "btn low" });
    box.replaceChildren(...content, element("p", next));
    box.hidden = false;
  }

  // The times of a bot, from its page in its last round. Files cannot be asked for.
  async function take(box) {
    if (!location.protocol.startsWith("http") || box.firstChild) return;
    const response = await fetch(box.dataset.take);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const times = page.querySelector("#times dl");
    if (times) box.replaceChildren(element("h3", "Answer times"), times);
  }

  function takeAll() {
    for (const box of document.querySelectorAll("[data-take]")) take(box).catch(() => {});
  }

  function begin() {
    show();
    find();
    setInterval(show, 1000);
    takeAll();
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
    takeAll();
    const box = document.getElementById("own");
    if (box && own) ask(box).catch(() => {});
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
