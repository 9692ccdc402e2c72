// What all pages of a report share: loading data, and the list of games. Data comes from scripts
// that call one of the functions `take…`, since pages opened from disk may fetch nothing.
// Text from logs is set as text, never as HTML.
"use strict";

const arbiter = (() => {
  const lists = new Map();
  const pieces = new Map();
  const loading = new Map();
  const drawings = {};
  let index = null;

  // A new element with these attributes, and children that are elements or text.
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  }

  // Loads a script of data once.
  function load(file) {
    if (!loading.has(file)) {
      loading.set(file, new Promise((resolve, reject) => {
        const script = make("script", { src: `data/${file}` });
        script.onload = () => { script.remove(); resolve(); };
        script.onerror = () => { loading.delete(file); reject(new Error(`${file} is missing`)); };
        document.head.append(script);
      }));
    }
    return loading.get(file);
  }

  async function list(page) {
    await load(`list-${page}.js`);
    return lists.get(page);
  }

  async function piece(number) {
    await load(`games-${number}.js`);
    const games = pieces.get(number);
    // Only the last few are kept: a piece may be large.
    if (pieces.size > 4) {
      const [oldest] = [...pieces.keys()].filter((key) => key !== number);
      pieces.delete(oldest);
      loading.delete(`games-${oldest}.js`);
    }
    return games;
  }

  const pages = () => Math.ceil(index.games / index.page);

  // What stands behind the `#` of the page's address, by key. Anybody may have written it: what is
  // not well encoded is taken as it stands.
  function hash() {
    const values = {};
    for (const part of location.hash.slice(1).split("&")) {
      const [key, value] = part.split("=");
      if (key) values[key] = value === undefined ? "" : decoded(value);
    }
    return values;
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  // The whole number that a text is, if it is one.
  const whole = (text) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : null);

  // A time as it is read, by the rule that the tables of a report have.
  function time(ms) {
    if (ms < 0.995) return `${ms.toFixed(2)} ms`;
    if (ms < 9.95) return `${ms.toFixed(1)} ms`;
    return ms < 999.5 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
  }

  const address = (row, step) =>
    `game.html#game=${row.number}` + (row.attempt ? `&attempt=${row.attempt}` : "") + (step ? `&step=${step}` : "");

  // Why a game is no ordinary one.
  function remarks(row) {
    const all = [];
    if (row.ending === "void") all.push("void");
    if (row.ending === "walkover") all.push("walkover");
    for (const [seat, fault] of (row.out || []).entries()) {
      if (fault) all.push(`${index.names[row.seats[seat]]} ${fault}`);
    }
    if (row.attempt) all.push(`attempt ${row.attempt + 1}`);
    if (row.fate === "again") all.push("played again");
    if (row.fate === "stops") all.push("the match stops");
    if (row.suspect) all.push("suspect");
    return all;
  }

  const isOdd = (row) => row.ending === "void" || row.fate || row.suspect || row.attempt > 0;
  const isFaulty = (row) => (row.out || []).some((fault) => fault);

  function line(row) {
    const seats = row.seats.map((place, seat) => {
      const score = row.scores ? row.scores[seat] : "–";
      return make("span", { class: "seat" }, index.names[place], " ", make("b", {}, score));
    });
    const marks = remarks(row).map((text) => make("span", { class: "mark" }, text));
    return make("tr", {},
      make("td", {}, make("a", { href: address(row) }, String(row.number))),
      make("td", { class: "spare" }, String(row.deal)),
      make("td", { class: "word" }, seats),
      make("td", { class: "word" }, marks),
      make("td", { class: "spare" }, String(row.answers)));
  }

  // The list of games. Without a filter it shows the pages as they are written; with one it looks
  // through them until a page is full.
  function showGames() {
    const get = (id) => document.getElementById(id);
    const [bot, kind, rows, label] = [get("filter-bot"), get("filter-kind"), get("game-rows"), get("page-label")];
    const [before, after] = [get("page-before"), get("page-after")];
    // Where each shown page begins: a page of the list and a row of it.
    let starts = [[0, 0]];
    let turn = 0;

    for (const [place, name] of index.names.entries()) bot.append(make("option", { value: place }, name));
    const asked = hash().bot;
    const isKnown = asked !== undefined && whole(asked) in index.names;
    if (isKnown) bot.value = whole(asked);
    let note = asked === undefined || isKnown ? "" : `There is no bot “${asked}”, so this is all games: `;

    function fits(row) {
      return (bot.value === "" || row.seats.includes(Number(bot.value))) &&
        (kind.value !== "faults" || isFaulty(row)) && (kind.value !== "odd" || isOdd(row));
    }

    async function show() {
      turn += 1;
      const mine = turn;
      const found = [];
      let [page, from] = starts[starts.length - 1];
      let next = null;
      while (page < pages() && next === null) {
        label.textContent = `looking at page ${page + 1} of ${pages()} …`;
        const all = await list(page);
        if (mine !== turn) return;
        for (let place = from; place < all.length && next === null; place += 1) {
          if (!fits(all[place])) continue;
          if (found.length === index.page) next = [page, place];
          else found.push(all[place]);
        }
        page += 1;
        from = 0;
      }
      rows.replaceChildren(...found.map(line));
      const ends = found.length ? `games ${found[0].number} to ${found[found.length - 1].number}` : "no games";
      label.textContent = `${note}${ends}, page ${starts.length}`;
      before.disabled = starts.length === 1;
      after.disabled = next === null;
      after.onclick = () => { starts.push(next); show(); };
    }

    before.onclick = () => { starts.pop(); show(); };
    for (const filter of [bot, kind]) filter.onchange = () => { starts = [[0, 0]]; note = ""; show(); };
    get("game-filter").onsubmit = (event) => {
      event.preventDefault();
      const wanted = get("go-to").value;
      if (wanted !== "") location.href = `game.html#game=${encodeURIComponent(wanted)}`;
    };
    get("game-list").hidden = false;
    if (asked !== undefined) get("games").scrollIntoView();
    show().catch((error) => { label.textContent = error.message; });
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (index && document.getElementById("game-list")) showGames();
  });

  return {
    make, hash, whole, time, list, piece, remarks, drawings,
    index: () => index,
    takeIndex: (value) => { index = value; },
    takeList: (page, rows) => { lists.set(page, rows); },
    takeGames: (number, games) => { pieces.set(number, games); },
  };
})();
