#!/usr/bin/env node
"use strict";

// The launcher: it sets the exit code that main answers with, and sees to it that the process ends then. Only --version alone
// is answered here, before anything is loaded; where that cannot be written, main says it again and reports why it could not.
const fs = require("node:fs");
const path = require("node:path");
const process = require("node:process");

const dist = path.join(__dirname, "..", "dist");
const { version, hash } = require(path.join(dist, "build.json"));
const argv = process.argv.slice(2);

/** For what has to come to its own end: a connection that was given up before it came about, a name that nobody answers for. */
const STRAGGLERS_MS = 50;

/** From this version of Node on, V8 lets what is new grow to a multiple of what it was before, which takes 50 MiB and more. */
const WASTEFUL_NODE = 24;

process.exitCode = 70; // of a run that comes to no end, which Node would call a success

if (argv.length !== 1 || argv[0] !== "--version" || !wrote(`bt ${version}\n`)) {
  if (Number.parseInt(process.versions.node, 10) >= WASTEFUL_NODE) saveMemory();
  loader()("./main.cjs")
    .main(argv)
    .then((/** @type {number} */ code) => {
      process.exitCode = code;
      setTimeout(() => process.exit(), STRAGGLERS_MS).unref();
    });
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

/** The space for what is new does not grow: it is cleaned up more often, which costs a long search a tenth of its time. */
function saveMemory() {
  require("node:v8").setFlagsFromString("--semi-space-growth-factor=1");
}

/** Loads chunks by name: through the code cache, or as Node does when that is unwanted or would spoil coverage. */
function loader() {
  const plain = process.env["BT_NO_CODE_CACHE"] || process.env["NODE_V8_COVERAGE"];
  if (plain) return (/** @type {string} */ name) => require(path.join(dist, name));
  return require("./code-cache.cjs").cachedLoader(dist, hash);
}
