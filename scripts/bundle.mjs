/* Makes static/dist: for each page with many modules or style sheets one file of each, minified.
   node scripts/bundle.mjs [FOLDER]: FOLDER instead of static/dist, to compare the two. */

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";

const STATIC = resolve(import.meta.dirname, "../static");
const OUT = resolve(process.argv[2] ?? join(STATIC, "dist"));

/** What is loaded on one page: modules here share their chunks, with no other page's. */
const SCRIPTS = [["js/table.js"], ["js/replay.js", "js/review.js"]];
const STYLES = ["css/pages/table.css", "css/pages/replay.css"];

const COMMON = {
  absWorkingDir: STATIC,
  outdir: OUT,
  entryNames: "[name]",
  bundle: true,
  minify: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};

/** "dist/table.js", however the folder is called that is written to. */
function published(output) {
  return join("dist", relative(OUT, resolve(STATIC, output)));
}

function inputHash(inputs) {
  const hash = createHash("sha256");
  for (const name of inputs) {
    hash.update(`${name}\n`).update(readFileSync(join(STATIC, name)));
  }
  return hash.digest("hex");
}

rmSync(OUT, { recursive: true, force: true });
const made = [];
for (const entryPoints of SCRIPTS) {
  const options = { ...COMMON, entryPoints, format: "esm", splitting: true };
  made.push(await build({ ...options, chunkNames: "[name]-[hash]" }));
}
// The addresses of fonts stay as they are written: dist is as deep as css.
made.push(await build({ ...COMMON, entryPoints: STYLES, external: ["*.woff2"] }));

const pages = {};
const inputs = new Set();
for (const { metafile } of made) {
  for (const name of Object.keys(metafile.inputs)) inputs.add(name);
  for (const [output, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    const needed = imports.filter(({ kind }) => kind === "import-statement");
    // A chunk of a dynamic import is an entry of esbuild's, too.
    if (![...SCRIPTS.flat(), ...STYLES].includes(entryPoint)) continue;
    pages[entryPoint] = {
      file: published(output),
      needs: needed.map(({ path }) => published(path)),
    };
  }
}
const sorted = [...inputs].sort();
const record = { pages, inputs: sorted, hash: inputHash(sorted) };
writeFileSync(join(OUT, "bundles.json"), `${JSON.stringify(record, null, 1)}\n`);
