// Bundles src/main.ts, and the process that it may start, into CommonJS chunks in dist/, with the licences of what went into
// them; then writes what the sources generate: the data of the demo and the manual pages.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { build as bundle } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import { licences } from "./build/licences.js";

const root = path.join(import.meta.dirname, "..");
const started = new Date();
const work = mkdtempSync(path.join(root, "dist."));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));
const dist = path.join(work, "new"); // becomes dist/ when it is complete, so that tests and other builds can go on
const common = {
  cwd: root,
  platform: /** @type {const} */ ("node"),
  external: Object.keys(manifest.optionalDependencies),
};

const { output } = await bundle({
  ...common,
  input: "src/main.ts",
  resolve: { alias: { "./client-h2.js": false } }, // undici without HTTP/2, whose module of Node's takes 10 ms
  preserveEntrySignatures: "allow-extension",
  plugins: [licences()],
  output: {
    dir: dist,
    format: "cjs",
    strict: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: nameOf,
    dynamicImportInCjs: false,
    minify: {
      compress: false,
      mangle: { toplevel: true, keepNames: true },
      codegen: { asciiOnly: true, legalComments: "none" },
    },
  },
});
await writeGenerated();
const hash = createHash("sha256").update(JSON.stringify(output.map((file) => "code" in file && file.code)));
const build = { version: manifest.version, hash: hash.digest("hex").slice(0, 16) }; // no code cache is taken for another build's
writeFileSync(path.join(dist, "build.json"), JSON.stringify(build));
utimesSync(path.join(dist, "build.json"), started, started);
const place = path.join(root, "dist");
for (let n = 0; !tryRename(dist, place); n += 1) tryRename(place, path.join(work, `old-${n}`));

/** Renames a folder; false if it is missing, or the new name is taken. */
function tryRename(/** @type {string} */ from, /** @type {string} */ to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(code)) throw error;
    return false;
  }
}

/** A chunk is called by its module, `commands-bug.cjs`, or by its package. */
function nameOf(/** @type {import("rolldown").PreRenderedChunk} */ { facadeModuleId, name }) {
  const [, inPackage, inSource] = /node_modules\/([^/]+)|src\/(.+)\.ts$/.exec(facadeModuleId ?? "") ?? [];
  return `${(inPackage ?? inSource ?? name).replaceAll("/", "-")}.cjs`;
}

/** Writes demo.db, after the tracker went through all that happens in its demo, and man/, dated by the last change that users see. */
async function writeGenerated() {
  const { replayDemo, saveRows } = await importSource("src/tracker/demo/replay.ts");
  saveRows(await replayDemo(), path.join(dist, "demo.db"));

  const { TREE } = await importSource("src/commands/tree.ts");
  const { manPages } = await importSource("src/cli/man-pages.ts");
  const modified = statSync(path.join(root, "CHANGELOG.md")).mtime;
  const date = modified.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  for (const [page, text] of Object.entries(await manPages(TREE, date))) {
    const file = path.join(dist, "man", page);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Exports of a module of the sources, bundled into one file beside which its packages are found. */
async function importSource(/** @type {string} */ input) {
  const file = path.join(dist, `${path.basename(input)}.mjs`);
  await bundle({ ...common, input, logLevel: "silent", output: { file, codeSplitting: false } });
  const exports = await import(pathToFileURL(file).href);
  rmSync(file);
  return exports;
}
