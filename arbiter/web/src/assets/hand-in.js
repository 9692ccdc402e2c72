// Sends a chosen file as it is, and asks for a page again while something waits.
"use strict";

(() => {
  // How often the page is asked for again, in milliseconds.
  const PAUSE = 3000;
  // How often a file is sent again that did not get through, and how long it is until then, in seconds.
  const [TRIES, AGAIN] = [5, 10];
  // While a file is being sent, the page stays as it is.
  let isSending = false;

  async function send(form) {
    const status = document.getElementById("upload-status");
    const file = document.getElementById("file").files[0];
    if (!file) return;
    const button = form.querySelector("button");
    button.disabled = isSending = true;
    for (let failed = 0; ;) {
      status.textContent = "Uploading…";
      let [why, wait] = ["Upload failed. Try again later.", 0];
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
        why = told.error || `Server error ${response.status}.`;
        wait = Number(response.headers.get("Retry-After"));
        failed = 0;
      } catch {
        failed += 1;
        if (failed < TRIES) wait = AGAIN;
      }
      status.textContent = why;
      if (!(wait > 0)) break;
      status.textContent = `${why.replace(/[.]$/, "")}. Retrying in ${wait} s.`;
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
    button.disabled = isSending = false;
  }

  // Sends a form, such as to sign in. The browser would not say where the form comes from, unless the address is safe.
  async function sign(form) {
    const status = form.closest("section").querySelector(".told");
    if (form.dataset.confirm && !confirm(form.dataset.confirm)) return;
    status.textContent = "";
    try {
      const response = await fetch(form.getAttribute("action"), {
        method: "POST",
        headers: { "Accept": "application/json" },
        body: new URLSearchParams(new FormData(form)),
      });
      const told = await response.json().catch(() => ({}));
      if (response.ok) {
        if (form.dataset.then === "token") {
          isSending = true;
          status.textContent = `New token of ${told.participant}: ${told.token} . Save it now: it is shown only once. ` +
            "You are signed in here.";
          form.remove();
          return;
        }
        // A form that hands in a file leads to the new submission.
        location.assign(form.dataset.then === "number" ? `./${told.number}` : "./");
        return;
      }
      status.textContent = told.error || `Server error ${response.status}.`;
    } catch {
      status.textContent = "Cannot reach the server. Try again later.";
    }
  }

  // The sections by their names, in this page or in another text of it.
  const sections = (page) => new Map([...page.querySelectorAll("main section[id]")].map((it) => [it.id, it]));

  // Takes over what has changed. Where other sections have come, such as a report, all of them are made anew, unless a
  // form is there: what was chosen in it stays.
  function take(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const [before, after] = [document, page].map(sections);
    const isSame = [...before.keys()].join() === [...after.keys()].join();
    if (!isSame && !document.querySelector("main form")) {
      renewal.take([[document, page].map((it) => it.querySelector("main"))]);
      return;
    }
    renewal.take([...before].filter(([id]) => after.has(id)).map(([id, part]) => [part, after.get(id)]));
  }

  // Asks for the page again, as long as something waits.
  async function look() {
    let isWaiting = true;
    if (isSending) {
      setTimeout(look, PAUSE);
      return;
    }
    try {
      const response = await fetch(location.href, { headers: { "Accept": "text/html" }, cache: "no-store" });
      const text = await response.text();
      if (response.ok) {
        take(text);
        isWaiting = text.includes("data-waiting");
      }
    } catch {
      // The server is not there for a while.
    }
    if (isWaiting) setTimeout(look, PAUSE);
  }

  function begin() {
    const form = document.getElementById("upload");
    if (form) form.addEventListener("submit", (event) => { event.preventDefault(); send(form); });
    for (const other of document.querySelectorAll("form[data-sign]")) {
      other.addEventListener("submit", (event) => { event.preventDefault(); sign(other); });
    }
    if (document.querySelector("[data-waiting]")) look();
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
