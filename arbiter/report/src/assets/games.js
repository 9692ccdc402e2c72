// The list of games, on the first page and on that of each bot: a page at a time, all of them or
// those that pass a filter. The filter is in the address, so that a link leads to what it shows:
// `#games&bot=0&against=2&result=lost&kind=faults&page=3`, where bots have their places in the log.
"use strict";

(() => {
  const { make, hash, whole, list, remarks, seated, root } = arbiter;
  const get = (id) => document.getElementById(id);
  const index = () => arbiter.index();
  const pages = () => Math.ceil(index().games / index().page);
  const game = (row) => `${root()}game.html#game=${row.number}` + (row.attempt ? `&attempt=${row.attempt}` : "");

  const isOdd = (row) => row.ending === "void" || row.sequel || row.suspect || row.attempt > 0 || arbiter.marked(row);
  const isFaulty = (row) => (row.out || []).some((fault) => fault);
  const KINDS = { "": () => true, faults: isFaulty, odd: isOdd };

  // How a seat came out of a game, against one other seat or against all.
  function result({ places }, seat, other) {
    const of = (ahead) => (ahead > 0 ? "won" : ahead < 0 ? "lost" : "drawn");
    if (other !== null) return of(places[other] - places[seat]);
    if (places[seat] > 1) return "lost";
    return places.filter((place) => place === 1).length > 1 ? "drawn" : "won";
  }

  // Whether a filter lets a game through: some seat of the bot, or of any, came out of it like that
  // against some seat of the other bot, or against all. A game that does not count has no result.
  function fits(row, { bot, against, result: wanted, kind }) {
    const seats = (place) => row.seats.flatMap((of, seat) => (place === "" || of === place ? [seat] : []));
    const others = against === "" ? [null] : seats(against);
    return KINDS[kind](row) && seats(bot).some((seat) => others.some((other) =>
      other !== seat && (wanted === "" || (row.places && result(row, seat, other) === wanted))));
  }

  function line(row) {
    const marks = remarks(row).map((text) => make("span", { class: "mark" }, text));
    return make("tr", {},
      make("td", {}, make("a", { href: game(row) }, String(row.number))),
      make("td", { class: "spare" }, String(row.deal)),
      make("td", { class: "spare" }, String(row.answers)),
      make("td", { class: "word" }, seated(row)),
      make("td", { class: "word" }, marks));
  }

  // Where a page is among all that a filter lets through, whose number may not be known.
  function place(found, number, total) {
    if (found.length === 0) return "no games";
    const ends = found.length === 1 ? `game ${found[0].number}` : `games ${found[0].number} to ${found[found.length - 1].number}`;
    const last = total === null ? "" : ` of ${Math.ceil(total / index().page)}, ${total} game${total === 1 ? "" : "s"}`;
    return `${ends}, page ${number + 1}${last}`;
  }

  function showGames() {
    // The page of a bot shows only its games.
    const own = get("game-list").dataset.bot;
    const controls = { against: get("filter-against"), result: get("filter-result"), kind: get("filter-kind") };
    if (own === undefined) controls.bot = get("filter-bot");
    const [before, after, label] = [get("page-before"), get("page-after"), get("page-label")];
    // Where each page of what is shown begins, as far as that is known: a page of the list and a row.
    let starts = [[0, 0]];
    let shown = 0;
    let turn = 0;

    for (const [place, name] of index().names.entries()) {
      if (controls.bot) controls.bot.append(make("option", { value: place }, name));
      if (String(place) !== own) controls.against.append(make("option", { value: place }, name));
    }

    function filter() {
      const bot = (text) => (text === "" ? "" : Number(text));
      return {
        bot: bot(own === undefined ? controls.bot.value : own), against: bot(controls.against.value),
        result: controls.result.value, kind: controls.kind.value,
      };
    }

    const address = arbiter.address(() => {
      const keys = ["bot", "against", "result", "kind"].filter((key) => controls[key] && controls[key].value !== "");
      return ["games", ...keys.map((key) => `${key}=${controls[key].value}`), ...(shown ? [`page=${shown + 1}`] : [])];
    });

    // Goes through the list from where a page begins, and gives its rows and where the next one
    // begins, if there is one.
    async function look([page, from], wanted, mine) {
      const found = [];
      for (; page < pages(); page += 1) {
        label.textContent = `searching page ${page + 1} of ${pages()} …`;
        const rows = await list(page);
        if (mine !== turn) return null;
        for (let place = from; place < rows.length; place += 1) {
          if (!fits(rows[place], wanted)) continue;
          if (found.length === index().page) return { found, next: [page, place] };
          found.push(rows[place]);
        }
        from = 0;
      }
      return { found, next: null };
    }

    // Shows a page, or the last one where there are fewer.
    async function show(wanted) {
      turn += 1;
      const mine = turn;
      let number = Math.min(wanted, starts.length - 1);
      let looked = await look(starts[number], filter(), mine);
      while (looked && looked.next) {
        starts[number + 1] = looked.next;
        if (number === wanted) break;
        number += 1;
        looked = await look(starts[number], filter(), mine);
      }
      if (!looked) return;
      const { found, next } = looked;
      shown = number;
      get("game-rows").replaceChildren(...found.map(line));
      const isAll = Object.values(controls).every((control) => control.value === "");
      label.textContent = place(found, number, next === null ? number * index().page + found.length : isAll && !own ? index().games : null);
      before.disabled = number === 0;
      after.disabled = next === null;
      get("filter-none").disabled = isAll;
    }

    function say(notes) {
      get("filter-note").textContent = notes.join(" ");
      get("filter-note").hidden = notes.length === 0;
    }

    const start = (page) => show(page).catch((error) => { label.textContent = error.message; });

    function change() {
      say([]);
      starts = [[0, 0]];
      shown = 0;
      address.change();
      start(0);
    }

    const turnTo = (page) => start(page).then(address.change);

    // Applies the filter of the address, and reports unknown values.
    function take(asked) {
      address.forget();
      const notes = [];
      for (const [key, control] of Object.entries(controls)) {
        const value = asked[key] === undefined ? "" : asked[key];
        const isKnown = [...control.options].some((option) => option.value === value);
        control.value = isKnown ? value : "";
        if (!isKnown) notes.push(`Unknown ${key === "against" ? "bot" : key} “${value}”.`);
      }
      const page = asked.page === undefined ? 1 : whole(asked.page);
      if (!page) notes.push(`No page “${asked.page}”; showing the first.`);
      say(notes);
      starts = [[0, 0]];
      start(page ? page - 1 : 0);
      get("games").scrollIntoView();
      get("game-table").focus({ preventScroll: true });
    }

    // The addresses of other sections change nothing here.
    function follow() {
      const asked = hash();
      if (asked.games === undefined) return false;
      if (!address.isOwn()) take(asked);
      return true;
    }

    // A served page has changed: the list stays where it is, with what has come.
    async function grow() {
      if (!await arbiter.refresh()) return;
      starts = starts.slice(0, shown + 1);
      start(shown);
    }

    document.addEventListener("arbiter:changed", () => grow().catch(() => {}));
    // The first row of another page is not left behind the bar.
    const leaf = (by) => {
      turnTo(shown + by);
      if (get("games").getBoundingClientRect().top < 0) get("games").scrollIntoView();
    };
    before.onclick = () => leaf(-1);
    after.onclick = () => leaf(1);
    for (const control of Object.values(controls)) control.onchange = change;
    get("filter-none").onclick = () => {
      for (const control of Object.values(controls)) control.value = "";
      change();
      get("game-table").focus({ preventScroll: true });
    };
    get("game-filter").onsubmit = (event) => {
      event.preventDefault();
      const wanted = get("go-to").value;
      if (wanted !== "") location.href = `${root()}game.html#game=${encodeURIComponent(wanted)}`;
    };
    get("game-list").hidden = false;
    window.addEventListener("hashchange", follow);
    // A link to the current list does not change the address.
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#games']");
      if (link && link.hash === location.hash) take(hash());
    });
    if (!follow()) start(0);
  }

  if (index()) showGames();
})();
