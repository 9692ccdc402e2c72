// What all pages of a report share: loading data, and what is said of a game wherever it stands.
// Data comes from scripts that call one of the functions `take…`, since pages opened from disk may
// fetch nothing. Text from logs is set as text, never as HTML.
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

  // Why a game is no ordinary one.
  function remarks(row) {
    const all = [];
    if (row.ending === "void") all.push("void");
    if (row.ending === "walkover") all.push("walkover");
    for (const [seat, fault] of (row.out || []).entries()) {
      if (fault) all.push(`${index.names[row.seats[seat]]} ${fault}`);
    }
    if (row.attempt) all.push(`attempt ${row.attempt + 1}`);
    if (row.sequel === "again") all.push("played again");
    if (row.sequel === "stops") all.push("the match stops");
    if (row.sequel === "left") all.push("left by a person, not played again");
    if (row.suspect) all.push("suspect");
    return all;
  }

  return {
    make, hash, whole, time, list, piece, remarks, drawings,
    index: () => index,
    takeIndex: (value) => { index = value; },
    takeList: (page, rows) => { lists.set(page, rows); },
    takeGames: (number, games) => { pieces.set(number, games); },
  };
})();
