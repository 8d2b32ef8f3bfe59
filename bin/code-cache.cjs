"use strict";

// Compiling the chunks of one command takes some 8 ms, a third of what `bt` adds to Node's own start. This file loads
// them through vm.Script with V8's code cache, which is made when a command ends and thus holds the functions that it
// used. It is kept per chunk, in the cache folder of the account. V8 compares no more of a source than its length, so
// the build's hash is in the file's name; it does not verify what it is given and crashes over one wrong bit, so each
// cache is stored twice and used only if both are equal; and it is code, so it is only taken from files that belong to
// this user and that nobody else can write. Nothing here may fail a command: without a cache it is slower, that is all.
// BT_NO_CODE_CACHE=1 switches it off.
const fs = require("node:fs");
const path = require("node:path");
const process = require("node:process");
const vm = require("node:vm");

/** @typedef {{ module: { exports: any }, script: vm.Script, stale: boolean }} Chunk */

/**
 * A `require` for the chunks in a folder that starts them from their code caches, and renews these at the end of the
 * process where one was missing or refused. `hash` names the build.
 */
exports.cachedLoader = function cachedLoader(/** @type {string} */ folder, /** @type {string} */ hash) {
  const store = storeFolder();
  if (store === undefined) return (/** @type {string} */ id) => require(path.join(folder, id));
  const prefix = path.join(store, `${hash}-${process.version}-${process.arch}-`);
  /** @type {Map<string, Chunk>} */
  const chunks = new Map();
  process.once("exit", () => renew(prefix, chunks));

  return function load(/** @type {string} */ id) {
    if (!id.startsWith("./")) return require(id);
    const name = path.basename(id);
    const known = chunks.get(name);
    if (known !== undefined) return known.module.exports;
    const file = path.join(folder, name);
    const chunk = compile(file, readTwin(prefix + name));
    chunks.set(name, chunk);
    chunk.script.runInThisContext()(chunk.module.exports, load, chunk.module, file, folder);
    return chunk.module.exports;
  };
};

/** Where the caches are, or nothing where a user cannot be told from another or has no place. */
function storeFolder() {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const base = XDG_CACHE_HOME || path.join(HOME ?? "", process.platform === "darwin" ? "Library/Caches" : ".cache");
  return process.getuid && path.isAbsolute(base) ? path.join(base, "bt") : undefined;
}

/** @returns {Chunk} */
function compile(/** @type {string} */ filename, /** @type {Buffer | undefined} */ cachedData) {
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(filename, "utf8")}\n})`;
  const script = new vm.Script(source, { filename, ...(cachedData && { cachedData }) });
  return { module: { exports: {} }, script, stale: cachedData === undefined || script.cachedDataRejected === true };
}

/** The first half of a file whose second half is the same, and that is ours alone. */
function readTwin(/** @type {string} */ file) {
  try {
    const handle = fs.openSync(file, "r");
    const { uid, mode, size } = fs.fstatSync(handle);
    const both = Buffer.allocUnsafeSlow(size);
    const read = fs.readSync(handle, both);
    fs.closeSync(handle);
    const half = both.subarray(0, size / 2);
    const ours = uid === process.getuid?.() && (mode & 0o022) === 0;
    return ours && read === size && half.equals(both.subarray(size / 2)) ? half : undefined;
  } catch {
    return undefined;
  }
}

/** One missing cache renews them all, so that the shared chunks come to hold what this command used of them too. */
function renew(/** @type {string} */ prefix, /** @type {ReadonlyMap<string, Chunk>} */ chunks) {
  if (![...chunks.values()].some(({ stale }) => stale)) return;
  const store = path.dirname(prefix);
  try {
    makeFolder(path.dirname(store));
    makeFolder(store);
    for (const [name, { script }] of chunks) writeTwin(prefix + name, script.createCachedData());
    removeOld(store);
  } catch {
    // A place that cannot be written has no cache.
  }
}

/** Never recursive: on a path like /proc/x/y that would not come to an end. */
function makeFolder(/** @type {string} */ folder) {
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 });
}

/** Drops what other builds and versions left behind a month before the newest file, all by the clock of the files. */
function removeOld(/** @type {string} */ store) {
  const files = fs.readdirSync(store).map((entry) => path.join(store, entry));
  const times = files.map((file) => fs.lstatSync(file).mtimeMs);
  const limit = Math.max(...times) - 30 * 24 * 3600 * 1000;
  for (const [at, file] of files.entries()) if (Number(times[at]) < limit) fs.rmSync(file);
}

function writeTwin(/** @type {string} */ file, /** @type {Buffer} */ data) {
  const draft = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(draft, Buffer.concat([data, data]), { mode: 0o600 });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true }); // what a full disk leaves of it
    throw error;
  }
}
