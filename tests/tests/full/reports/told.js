// Prints what the viewer of a report says of every event, a line for each: `GAME EVENT|TEXT`. Seat 0 is called
// as the second word of the command says.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [assets, person, ...events] = process.argv.slice(2);
// As much of a page as the scripts of games ask for: elements are their texts.
const element = (name) => ({ name, children: [], setAttribute() {}, append(...added) { this.children.push(...added); } });
globalThis.document = { createElement: element, addEventListener() {} };
globalThis.window = globalThis;
const scripts = ["report.js", "view.js", "cards.js", "tablic.js", "coup.js", "durak.js"];
const sources = scripts.map((script) => fs.readFileSync(path.join(assets, script), "utf8"));
const arbiter = vm.runInThisContext(`${sources.join("\n")}\narbiter`);
const text = (part) => (typeof part === "string" ? part : part.children.map(text).join(" "));
const name = (seat) => [person, "greedy"][Number(seat)];
for (const event of events) {
  const [game, ...words] = event.split(" ");
  const parts = arbiter.agreeing(arbiter.drawings[game].tell(words, name).flat(2));
  console.log(`${event}|${parts.map(text).join("")}`);
}
