// Says beside each time of a calendar how long it is until then.
"use strict";

(() => {
  const UNITS = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];

  // The two largest units, such as `2 d 3 h`.
  function words(seconds) {
    const first = UNITS.findIndex(([, length]) => seconds >= length);
    if (first < 0) return "0 s";
    let left = seconds;
    const parts = UNITS.slice(first, first + 2).map(([unit, length]) => {
      const count = Math.floor(left / length);
      left -= count * length;
      return count ? `${count} ${unit}` : "";
    });
    return parts.filter((part) => part).join(" ");
  }

  function show() {
    for (const span of document.querySelectorAll("[data-until]")) {
      const seconds = Math.round((Number(span.dataset.until) - Date.now()) / 1000);
      const text = seconds > 0 ? `· in ${words(seconds)}` : `· ${words(-seconds)} ago`;
      if (span.textContent !== text) span.textContent = text;
    }
  }

  function begin() {
    show();
    setInterval(show, 1000);
  }

  document.addEventListener("arbiter:changed", show);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
