/* Writes static/dist: one minified file for the modules, and one for the style sheets, of each page
   that has many. `node scripts/bundle.mjs FOLDER` writes to FOLDER instead, to compare the two. */

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";

const STATIC = resolve(import.meta.dirname, "../static");
const OUT = resolve(process.argv[2] ?? join(STATIC, "dist"));

/** The scripts of each page: modules share chunks with the others of their page, and with no other page's. */
const SCRIPTS = [
  { site: "js/pages/site.js" },
  { table_invitations: "js/pages/table_invitations.js" },
  { table: "js/table/main.js" },
  { replay: "js/replay/main.js", review_panel: "js/replay/review_panel.js" },
];
/** The pages, and groups of pages, with several style sheets: static/css/<name>.css lists them. */
const STYLES = ["site", "table", "replay", "review", "tools", "ratings", "history"];

const COMMON = {
  absWorkingDir: STATIC,
  outdir: OUT,
  bundle: true,
  minify: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};

/** The path below static/ under which an output is served: "dist/table.js". */
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
  made.push(await build({ ...options, entryNames: "[name]", chunkNames: "[name]-[hash]" }));
}
// The addresses of fonts stay as they are written: dist/css is as deep as css/base.
const sheets = STYLES.map((name) => `css/${name}.css`);
made.push(await build({ ...COMMON, entryPoints: sheets, outbase: STATIC, external: ["*.woff2"] }));
const entries = new Set([...SCRIPTS.flatMap(Object.values), ...sheets]);

const pages = {};
const inputs = new Set();
for (const { metafile } of made) {
  for (const name of Object.keys(metafile.inputs)) inputs.add(name);
  for (const [output, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    const needed = imports.filter(({ kind }) => kind === "import-statement");
    // esbuild calls the chunk of a dynamic import an entry, too.
    if (!entries.has(entryPoint)) continue;
    pages[entryPoint] = {
      file: published(output),
      needs: needed.map(({ path }) => published(path)),
    };
  }
}
const sorted = [...inputs].sort();
const record = { pages, inputs: sorted, hash: inputHash(sorted) };
writeFileSync(join(OUT, "bundles.json"), `${JSON.stringify(record, null, 1)}\n`);
