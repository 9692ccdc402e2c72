// A client for a remote bot, in JavaScript without packages: node connect.mjs URL TOKEN-FILE [--enter] COMMAND [ARGS…]
// The command starts for each request. docs/reference/remote.md specifies the calls; the client of the library for
// Python does more: resident bots, proxies, an orderly end.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [url, tokenFile, ...rest] = process.argv.slice(2);
const isEntering = rest[0] === "--enter";
const [program, ...words] = isEntering ? rest.slice(1) : rest;
if (!program) throw new Error("usage: node connect.mjs URL TOKEN-FILE [--enter] COMMAND [ARGS...]");
const root = `${url.replace(/\/+$/, "")}/remote/v1`;
const headers = { "Authorization": `Bearer ${readFileSync(tokenFile, "utf8").trim()}`, "Content-Type": "application/json" };

// A call, repeated until it succeeds, which is harmless. Throws if the server refuses.
async function call(path, body, seconds = 10) {
  for (let failures = 0; ; failures += 1) {
    try {
      const signal = AbortSignal.timeout(seconds * 1000);
      const options = body ? { method: "POST", body: JSON.stringify(body) } : {};
      const response = await fetch(root + path, { ...options, headers, signal, redirect: "error" });
      if (response.status < 500 && response.status !== 429 && response.status !== 200) {
        throw Object.assign(new Error(`${response.status} ${await response.text()}`), { isRefused: true });
      }
      if (response.status === 200) return await response.json();
    } catch (error) {
      if (error.isRefused) throw error;
      if (failures === 1) console.log(`connection lost: ${error.message}`);
    }
    // A poll names what is in work now, so it is not repeated as it was.
    if (path === "/next") return { requests: [], events: [], wait: await sleep(200 + 800 * Math.random()) };
    await sleep(Math.min(100 * 2 ** failures, 5000) * (0.5 + Math.random() / 2));
  }
}

if (isEntering) console.log("entered:", (await call("/enter", {})).bot);
const { bot, game, games } = await call("");
console.log(`connected: ${bot} plays ${game}`);
const working = new Set();

async function answer({ id, ms, request }) {
  working.add(id);
  const [text, stderr] = await new Promise((resolve) => {
    const options = { timeout: ms, maxBuffer: 65536, killSignal: "SIGKILL" };
    const started = execFile(program, words, options, (error, out, said) => resolve([error ? "" : out, said]));
    started.stdin.on("error", () => {}).end(request);
  });
  await call("/answer", { id, answer: text, stderr }).catch((error) => console.log(error.message));
  working.delete(id);
}

for (let after, replaced = 0; ; ) {
  const told = await call("/next", { wait: 15, working: [...working], games, after }, 25);
  for (const { game, verdict, detail, over } of told.events) console.log(game, over ?? `${verdict ?? "stopped"} ${detail ?? ""}`);
  for (const request of told.requests) if (!working.has(request.id)) answer(request);
  after = told.last ?? after;
  // One poll may be replaced by an older one that arrives late.
  replaced = told.replaced ? replaced + 1 : 0;
  if (told.ended || replaced > 1) process.exit(0);
}
