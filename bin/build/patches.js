import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ readonly file: string, readonly find: string, readonly put: string }} Text */
/** @typedef {{ readonly says: string, readonly from?: string, readonly file: string }} StandIn */

/**
 * What is changed in bundled packages, so that a part that a command does not need is not loaded. Beside each row of both
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
  { says: "node:http", from: "/undici/", file: "no-http.cjs" }, // 1 ms
  { says: "../web/fetch/body.js", file: "no-fetch-body.js" }, // 3.7 %
  { says: "chalk", from: "/palette.ts", file: "late-chalk.cjs" }, // 1.5 % of CPU time
  { says: "#supports-color", file: "no-colors.js" }, // Node's modules for terminals
  { says: "ajv/dist/2020.js", file: "no-ajv.js" }, // 16 % of `bt config set`, with the next one
  { says: "ajv-formats", file: "no-ajv.js" },
  { says: "semver", file: "no-semver.js" }, // 7 % of `bt config set`
  { says: "node:crypto", from: "/src/tracker/", file: "late-crypto.cjs" }, // 4 % of a search in a mirror
  { says: "re2js", from: "/src/tracker/", file: "late-re2js.cjs" }, // 3 % of a search in a mirror
  { says: "ansi-styles", file: "few-styles.cjs" }, // 28 KB, of which the prompts use one table
];

/**
 * Modules that become files beside the chunks, by what an import says, since few machines run them: undici's parser for
 * processors without SIMD, a quarter of its chunk.
 * @type {readonly StandIn[]}
 */
const ASIDE = [{ says: "../llhttp/llhttp-wasm.js", file: "llhttp-wasm.cjs" }];

/**
 * The bundler's plugin that applies the tables. It fails the build when a row applies to nothing, or when a package no
 * longer has the text that is to be changed.
 * @returns {import("rolldown").Plugin}
 */
export function patches({ texts = TEXTS, standIns = STAND_INS, aside = ASIDE } = {}) {
  /** @type {Set<Text | StandIn>} */
  const done = new Set();
  return {
    name: "patches",
    resolveId(id, importer = "") {
      const apart = aside.find(({ says }) => id === says);
      if (apart !== undefined) {
        done.add(apart);
        const source = readFileSync(path.resolve(path.dirname(importer), id));
        this.emitFile({ type: "asset", fileName: apart.file, source });
        return { id: `./${apart.file}`, external: true };
      }
      const row = standIns.find(({ says, from = "" }) => id === says && importer.includes(from));
      if (row === undefined) return undefined;
      done.add(row);
      return fileURLToPath(new URL(`stand-in/${row.file}`, import.meta.url));
    },
    load(id) {
      const row = texts.find(({ file }) => id.endsWith(file));
      if (row === undefined) return undefined;
      done.add(row);
      return patched(id, row);
    },
    buildEnd(error) {
      const missed = [...texts, ...standIns, ...aside].filter((row) => !done.has(row));
      if (error === undefined && missed.length > 0) {
        throw new Error(`no module of the bundle is changed by ${missed.map((row) => JSON.stringify(row)).join(", ")}`);
      }
    },
  };
}

function patched(/** @type {string} */ id, /** @type {Text} */ { file, find, put }) {
  const source = readFileSync(id, "utf8");
  if (source.split(find).length !== 2) throw new Error(`${file} no longer says "${find}" once`);
  return source.replace(find, () => put);
}
