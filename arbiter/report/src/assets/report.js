// What all pages of a report share: loading data, and texts about games.
// Data comes from scripts that call one of the functions `take…`, since pages opened from disk may
// fetch nothing. Text from logs is set as text, never as HTML.
"use strict";

const arbiter = (() => {
  const lists = new Map();
  const pieces = new Map();
  const reviews = new Map();
  const loading = new Map();
  const drawings = {};
  let index = null;
  // The way from this page to the folder of its source.
  let root = "";

  // A text that may be a stranger's, without characters that are not seen, as some turn the text around them over.
  const plain = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, "\ufffd");

  // A number with a minus sign, for which a hyphen is too short.
  const signed = (number) => String(number).replace(/^-/, "−");

  // A new element with these attributes, and children that are elements or text.
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
    }
    const present = children.flat().filter((child) => child !== null && child !== undefined);
    element.append(...present.map((child) => typeof child === "string" ? plain(child) : child));
    return element;
  }

  // Loads a script of data once.
  function load(file) {
    if (!loading.has(file)) {
      loading.set(file, new Promise((resolve, reject) => {
        const script = make("script", { src: `${root}data/${file}` });
        script.onload = () => { script.remove(); resolve(); };
        script.onerror = () => { loading.delete(file); reject(new Error(`${file} is missing`)); };
        document.head.append(script);
      }));
    }
    return loading.get(file);
  }

  async function list(page) {
    // Right after the last full page there may be none yet.
    if (page * index.page >= index.games) return [];
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

  // Gets the review of a game from a server that makes reviews.
  async function review(number, attempt) {
    await load(`review-${number}-${attempt}.js`);
    return reviewOf({ number, attempt });
  }

  // The review of a game that a server was asked for before.
  const reviewOf = ({ number, attempt }) => reviews.get(`${number} ${attempt}`);

  // Asks for the index again, where a served page has changed. Of what was loaded, only the last page of
  // the list and the last piece may have grown, and games whose hands were hidden may show them.
  async function refresh() {
    const before = index;
    loading.delete("index.js");
    await load("index.js");
    const lasts = [`list-${Math.floor(before.games / before.page)}.js`, `games-${before.pieces.length - 1}.js`];
    for (const file of lasts) loading.delete(file);
    for (const [number, games] of pieces) if (games.some(({ hands }) => hands)) forget(number);
    return index.games !== before.games;
  }

  // Has a piece be loaded again, of a log that has grown.
  function forget(number) {
    pieces.delete(number);
    loading.delete(`games-${number}.js`);
  }

  // The part of the page's address behind the `#`, by key. Anyone may have written it: what is not
  // well encoded is taken literally.
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

  // The address that leads to what a page shows, as parts behind the `#`. A browser counts changes,
  // and takes no more than some in ten seconds, so that they are put together. An address that
  // someone has followed in the meantime stays.
  function address(parts) {
    let timer = null;
    let before = null;
    let written = null;
    const write = () => {
      timer = null;
      if (location.hash !== before) return;
      written = `#${parts().join("&")}`;
      if (location.hash !== written) location.replace(written);
    };
    return {
      parts,
      change: () => {
        if (timer !== null) return;
        before = location.hash;
        timer = setTimeout(write, 200);
      },
      // Whether it is as the page has written it.
      isOwn: () => written !== null && location.hash === written,
      forget: () => {
        clearTimeout(timer);
        timer = null;
        written = null;
      },
    };
  }

  // The whole number that a text is, if it is one.
  const whole = (text) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : null);

  // A time as it is read, by the rule that the tables of a report have.
  function time(ms) {
    if (ms < 0.995) return `${ms.toFixed(2)} ms`;
    if (ms < 9.95) return `${ms.toFixed(1)} ms`;
    return ms < 999.5 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
  }

  // The seats that did best, or did worse than others; none where the game does not count.
  const best = ({ places = [] }) => [...places.keys()].filter((seat) => places[seat] === 1);
  const beaten = ({ places = [] }) => [...places.keys()].filter((seat) => places[seat] > 1);
  const isDrawn = (row) => best(row).length > 1 && beaten(row).length === 0;

  // Who sat where, and what they had; a sign marks those who won.
  function seated(row) {
    const winners = isDrawn(row) ? [] : best(row);
    return row.seats.map((place, seat) => {
      const won = winners.includes(seat);
      return make("span", { class: won ? "seat won" : "seat" },
        won ? make("span", { class: "star", "aria-hidden": "true" }, "★") : null, won ? make("span", { class: "hidden" }, "winner ") : null,
        make("bdi", {}, index.names[place]), " ", make("b", {}, row.scores ? signed(row.scores[seat]) : "–"));
    });
  }

  // Who won a game, in words.
  function outcome(row) {
    const name = (seat) => index.names[row.seats[seat]];
    const [winners, losers] = [best(row).map(name), beaten(row).map(name)];
    if (row.ending === "void") return "void";
    if (row.ending === "playing") return "live";
    if (winners.length === 0) return "unrated";
    if (losers.length === 0) return "drawn";
    if (winners.length > 1 && losers.length === 1) return `${losers[0]} lost`;
    return `${[winners.slice(0, -1).join(", "), winners[winners.length - 1]].filter((it) => it).join(" and ")} won`;
  }

  // What a correction of the league says of a game.
  function marked({ number }) {
    const found = (index.marks || []).find(([first, last]) => first <= number && number <= last);
    return found ? found[2] : null;
  }

  // Why a game is not an ordinary one.
  function remarks(row) {
    const all = [];
    if (row.ending === "void") all.push("void");
    if (row.ending === "walkover") all.push("walkover");
    if (isDrawn(row)) all.push("drawn");
    for (const [seat, fault] of (row.out || []).entries()) {
      if (fault) all.push(`${index.names[row.seats[seat]]} ${fault}`);
    }
    if (row.attempt) all.push(`attempt ${row.attempt + 1}`);
    if (row.sequel === "again") all.push("replayed");
    if (row.sequel === "givenup") all.push("abandoned");
    if (row.sequel === "stops") all.push("match stopped");
    if (row.sequel === "left") all.push("abandoned by a person");
    if (row.suspect) all.push("suspect");
    const mark = marked(row);
    if (mark) all.push(mark);
    return all;
  }

  // What is said of a player in the third person, as parts whose text may be in pieces, for one who is
  // called `you`: all that games tell comes through here, so that no verb is wrong.
  function agreeing(parts) {
    const second = (verb) => ({ is: "are", has: "have" }[verb] || verb.replace(/(ss|sh|ch|x|zz|o)es$|s$/, "$1"));
    const [first, ...rest] = parts;
    if (typeof first !== "string" || !/^you( (?!:)|$)/i.test(first)) return parts;
    const whole = first.length === 3 && typeof rest[0] === "string" ? [first + rest[0], ...rest.slice(1)] : parts;
    const told = whole.map((part, place) => (typeof part !== "string" ? part
      : (place === 0 ? part.replace(/^you( also)? (\w+)/i, (_, also, verb) => `You${also || ""} ${second(verb)}`) : part)
        .replace(/ and (\w+s)\b/g, (_, verb) => ` and ${second(verb)}`)));
    return told;
  }

  return {
    make, signed, agreeing, hash, address, whole, time, list, piece, review, reviewOf, forget, refresh, seated, outcome, best, isDrawn, marked, remarks, drawings,
    index: () => index,
    root: () => root,
    takeIndex: (value) => {
      index = value;
      root = document.currentScript.getAttribute("src").replace(/data\/index\.js$/, "");
    },
    takeList: (page, rows) => { lists.set(page, rows); },
    takeGames: (number, games) => { pieces.set(number, games); },
    takeReview: (number, attempt, review) => { reviews.set(`${number} ${attempt}`, review); },
  };
})();
