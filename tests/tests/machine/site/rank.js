// Prints for each word that is given what the search of a built site finds, the best first: a line
// `WORD ADDRESS` for each. It searches as the script of the site does, in the index of the site.
"use strict";

const fs = require("fs");
const path = require("path");

const [book, ...words] = process.argv.slice(2);
const file = (name) => path.join(book, fs.readdirSync(book).find((it) => it.startsWith(name) && it.endsWith(".js")));
globalThis.window = { search: {} };
const elasticlunr = require(file("elasticlunr"));
(0, eval)(fs.readFileSync(file("searchindex"), "utf8"));
const { index, doc_urls: addresses, search_options: options } = window.search;
const found = elasticlunr.Index.load(index);
for (const word of words) {
  for (const { ref } of found.search(word, options)) console.log(`${word} ${addresses[ref]}`);
}
