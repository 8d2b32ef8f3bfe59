import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What is changed in bundled packages, for the sake of start-up: a part that a command does not need is not loaded. */
const TEXTS = [
  {
    file: "node_modules/undici/lib/dispatcher/client.js",
    find: "const connectH2 = require('./client-h2.js')",
    put: "const connectH2 = (...given) => require('./client-h2.js')(...given)",
  },
  {
    file: "node_modules/commander/lib/command.js",
    find: "const childProcess = require('node:child_process')",
    put: "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) }",
  },
];

/** Modules that stand in for whole packages: the rest of undici takes 40 ms to load, ajv and semver 50. */
const STAND_INS = new Map([
  ["undici", "undici-client.js"],
  ["ajv/dist/2020.js", "no-ajv.js"],
  ["ajv-formats", "no-ajv.js"],
  ["semver", "no-semver.js"],
]);

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
    resolveId(id) {
      const file = STAND_INS.get(id);
      return file && fileURLToPath(new URL(`stand-in/${file}`, import.meta.url));
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
