// The lines of a view, read: each is `KEY VALUE…`.
"use strict";

arbiter.view = (() => {
  const words = (text) => (text === "" ? [] : text.split(" "));
  function value(lines, key) {
    for (const line of lines) {
      if (line === key) return "";
      if (line.startsWith(key + " ")) return line.slice(key.length + 1);
    }
    return "";
  }
  const list = (lines, key) => words(value(lines, key));
  const numbers = (lines, key) => list(lines, key).map(Number);
  return { value, words, list, numbers };
})();
