#!/usr/bin/env node
"use strict";

// The launcher: it runs dist/main.cjs, and ends the process with its exit code, since Node would wait for what is still open.
//
// Chunks are loaded with V8's code cache, without which a search takes half as long again. Caches are written when a command
// ends, and thus hold the functions that it used. V8 compares no more of a source than its length, and crashes over one wrong
// bit of a cache: the build is part of a file's name, a checksum its end. A cache is code: it is only taken from a file of this
// user's that nobody else can write. Without caches a command is slower, that is all. BT_NO_CODE_CACHE=1 disables them.
const fs = require("node:fs");
const path = require("node:path");

const dist = path.join(__dirname, "..", "dist");
const { version, hash } = JSON.parse(fs.readFileSync(path.join(dist, "build.json"), "utf8"));
const argv = process.argv.slice(2);
const caches = cachePrefix(); // the beginning of their paths
/** @type {Map<string, { module: { exports: any }, script: import("node:vm").Script }>} */
const chunks = new Map();
let isStale = false;

const isDone = printVersion();
process.exitCode = isDone ? 0 : 70; // 70 if main never settles, which Node would call a success
if (caches) process.once("exit", () => isStale && writeCaches(caches));
if (!isDone) load("./main.cjs").main(argv).then(process.exit);

/** Prints the version for --version alone, before anything is loaded. If it cannot be written, main reports why. */
function printVersion() {
  try {
    return argv.length === 1 && argv[0] === "--version" && fs.writeSync(1, `bt ${version}\n`) > 0;
  } catch {
    return false;
  }
}

/** Exports of a chunk, of a package, or of a module of Node's. */
function load(/** @type {string} */ id) {
  if (!id.startsWith("./")) return require(id);
  const loaded = chunks.get(id);
  if (loaded) return loaded.module.exports;
  const filename = path.join(dist, id);
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(filename, "utf8")}\n})`;
  const cachedData = caches && readCache(caches + id.slice(2));
  const script = new (require("node:vm").Script)(source, { filename, ...(cachedData && { cachedData }) });
  isStale ||= !cachedData || script.cachedDataRejected === true;
  const module = { exports: {} };
  chunks.set(id, { module, script });
  script.runInThisContext()(module.exports, load, module, filename, dist);
  return module.exports;
}

/** Beginning of the paths of the caches; undefined if they are disabled, or where one user cannot be told from another. */
function cachePrefix() {
  const { XDG_CACHE_HOME, HOME, BT_NO_CODE_CACHE } = process.env;
  const base = XDG_CACHE_HOME || path.join(HOME ?? "", process.platform === "darwin" ? "Library/Caches" : ".cache");
  if (BT_NO_CODE_CACHE || !process.getuid || !path.isAbsolute(base)) return undefined;
  return path.join(base, "bt", `${hash}-${process.version}-${process.arch}-`);
}

function readCache(/** @type {string} */ file) {
  try {
    const handle = fs.openSync(file, "r");
    const { uid, mode } = fs.fstatSync(handle);
    const bytes = fs.readFileSync(handle);
    fs.closeSync(handle);
    const isOurs = uid === process.getuid?.() && (mode & 0o022) === 0;
    const code = bytes.subarray(0, -4);
    return isOurs && bytes.subarray(-4).equals(checksum(code)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the caches of all chunks, since this command used more of the shared ones, and deletes those of other builds. */
function writeCaches(/** @type {string} */ prefix) {
  const folder = path.dirname(prefix);
  try {
    const missing = [path.dirname(folder), folder].filter((part) => !fs.existsSync(part));
    for (const part of missing) fs.mkdirSync(part, { mode: 0o700 }); // recursive, it would not end below /proc
    for (const [id, { script }] of chunks) {
      const code = script.createCachedData();
      fs.rmSync(prefix + id.slice(2), { force: true });
      fs.writeFileSync(prefix + id.slice(2), Buffer.concat([code, checksum(code)]), { mode: 0o600, flag: "wx" });
    }
    const others = fs.readdirSync(folder).filter((name) => name.endsWith(".cjs") && !name.startsWith(hash));
    for (const name of others) fs.rmSync(path.join(folder, name));
  } catch {} // a folder that cannot be written has no caches
}

function checksum(/** @type {Buffer} */ code) {
  return Buffer.from(Uint32Array.of(require("node:zlib").crc32(code)).buffer);
}
