// How a game of one's own is drawn: the lines of its view as they are, except those whose keys the game has
// named, which are cards or numbers.
"use strict";

arbiter.own = (() => {
  const { make, cards, view, felt } = arbiter;
  // So many lines that are not drawn stand on the table; more can be opened.
  const MOST_LINES = 4;
  const key = (line) => line.split(" ", 1)[0];
  const value = (line) => line.slice(key(line).length + 1);
  // Whether the reader has opened the lines that are folded.
  let isOpen = false;

  // A word as a card: of the usual pack, hidden, or any other one, with its text.
  function face(word, attributes) {
    if (/^\?+$/.test(word)) return cards.draw("??", attributes);
    const usual = word.replace(/[cdhs]$/, (suit) => suit.toUpperCase());
    return cards.isCard(usual) ? cards.draw(usual, { "data-card": word, ...attributes }) : cards.named(word, attributes);
  }

  // A label as the unit of a number: `1 trick`, `2 tricks`.
  const some = (number, label) => (number === "1" ? label.replace(/s$/, "") : label);

  // A pile of which no more than the number is known, if there is one.
  const numbered = (count, label) => (count === 0 ? []
    : [felt.pile(count, some(String(count), label), null, `${count} ${some(String(count), label)}`)]);

  // A pile is told by its cards, of which the last one lies on top, or by their number.
  function pile(label, words) {
    const isNumber = words.length === 1 && /^[0-9]+$/.test(words[0]);
    const count = isNumber ? Number(words[0]) : words.length;
    const top = isNumber || count === 0 ? null : face(words[words.length - 1], { "data-card": null });
    const unit = some(String(count), label);
    return felt.pile(count, unit, top, `${count} ${unit}`);
  }

  const figures = (words) => make("p", { class: "figures" }, words.map((word) => make("span", {}, word)));

  // Who has played a card that lies on the table, if an event tells it.
  function player(word, events) {
    const event = events.findLast((text) => /^[0-9]+ /.test(text) && text.split(" ").includes(word));
    return event === undefined ? null : event.split(" ")[0];
  }

  // A card on the table with the name of its player.
  function played(word, { card, events, name }) {
    const seat = player(word, events);
    return make("span", { class: "played" }, card(word, "table", face),
      seat === null ? null : make("small", {}, make("bdi", {}, name(seat))));
  }

  const named = (keys, kind, line) => (keys[kind] || []).includes(key(line));
  // Lines that have a word for each seat, or that name a seat, stand beside the seats. A mark may name none: `last none`.
  const isNoMark = (keys, line) => named(keys, "mark", line) && !/^[0-9]+( |$)/.test(value(line));
  const isOfSeats = (keys, line) => ["seat", "back", "mark"].some((kind) => named(keys, kind, line))
    && !isNoMark(keys, line);

  // The lines whose keys are drawn, each with its key above it; the hand stands elsewhere.
  function blocks(lines, keys, scene) {
    return lines.flatMap((line) => {
      const [label, words] = [key(line), view.words(value(line))];
      const drawn = named(keys, "pile", line) ? pile("cards", words) : named(keys, "number", line) ? figures(words)
        : named(keys, "table", line) ? felt.spread(label, words.map((word) => played(word, scene)), "none") : null;
      return drawn ? [make("div", { class: "block" }, make("h3", {}, label), drawn)] : [];
    });
  }

  // What the lines beside the seats say of one: its facts, piles, marks, and cards that are hidden or shown.
  function beside(lines, keys, seat) {
    const said = { facts: [], piles: [], marks: [], hidden: null, shown: [] };
    for (const line of lines.filter((each) => isOfSeats(keys, each))) {
      const [label, words] = [key(line), view.words(value(line))];
      const [own = "–", rest] = named(keys, "mark", line) ? [words[0], words.slice(1)] : [words[seat]];
      if (named(keys, "back", line)) said.hidden = (said.hidden || 0) + count(own);
      else if (!named(keys, "mark", line)) {
        if (named(keys, "pile", line)) said.piles.push(...numbered(count(own), label));
        else if (named(keys, "hand", line)) said.shown.push(own);
        else said.facts.push(make("span", {}, `${label} `, make("b", {}, own)));
      } else if (own === String(seat)) {
        if (named(keys, "hand", line)) said.shown.push(...rest);
        else if (named(keys, "pile", line)) said.piles.push(pile(label, rest));
        else said.marks.push([label, ...rest].join(" "));
      }
    }
    return said;
  }

  // A number of cards; what is none, or more than any game deals, is none.
  const count = (word) => (/^[0-9]{1,3}$/.test(word) ? Number(word) : 0);

  // The lines whose keys are not drawn, as they are.
  function plain(lines, keys) {
    const drawn = Object.values(keys).flat();
    return lines.filter((line) => !drawn.includes(key(line)) || isNoMark(keys, line));
  }

  // The keys of lines that not all seats have had alike, in the views of all seats after each step.
  function privates(states) {
    const apart = new Set();
    for (const seen of states) {
      const grouped = seen.map((lines) => {
        const groups = new Map();
        for (const line of lines) groups.set(key(line), `${groups.get(key(line)) || ""}${line}\n`);
        return groups;
      });
      const all = new Set(grouped.flatMap((groups) => [...groups.keys()]));
      for (const each of all) {
        if (grouped.some((groups) => groups.get(each) !== grouped[0].get(each))) apart.add(each);
      }
    }
    return apart;
  }

  // The words of the hand of the seat that sees these lines.
  const isOwnHand = (keys, line) => named(keys, "hand", line) && !isOfSeats(keys, line) && !isNoMark(keys, line);
  const hand = (lines, keys) => lines.filter((line) => isOwnHand(keys, line))
    .flatMap((line) => view.words(value(line)));

  // Lines that are not drawn: the first few, and the others folded.
  function listed(lines) {
    const row = (line) => make("div", {}, make("dt", {}, key(line)),
      make("dd", {}, cards.inText(view.words(value(line)))));
    const list = (some) => make("dl", { class: "facts" }, some.map(row));
    const rest = lines.slice(MOST_LINES);
    const details = rest.length === 0 ? null
      : make("details", { open: isOpen }, make("summary", {}, `${rest.length} more lines`), list(rest));
    if (details) details.ontoggle = () => { isOpen = details.open; };
    return [lines.length ? list(lines.slice(0, MOST_LINES)) : null, details];
  }

  // The drawing of a game that draws these keys, and in which these keys are of single seats.
  function drawing(keys, apart) {
    const isApart = (line) => apart.has(key(line));
    const isBeside = (line) => isOfSeats(keys, line);

    function table(scene) {
      const common = scene.lines.filter((line) => !isApart(line) && !named(keys, "hand", line) && !isBeside(line));
      // Cards that no line tells yet have their place.
      const [place] = scene.lines.some((line) => named(keys, "table", line)) ? [] : keys.table || [];
      return make("div", { class: "middle own-game" },
        make("div", { class: "blocks" }, blocks(place ? [place, ...common] : common, keys, scene)),
        listed(plain(common, keys)));
    }

    // Of a seat that is not open, nothing is known but what all seats know.
    function seat({ lines, seat, hand: open, card, events, name }) {
      const own = open === null ? [] : lines.filter((line) => isApart(line) && !isBeside(line));
      const said = beside(lines, keys, seat);
      const plainly = { card: (word) => face(word), events: [], name };
      const others = [...said.piles, ...blocks(own, keys, plainly)];
      const told = plain(own, keys).map((line) =>
        make("span", {}, `${key(line)} `, cards.inText(view.words(value(line)))));
      // Cards that lie open before a seat are those of its hand.
      const held = open !== null && open.length > 0 ? open : said.shown;
      const hidden = said.hidden ? felt.backs(said.hidden) : null;
      return {
        hand: held.length === 0 ? hidden : felt.hand(held, (word, where) => card(word, where, face)),
        beside: others.length ? make("div", { class: "blocks" }, others) : null,
        facts: [...said.facts, ...told],
        mark: said.marks,
      };
    }

    // What a card of the hand can do by these moves.
    const offer = (moves) => ({ label: moves.length ? "can be played" : "" });

    // The figures of the seats in the end: those that say more than the scores.
    const decided = ({ lines, scores }) => lines.filter((line) => named(keys, "seat", line))
      .map((line) => [key(line), view.words(value(line))])
      .filter(([, figures]) => new Set(figures).size > 1 && figures.join() !== scores.join());

    function tell(words, name) {
      const [first, ...rest] = words;
      return /^[0-9]+$/.test(first) ? [`${name(first)}: `, cards.inText(rest)] : cards.inText(words);
    }

    const handOf = (lines) => hand(lines, keys);

    return { table, seat, tell, offer, decided, handOf };
  }

  return { drawing, privates };
})();
