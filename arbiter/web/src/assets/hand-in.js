// Sends a chosen file as it is, and asks for a page again while something waits.
"use strict";

(() => {
  // How often the page is asked for again, in milliseconds; more often while a check is watched.
  const pause = () => (document.querySelector("[data-checking]") ? 1000 : 3000);
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

  // A reader is writing or choosing there.
  const isInUse = (part) => part.contains(document.activeElement) && document.activeElement.matches("input, select");

  // Takes over what has changed.
  function take(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const [before, after] = [document, page].map(sections);
    const taken = [...before].filter(([id, part]) => after.has(id) && id !== "hand-in" && !isInUse(part));
    renewal.take(taken.map(([id, part]) => [part, after.get(id)]));
    const [own, other] = [document, page].map((it) => it.querySelector("main"));
    own.toggleAttribute("data-checking", other.hasAttribute("data-checking"));
  }

  // Asks for the page again, as long as something waits.
  async function look() {
    let isWaiting = true;
    if (isSending) {
      setTimeout(look, pause());
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
    if (isWaiting) setTimeout(look, pause());
  }

  // A file that is dropped on the form is sent at once.
  function takeDrops(form) {
    for (const name of ["dragover", "dragleave", "drop"]) {
      form.addEventListener(name, (event) => {
        event.preventDefault();
        form.classList.toggle("over", name === "dragover");
        if (name !== "drop" || isSending || !event.dataTransfer.files.length) return;
        document.getElementById("file").files = event.dataTransfer.files;
        send(form);
      });
    }
  }

  function begin() {
    // Forms come and go with their sections.
    document.addEventListener("submit", (event) => {
      const form = event.target;
      if (form.id !== "upload" && !form.matches("[data-sign]")) return;
      event.preventDefault();
      if (form.id === "upload") send(form);
      else sign(form);
    });
    const upload = document.getElementById("upload");
    if (upload) takeDrops(upload);
    if (document.querySelector("[data-waiting]")) look();
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
