// Sends a chosen file as it is, and asks for a page again while something waits.
"use strict";

(() => {
  // How often the page is asked for again, in milliseconds.
  const PAUSE = 3000;

  async function send(form) {
    const status = document.getElementById("upload-status");
    const file = document.getElementById("file").files[0];
    if (!file) return;
    const button = form.querySelector("button");
    button.disabled = true;
    status.textContent = "The file is being sent…";
    try {
      const response = await fetch(`./?file=${encodeURIComponent(file.name)}`, {
        method: "POST",
        headers: { "Accept": "application/json", "Content-Type": "application/octet-stream" },
        body: file,
      });
      const told = await response.json().catch(() => ({}));
      if (response.ok) {
        location.assign(`submissions/${told.number}`);
        return;
      }
      status.textContent = told.error || `The server says ${response.status}.`;
    } catch {
      status.textContent = "The file could not be sent. Try again later.";
    }
    button.disabled = false;
  }

  // Signs in or out. The browser would not say where the form comes from, unless the address is safe.
  async function sign(form) {
    const status = form.parentElement.querySelector("[role=status]");
    status.textContent = "";
    try {
      const response = await fetch(form.getAttribute("action"), {
        method: "POST",
        headers: { "Accept": "application/json" },
        body: new URLSearchParams(new FormData(form)),
      });
      if (response.ok) {
        location.assign("./");
        return;
      }
      const told = await response.json().catch(() => ({}));
      status.textContent = told.error || `The server says ${response.status}.`;
    } catch {
      status.textContent = "The server is not there. Try again later.";
    }
  }

  async function look(before) {
    try {
      const response = await fetch(location.href, { headers: { "Accept": "text/html" }, cache: "no-store" });
      const text = await response.text();
      const isOver = !text.includes("data-waiting");
      if (response.ok && (isOver || (before !== null && text !== before))) {
        location.reload();
        return;
      }
      setTimeout(look, PAUSE, response.ok ? text : before);
    } catch {
      setTimeout(look, PAUSE, before);
    }
  }

  function begin() {
    const form = document.getElementById("upload");
    if (form) form.addEventListener("submit", (event) => { event.preventDefault(); send(form); });
    for (const other of document.querySelectorAll("form[data-sign]")) {
      other.addEventListener("submit", (event) => { event.preventDefault(); sign(other); });
    }
    // The page itself is not at hand as it came, so the first look is what others are compared with.
    if (document.querySelector("[data-waiting]")) look(null);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
