import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What is changed in bundled packages, for the sake of start-up: a part that a command does not need is not loaded. */
const TEXTS = [
  {
    file: "node_modules/undici/lib/dispatcher/client.js",
    find: "const connectH2 = require('./client-h2.js')",
    put: "const { connectH2 } = require('./client-h2.js')",
  },
  {
    file: "node_modules/commander/lib/command.js",
    find: "const childProcess = require('node:child_process')",
    put: "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) }",
  },
];

/**
 * Modules that stand in for whole packages, by what an import says: the rest of undici takes 40 ms to load, ajv and
 * semver 50, and a failed assertion seconds. `from` is a part of the importer's path where not all are meant.
 */
const STAND_INS = [
  { says: "undici", from: "proxy-connection.ts", file: "undici-proxy.js" },
  { says: "undici", file: "undici.js" },
  { says: "node:assert", from: "/undici/", file: "quick-assert.cjs" },
  { says: "./client-h2.js", file: "no-http2.js" },
  { says: "./socks5-proxy-agent", file: "no-socks5.js" },
  { says: "../web/fetch/body.js", file: "no-fetch-body.js" },
  { says: "ajv/dist/2020.js", file: "no-ajv.js" },
  { says: "ajv-formats", file: "no-ajv.js" },
  { says: "semver", file: "no-semver.js" },
  { says: "#supports-color", file: "no-supports-color.js" },
];

/**
 * The bundler's plugin that applies both tables. It fails the build when a bundled package no longer has the text or
 * the file that is to be changed.
 * @returns {import("rolldown").Plugin}
 */
export function patches() {
  /** @type {Set<string>} */
  const done = new Set();
  return {
    name: "patches",
    resolveId(id, importer = "") {
      const row = STAND_INS.find(({ says, from = "" }) => id === says && importer.includes(from));
      return row && fileURLToPath(new URL(`stand-in/${row.file}`, import.meta.url));
    },
    load(id) {
      const row = TEXTS.find(({ file }) => id.endsWith(file));
      if (row === undefined) return undefined;
      done.add(row.file);
      return patched(id, row);
    },
    buildEnd() {
      const modules = [...this.getModuleIds()];
      const missed = TEXTS.filter(({ file }) => !done.has(file) && modules.some((id) => id.includes(packageOf(file))));
      if (missed.length > 0) throw new Error(`nothing of the bundle comes from ${missed.map(({ file }) => file)}`);
    },
  };
}

function patched(/** @type {string} */ id, /** @type {(typeof TEXTS)[number]} */ { file, find, put }) {
  const source = readFileSync(id, "utf8");
  if (source.split(find).length !== 2) throw new Error(`${file} no longer says "${find}" once`);
  return source.replace(find, () => put);
}

function packageOf(/** @type {string} */ file) {
  return file.split("/").slice(0, 2).join("/");
}
