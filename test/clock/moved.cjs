"use strict";

// Preloaded by a test: in this process the time is told by the clock whose file TEST_CLOCK names, also when that clock is
// set while the process runs. Timers and performance.now() go on as they do on a machine whose clock is set.
const { told } = require("./told.cjs");

const file = process.env["TEST_CLOCK"];

if (file !== undefined) Object.assign(globalThis, { Date: new Proxy(Date, { construct, apply, get }) });

function now() {
  return told(String(file));
}

function construct(/** @type {Function} */ date, /** @type {unknown[]} */ args, /** @type {Function} */ kind) {
  return Reflect.construct(date, args.length === 0 ? [now()] : args, kind);
}

function apply() {
  return new Date(now()).toString();
}

function get(/** @type {object} */ date, /** @type {string | symbol} */ name) {
  return name === "now" ? now : Reflect.get(date, name);
}
