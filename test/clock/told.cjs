"use strict";

const fs = require("node:fs");
const process = require("node:process");

/** Milliseconds since this machine started: alike in all of its processes, whatever each of them takes for the date. */
function uptime() {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/**
 * The time in milliseconds by a clock that is kept in a file: `stands 5` is the moment 5, `ahead 5` runs 5 ms before the
 * machine's uptime.
 */
exports.told = function told(/** @type {string} */ file) {
  const [kind, ms] = fs.readFileSync(file, "latin1").split(" ");
  return Number(ms) + (kind === "ahead" ? uptime() : 0);
};

exports.uptime = uptime;
