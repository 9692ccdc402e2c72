// Checks the chain and the commitments of a log that was downloaded, without the program and without a server.
"use strict";

const checkLog = (() => {
  const ZEROS = "0".repeat(64);
  const [LINK, OWN] = [',"previous":"'.length + 64 + 1, ',"sha256":"'.length + 64 + 2];
  const decoder = new TextDecoder();
  const text = (bytes) => decoder.decode(bytes);
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (it) => it.toString(16).padStart(2, "0")).join("");
  const sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));
  const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) || [], (pair) => parseInt(pair, 16));

  // The files of a tar archive, with their names below its only folder.
  async function files(archive) {
    const found = new Map();
    for (let at = 0, long = ""; at + 512 <= archive.size;) {
      const head = new Uint8Array(await archive.slice(at, at + 512).arrayBuffer());
      if (head.every((byte) => byte === 0)) return found;
      const field = (from, to) => text(head.subarray(from, to)).split("\0")[0];
      const size = parseInt(field(124, 136), 8);
      const content = archive.slice(at + 512, at + 512 + size);
      if (!(content.size === size)) break;
      const kind = String.fromCharCode(head[156]);
      if (kind === "0") found.set((long || field(0, 100)).replace(/^[^/]*\//, ""), content);
      long = kind === "L" ? text(await content.arrayBuffer()).split("\0")[0] : "";
      at += 512 + 512 * Math.ceil(size / 512);
    }
    throw new Error("the archive is truncated: download it again");
  }

  const isGzip = async (file) => hex(await file.slice(0, 2).arrayBuffer()) === "1f8b";

  // The pieces of a file. A compressed log has a member for about each mebibyte, all with the same beginning, and a
  // browser unpacks one at a time.
  async function* pieces(file) {
    if (!await isGzip(file)) {
      for (const reader = file.stream().getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const next = (from) => {
      for (let at = from; (at = bytes.indexOf(bytes[0], at)) >= 0; at += 1) {
        if (bytes.subarray(at, at + 10).every((byte, place) => byte === bytes[place])) return at;
      }
      return bytes.length;
    };
    for (let from = 0, to = 0; from < bytes.length; from = to) {
      for (to = next(from + 10); ; to = next(to + 10)) {
        const member = new Blob([bytes.subarray(from, to)]).stream().pipeThrough(new DecompressionStream("gzip"));
        const plain = await new Response(member).arrayBuffer().catch(() => null);
        if (plain) {
          yield new Uint8Array(plain);
          break;
        }
        if (to === bytes.length) throw new Error("its gzip is damaged");
      }
    }
  }

  async function* lines(file) {
    let rest = new Uint8Array(0);
    for await (const piece of pieces(file)) {
      const bytes = new Uint8Array(rest.length + piece.length);
      bytes.set(rest);
      bytes.set(piece, rest.length);
      let from = 0;
      for (let end; (end = bytes.indexOf(10, from)) >= 0; from = end + 1) yield bytes.subarray(from, end);
      rest = bytes.slice(from);
    }
    if (rest.length) throw new Error("its last line is truncated");
  }

  // Follows the chain, and gives each line with its digest and the digest before.
  async function chain(file, name, each) {
    let [before, number] = [ZEROS, 0];
    try {
      for await (const line of lines(file)) {
        number += 1;
        const body = line.subarray(0, Math.max(0, line.length - OWN));
        const own = /^,"sha256":"([0-9a-f]{64})"\}$/.exec(text(line.subarray(body.length)));
        const link = /,"previous":"([0-9a-f]{64})"$/.exec(text(body.subarray(Math.max(0, body.length - LINK))));
        if (!own || !link) throw new Error(`line ${number} is not a line of a log`);
        if (await sha256(body) !== own[1]) throw new Error(`line ${number} was changed`);
        if (link[1] !== before) throw new Error(`line ${number} does not follow the previous line`);
        await each(line, own[1], before);
        before = own[1];
      }
    } catch (problem) {
      throw new Error(`${name}: ${problem.message}`);
    }
    return { head: before, lines: number };
  }

  // Follows the log of a match or a round: its header, the seed that it reveals, and its head.
  async function games(file, name) {
    let [header, end] = [null, null];
    const { head, lines: number } = await chain(file, name, (line) => {
      const begins = text(line.subarray(0, 10));
      if (begins.startsWith('{"header"')) header = JSON.parse(text(line)).header;
      if (begins.startsWith('{"end"')) end = JSON.parse(text(line)).end;
    });
    if (!header) throw new Error(`${name}: no header`);
    return { header, seed: end && end.seed, head, lines: number };
  }

  async function mustFit(seed, commitment, name) {
    if (await sha256(bytesOf(seed)) !== commitment) throw new Error(`${name}: the seed does not match its commitment`);
  }

  const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

  // What a chain in order tells. Who has no earlier head cannot see that the whole chain was made anew.
  function chained(what, head, noted) {
    const compare = noted ? "." : ": compare the head below with one that was published earlier.";
    return [`✓ ${what} are consistent${compare}`, `– Head: ${head}`];
  }

  // Follows the log of the league: its rounds with their ends, and the digests of its lines.
  async function league(file) {
    const [rounds, heads] = [new Map(), new Set()];
    let start = ZEROS;
    const { head, lines: number } = await chain(file, "league.jsonl", (line, digest, before) => {
      const { round, over, time } = JSON.parse(text(line));
      heads.add(digest);
      if (round) rounds.set(round.round, { commitment: round.commitment, after: [before, start] });
      if (over && !rounds.has(over.round)) throw new Error(`round ${over.round} ends, but was not announced`);
      if (over) Object.assign(rounds.get(over.round), { over });
      // The round that a time belongs to names the line before the time.
      start = time === undefined ? digest : before;
    });
    return { rounds, heads, head, number };
  }

  // Checks a round, and gives the number of its lines; none of one without a log, aborted before its first game.
  async function played(all, round, { commitment, after, over }) {
    const name = `round ${round}`;
    if (!over.head) {
      if (!over.broken || over.games) throw new Error(`${name}: it has ended, but the league's log does not hold its head`);
      await mustFit(over.broken.seed, commitment, name);
      return null;
    }
    const log = all.get(`rounds/${round}/games.jsonl`) || all.get(`rounds/${round}/games.jsonl.gz`);
    if (!log) throw new Error(`${name}: its log is missing`);
    const { header, seed, head, lines: number } = await games(log, name);
    const of = header.tournament && header.tournament.league;
    if (head !== over.head) throw new Error(`${name}: its head differs from the one in the league's log`);
    if (header.commitment !== commitment || !of || of.round !== round || !after.includes(of.after)) {
      throw new Error(`${name}: this is not the round that the league announced`);
    }
    const revealed = seed || (over.broken && over.broken.seed);
    if (!revealed) throw new Error(`${name}: its seed is not revealed`);
    await mustFit(revealed, commitment, name);
    return number;
  }

  // Checks an archive or a log, and gives what was found in lines, with ✓ before each that was checked; throws an error
  // with the first thing that is wrong.
  async function check(file, noted, tell = () => {}) {
    const known = (heads) => {
      if (!noted) return [];
      if (!heads.has(noted)) {
        throw new Error(`the head ${noted} is not in this log: it is a different log or was modified`);
      }
      return ["✓ Your head is in this log: everything up to it is unchanged."];
    };
    const begins = text(await file.slice(0, 1).arrayBuffer());
    if (begins === "{" || await isGzip(file)) {
      const { header, seed, head, lines: number } = await games(file, file.name || "log");
      if (seed) await mustFit(seed, header.commitment, "log");
      const revealed = seed ? "✓ The seed matches its commitment." : "– The log has no end: its seed is not revealed.";
      const found = chained(`All ${counted(number, "line")}`, head, noted);
      return [...found, revealed, ...known(new Set([head]))];
    }
    const all = await files(file);
    if (!all.has("league.jsonl")) throw new Error("no league.jsonl in the archive: choose a log of a league");
    const { rounds, heads, head, number } = await league(all.get("league.jsonl"));
    const found = chained(`All ${counted(number, "line")} of the league`, head, noted);
    let [checked, sum] = [0, 0];
    for (const [round, announced] of rounds) {
      tell(`Checking round ${round} of ${rounds.size}…`);
      const more = announced.over ? await played(all, round, announced) : null;
      if (more === null) {
        const why = announced.over ? "it was aborted before its first game" : "it is unfinished";
        found.push(`– Round ${round} was not checked: ${why}.`);
      } else [checked, sum] = [checked + 1, sum + more];
    }
    if (checked) {
      const what = `All ${counted(sum, "line")} of ${counted(checked, "round")} are consistent`;
      found.push(`✓ ${what}, and each round is the one that the league announced.`);
      found.push("✓ The seed of each of these rounds matches the commitment made before its first card.");
    } else found.push("– No log of a round was checked.");
    return [...found, ...known(heads)];
  }

  return check;
})();

if (typeof module === "object") module.exports = checkLog;
else {
  document.addEventListener("submit", async (event) => {
    if (event.target.id !== "check-log") return;
    event.preventDefault();
    const [state, list] = ["check-state", "checks"].map((id) => document.getElementById(id));
    const [file, head] = ["log-file", "log-head"].map((id) => document.getElementById(id));
    const tell = (text) => { state.textContent = text; };
    list.replaceChildren();
    if (!globalThis.crypto || !crypto.subtle) {
      tell("Your browser can check logs only on pages served with https or from this machine. Use arbiter verify.");
      return;
    }
    tell("Checking…");
    try {
      const found = await checkLog(file.files[0], head.value.trim().toLowerCase(), tell);
      list.append(...found.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
      tell("The log is valid, as far as this page checks it.");
    } catch (problem) {
      list.append(Object.assign(document.createElement("li"), { textContent: `✕ ${problem.message}` }));
      tell("The log is invalid.");
    }
  });
}
