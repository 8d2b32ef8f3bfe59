#!/usr/bin/env node
"use strict";

// The launcher: it loads the chunks of dist/, and ends the process with the exit code of main, since Node would wait for what is
// still open, such as a name that nobody answers for. Only --version alone is answered here, before anything is loaded; where
// that cannot be written, main says it again and reports why it could not. Nothing of the package is loaded by `require`: looking
// up three files takes Node 1 ms.
//
// Compiling the chunks of one command takes some 8 ms, a third of what `bt` adds to Node's own start. They are therefore
// loaded with V8's code cache, which is made when a command ends and thus holds the functions that it used. It is kept per
// chunk, in the cache folder of the account. V8 compares no more of a source than its length, so the build's hash is in the
// file's name; it does not verify what it is given and crashes over one wrong bit, so each cache is stored twice and used
// only if both are equal; and it is code, so it is only taken from files that belong to this user and that nobody else can
// write. Nothing here may fail a command: without a cache it is slower, that is all. BT_NO_CODE_CACHE=1 switches it off.
const fs = require("node:fs");
const path = require("node:path");
const process = require("node:process");

/** @typedef {{ module: { exports: any }, script: import("node:vm").Script, stale: boolean }} Chunk */

const dist = path.join(__dirname, "..", "dist");
const { version, hash } = JSON.parse(fs.readFileSync(path.join(dist, "build.json"), "utf8"));
const argv = process.argv.slice(2);

/** From this version of Node on, V8 lets what is new grow to a multiple of what it was before, which takes 50 MiB and more. */
const WASTEFUL_NODE = 24;

/** Commands that make and drop so much in a long time that V8 would keep 50 MiB of what is no longer used. */
const LONG_COMMANDS = ["migrate"];

/** V8's flags for less memory, each with the one that takes it back. */
const THRIFTY_FLAGS = thriftyFlags();

/** The wrapper in which Node runs a module. */
const BEFORE = "(function (exports, require, module, __filename, __dirname) {";
const AFTER = "\n})";

process.exitCode = 70; // of a run that comes to no end, which Node would call a success

if (argv.length !== 1 || argv[0] !== "--version" || !wrote(`bt ${version}\n`)) {
  setFlags("thrifty");
  loader()("./main.cjs")
    .main(argv)
    .then((/** @type {number} */ code) => process.exit(code));
} else {
  process.exitCode = 0;
}

function wrote(/** @type {string} */ text) {
  try {
    return fs.writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

/**
 * By a factor of 1, the space for what is new does not grow: it is cleaned up more often, which costs a long search a tenth of
 * its time. What is old is cleaned up before it has grown by a third, which costs a long command as much again.
 */
function thriftyFlags() {
  const isLong = argv.some((word) => LONG_COMMANDS.includes(word));
  const isWasteful = Number.parseInt(process.versions.node, 10) >= WASTEFUL_NODE;
  return [
    ...(isLong || isWasteful
      ? [{ thrifty: "--semi-space-growth-factor=1", usual: "--semi-space-growth-factor=2" }]
      : []),
    ...(isLong ? [{ thrifty: "--heap-growing-percent=30", usual: "--heap-growing-percent=0" }] : []),
  ];
}

function setFlags(/** @type {"thrifty" | "usual"} */ way) {
  for (const flag of THRIFTY_FLAGS) require("node:v8").setFlagsFromString(flag[way]);
}

/**
 * The result of what reads or writes code, with V8's flags as they were: they are part of the key of each code cache, those of
 * Node's own modules included. Without it a search over the network takes 9 % more instructions on Node 24.
 * @template Result
 * @param {() => Result} task
 */
function withCode(task) {
  setFlags("usual");
  try {
    return task();
  } finally {
    setFlags("thrifty");
  }
}

/**
 * Loads chunks by name, and renews their code caches at the end of the process where one was missing or refused. Coverage
 * is measured of chunks as Node loads them.
 */
function loader() {
  if (process.env["NODE_V8_COVERAGE"]) return (/** @type {string} */ id) => require(path.join(dist, id));
  const prefix = cachePrefix();
  /** @type {Map<string, Chunk>} */
  const chunks = new Map();
  if (prefix !== undefined) process.once("exit", () => withCode(() => renew(prefix, chunks)));

  return function load(/** @type {string} */ id) {
    if (!id.startsWith("./")) return withCode(() => require(id));
    const name = path.basename(id);
    const known = chunks.get(name);
    if (known !== undefined) return known.module.exports;
    const file = path.join(dist, name);
    const chunk = withCode(() => compile(file, prefix === undefined ? undefined : readTwin(prefix + name)));
    chunks.set(name, chunk);
    chunk.script.runInThisContext()(chunk.module.exports, load, chunk.module, file, dist);
    return chunk.module.exports;
  };
}

/** Beginning of the paths of the caches; none where they are unwanted, or a user has no place or cannot be told from another. */
function cachePrefix() {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const base = XDG_CACHE_HOME || path.join(HOME ?? "", process.platform === "darwin" ? "Library/Caches" : ".cache");
  if (process.env["BT_NO_CODE_CACHE"] || !process.getuid || !path.isAbsolute(base)) return undefined;
  return path.join(base, "bt", `${hash}-${process.version}-${process.arch}-`);
}

/** @returns {Chunk} */
function compile(/** @type {string} */ filename, /** @type {Buffer | undefined} */ cachedData) {
  const { Script } = require("node:vm");
  const script = new Script(readSource(filename), { filename, ...(cachedData && { cachedData }) });
  return { module: { exports: {} }, script, stale: cachedData === undefined || script.cachedDataRejected === true };
}

/** A chunk in its wrapper. Chunks are ASCII, and one string that was never joined of others spares V8 two copies of each. */
function readSource(/** @type {string} */ file) {
  const handle = fs.openSync(file, "r");
  const { size } = fs.fstatSync(handle);
  const bytes = Buffer.allocUnsafeSlow(BEFORE.length + size + AFTER.length);
  bytes.write(BEFORE);
  const read = fs.readSync(handle, bytes, BEFORE.length, size, 0);
  fs.closeSync(handle);
  bytes.write(AFTER, BEFORE.length + read);
  return bytes.toString("latin1", 0, BEFORE.length + read + AFTER.length);
}

/** The first half of a file whose second half is the same, and that is ours alone. */
function readTwin(/** @type {string} */ file) {
  try {
    const handle = fs.openSync(file, "r");
    const { uid, mode, size } = fs.fstatSync(handle);
    const half = Buffer.allocUnsafeSlow(size / 2);
    const ours = uid === process.getuid?.() && (mode & 0o022) === 0;
    const isWhole =
      ours && size === 2 * half.length && fs.readSync(handle, half) === half.length && isRest(handle, half);
    fs.closeSync(handle);
    return isWhole ? half : undefined;
  } catch {
    return undefined;
  }
}

/** True if the rest of a file is a text. It is read by pieces, since memory that is new costs more than reading. */
function isRest(/** @type {number} */ handle, /** @type {Buffer} */ text) {
  const piece = Buffer.allocUnsafeSlow(Math.min(text.length, 64 * 1024));
  for (let at = 0; at < text.length; at += piece.length) {
    const wanted = Math.min(piece.length, text.length - at);
    const read = fs.readSync(handle, piece, 0, wanted, null);
    if (read !== wanted || text.compare(piece, 0, read, at, at + read) !== 0) return false;
  }
  return true;
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
