// The list of games on the first page: a page at a time, all of them or those that a filter lets
// through.
"use strict";

(() => {
  const { make, hash, whole, list, remarks } = arbiter;
  const index = arbiter.index();
  const pages = () => Math.ceil(index.games / index.page);
  const address = (row) => `game.html#game=${row.number}` + (row.attempt ? `&attempt=${row.attempt}` : "");

  const isOdd = (row) => row.ending === "void" || row.sequel || row.suspect || row.attempt > 0;
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

  // Without a filter it shows the pages as they are written; with one it looks through them until a
  // page is full.
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

  if (index) showGames();
})();
