// How a game of one's own is drawn: the lines of its view as they are, except those whose keys the game has
// named, which are cards or numbers.
"use strict";

arbiter.own = (() => {
  const { make, cards, view } = arbiter;
  const key = (line) => line.split(" ", 1)[0];
  const value = (line) => line.slice(key(line).length + 1);

  // A word as a card: of the usual pack, hidden, or any other one, with its text.
  function card(word, marked) {
    if (/^\?+$/.test(word)) return cards.draw("??");
    const usual = word.replace(/[cdhs]$/, (suit) => suit.toUpperCase());
    const mark = marked.includes(word) ? "new" : "";
    const drawn = cards.isCard(usual) ? cards.draw(usual, mark)
      : make("span", { class: `card named ${word.length > 3 ? "long" : ""} ${mark}`, role: "img", "aria-label": word }, word);
    drawn.dataset.card = word;
    return drawn;
  }

  function row(label, words, marked) {
    const drawn = words.map((word) => make("li", {}, card(word, marked)));
    const empty = drawn.length === 0 ? make("li", { class: "empty" }, "none") : null;
    return make("ul", { class: "cards", "aria-label": label }, drawn, empty);
  }

  // A pile is told by its cards, of which the last one lies on top, or by their number.
  function pile(label, words) {
    const isNumber = words.length === 1 && /^[0-9]+$/.test(words[0]);
    const count = isNumber ? words[0] : String(words.length);
    const top = /^0+$/.test(count) ? make("span", { class: "card gap" }) : card(isNumber ? "??" : words[words.length - 1], []);
    return make("div", { class: "talon", role: "img", "aria-label": `${label}: ${count} cards` }, top,
      make("span", { class: "count" }, count));
  }

  const figures = (words) => make("p", { class: "figures" }, words.map((word) => make("span", {}, word)));

  // The lines whose keys are drawn, each with its key above it.
  function blocks(lines, keys, marked) {
    const named = (kind, line) => (keys[kind] || []).includes(key(line));
    return lines.flatMap((line) => {
      const [label, words] = [key(line), view.words(value(line))];
      const drawn = named("pile", line) ? pile(label, words) : named("number", line) ? figures(words)
        : named("hand", line) || named("table", line) ? row(label, words, marked) : null;
      return drawn ? [make("div", { class: "block" }, make("h3", {}, label), drawn)] : [];
    });
  }

  // The lines whose keys are not drawn, as they are.
  function plain(lines, keys) {
    const drawn = Object.values(keys).flat();
    return lines.filter((line) => !drawn.includes(key(line)));
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

  // The words of the hand.
  const hand = (lines, keys) => lines.filter((line) => (keys.hand || []).includes(key(line)))
    .flatMap((line) => view.words(value(line)));

  // The drawing of a game that draws these keys, and in which these keys are of single seats.
  function drawing(keys, apart) {
    const isApart = (line) => apart.has(key(line));

    function table({ lines, marked }) {
      const common = lines.filter((line) => !isApart(line));
      const text = plain(common, keys);
      return make("div", { class: "middle plain own-game" },
        make("div", { class: "blocks" }, blocks(common, keys, marked)),
        text.length ? make("dl", { class: "facts" },
          text.map((line) => make("div", {}, make("dt", {}, key(line)), make("dd", {}, value(line))))) : null);
    }

    // Of a seat that is not open, nothing is known but what all seats know.
    function seat({ lines, hand: open, marked }) {
      const own = open === null ? [] : lines.filter(isApart);
      const drawn = blocks(own, keys, marked);
      return { hand: drawn.length ? make("div", { class: "blocks" }, drawn) : null, facts: plain(own, keys) };
    }

    function tell(words, name) {
      const [first, ...rest] = words;
      return /^[0-9]+$/.test(first) ? [`${name(first)}: `, cards.inText(rest)] : cards.inText(words);
    }

    return { table, seat, tell };
  }

  return { drawing, privates, hand };
})();
