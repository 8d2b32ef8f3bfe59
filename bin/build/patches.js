import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** @typedef {{ readonly file: string, readonly find: string, readonly put: string }} Text */
/** @typedef {{ readonly says: string, readonly from?: string, readonly file: string }} StandIn */
/** @typedef {{ readonly file: string, readonly keeps: readonly string[] | string }} Value */

/**
 * Changes of bundled packages, so that a part that a command does not need is not loaded. Beside each row of both
 * tables: how many more instructions a search over the network takes without it (valgrind, Node 20).
 * @type {readonly Text[]}
 */
const TEXTS = [
  {
    file: "node_modules/undici/lib/dispatcher/client.js", // 19 %, with the stand-in for client-h2.js
    find: "const connectH2 = require('./client-h2.js')",
    put: "const { connectH2 } = require('./client-h2.js')",
  },
  {
    file: "node_modules/commander/lib/command.js", // 3.3 %
    find: "const childProcess = require('node:child_process')",
    put: "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) }",
  },
];

/**
 * Modules that stand in for others, by what an import says. `from` is a part of the importer's path where not all are meant.
 * @type {readonly StandIn[]}
 */
const STAND_INS = [
  { says: "undici", from: "proxy-connection.ts", file: "undici-proxy.js" }, // what the next row lacks, for a proxy alone
  { says: "undici", file: "undici.js" }, // 40 % of CPU time
  { says: "node:assert", from: "/undici/", file: "quick-assert.cjs" }, // 2 %, and 350 ms after a response that is no HTTP
  { says: "./client-h2.js", file: "no-http2.js" }, // 19 %, with the text of client.js
  { says: "node:os", from: "/session/pager.ts", file: "late-os.cjs" }, // 0.3 ms
  { says: "node:http", from: "/undici/", file: "no-http.cjs" }, // 1 ms
  { says: "../web/fetch/body.js", file: "no-fetch-body.js" }, // 3.7 %
  { says: "./constants", from: "/undici/lib/core/", file: "no-header-names.cjs" }, // 5 %, with the values below
  { says: "../core/diagnostics.js", file: "no-diagnostics.cjs" }, // 3 KB, with the next one
  { says: "./diagnostics.js", from: "/undici/lib/core/", file: "no-diagnostics.cjs" },
  { says: "./help.js", from: "/commander/", file: "no-commander-help.cjs" }, // 7 KB, with the next two
  { says: "./lib/help.js", from: "/commander/", file: "no-commander-help.cjs" },
  { says: "./suggestSimilar", from: "/commander/", file: "no-commander-help.cjs" },
  { says: "chalk", from: "/palette.ts", file: "late-chalk.cjs" }, // 1.5 % of CPU time
  { says: "#supports-color", file: "no-colors.js" }, // Node's modules for terminals
  { says: "ajv/dist/2020.js", file: "no-ajv.js" }, // 16 % of `bt config set`, with the next one
  { says: "ajv-formats", file: "no-ajv.js" },
  { says: "semver", file: "no-semver.js" }, // 7 % of `bt config set`
  { says: "node:crypto", from: "/src/tracker/", file: "late-crypto.cjs" }, // 4 % of a search in a mirror
  { says: "re2js", from: "/src/tracker/", file: "late-re2js.cjs" }, // 3 % of a search in a mirror
  { says: "ansi-styles", file: "few-styles.cjs" }, // 28 KB, of which the prompts use one table
];

const LLHTTP = "node_modules/undici/lib/llhttp";

/**
 * Modules that are values, which the build finds out: a table, of which some exports are kept, and undici's parser, bytes that
 * become a file of this name beside the chunks. As base64 they are 72 KB for V8 to read and to keep in the code cache; the
 * second is for processors without SIMD.
 * @type {readonly Value[]}
 */
const VALUES = [
  { file: `${LLHTTP}/constants.js`, keeps: ["ERROR", "TYPE"] },
  { file: `${LLHTTP}/llhttp_simd-wasm.js`, keeps: "llhttp_simd.wasm" },
  { file: `${LLHTTP}/llhttp-wasm.js`, keeps: "llhttp.wasm" },
];

/**
 * The bundler's plugin that applies the tables. It fails the build when a row applies to nothing, or when a package no
 * longer has the text that is to be changed.
 * @returns {import("rolldown").Plugin}
 */
export function patches({ texts = TEXTS, standIns = STAND_INS, values = VALUES } = {}) {
  /** @type {Set<Text | StandIn | Value>} */
  const done = new Set();
  return {
    name: "patches",
    resolveId(id, importer = "") {
      const row = standIns.find(({ says, from = "" }) => id === says && importer.includes(from));
      if (row === undefined) return undefined;
      done.add(row);
      return fileURLToPath(new URL(`stand-in/${row.file}`, import.meta.url));
    },
    load(id) {
      const row = [...texts, ...values].find(({ file }) => id.endsWith(file));
      if (row === undefined) return undefined;
      done.add(row);
      if ("find" in row) return patched(id, row);
      const { keeps } = row;
      if (typeof keeps === "string") this.emitFile({ type: "asset", fileName: keeps, source: require(id) });
      return typeof keeps === "string" ? readingFile(keeps) : exporting(require(id), keeps);
    },
    buildEnd(error) {
      const missed = [...texts, ...standIns, ...values].filter((row) => !done.has(row));
      if (error === undefined && missed.length > 0) {
        throw new Error(`no module of the bundle is changed by ${missed.map((row) => JSON.stringify(row)).join(", ")}`);
      }
    },
  };
}

/** A module whose export is a file beside the chunks. */
function readingFile(/** @type {string} */ file) {
  return `module.exports = require("node:fs").readFileSync(require("node:path").join(__dirname, ${JSON.stringify(file)}));`;
}

/** A module that exports some values of another. */
function exporting(/** @type {Readonly<Record<string, unknown>>} */ values, /** @type {readonly string[]} */ names) {
  return names.map((name) => `exports.${name} = ${JSON.stringify(values[name])};`).join("\n");
}

function patched(/** @type {string} */ id, /** @type {Text} */ { file, find, put }) {
  const source = readFileSync(id, "utf8");
  if (source.split(find).length !== 2) throw new Error(`${file} no longer says "${find}" once`);
  return source.replace(find, () => put);
}
