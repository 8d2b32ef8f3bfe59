"use strict";

// Preloaded by a test: of a process that a signal or a Ctrl-C ends, writes to the file TEST_ENDING how long it computed before
// and after that, and how long it waited after it, in milliseconds.
const { writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const { Readable } = require("node:stream");

const CTRL_C = 3; // what a terminal in raw mode sends
/** @type {{ used: NodeJS.CpuUsage, loop: ReturnType<typeof performance.eventLoopUtilization> } | undefined} */
let stopped;

function noteStop() {
  stopped ??= { used: process.cpuUsage(), loop: performance.eventLoopUtilization() };
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, noteStop);

const { push } = Readable.prototype;
Readable.prototype.push = function (chunk, encoding) {
  if (Buffer.isBuffer(chunk) && chunk.includes(CTRL_C)) noteStop();
  return push.call(this, chunk, encoding);
};

process.on("exit", () => {
  if (!stopped) return;
  const waited = performance.eventLoopUtilization().idle - stopped.loop.idle;
  const ending = { before: total(stopped.used), after: total(process.cpuUsage(stopped.used)), waited };
  writeFileSync(process.env["TEST_ENDING"] ?? "", JSON.stringify(ending));
});

function total(/** @type {NodeJS.CpuUsage} */ { user, system }) {
  return (user + system) / 1000;
}
