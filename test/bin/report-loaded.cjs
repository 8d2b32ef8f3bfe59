"use strict";

// Preloaded by a test: tells on standard error, at the end, which chunks and which of Node's own modules were loaded.
const fs = require("node:fs");
const path = require("node:path");

/** @type {readonly string[]} */
const modules = Reflect.get(require("node:process"), "moduleLoadList"); // grows with every module
const atStart = modules.length;

process.on("exit", () => {
  const chunks = Object.keys(require.cache).filter((file) => path.basename(path.dirname(file)) === "dist");
  const builtins = modules.slice(atStart).filter((entry) => /^NativeModule (?!internal)/.test(entry));
  const report = {
    chunks: chunks.map((file) => path.basename(file)),
    builtins: builtins.map((entry) => entry.slice(13)),
  };
  fs.writeSync(2, JSON.stringify(report));
});
