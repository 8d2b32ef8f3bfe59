"use strict";

// Preloaded by a test: tells on standard error, at the end, which files of dist/ were opened, which of Node's own modules
// were loaded, and which kinds of Intl were used, the first object of each of which takes ten milliseconds.
const fs = require("node:fs");
const path = require("node:path");

/** @type {readonly string[]} */
const modules = Reflect.get(require("node:process"), "moduleLoadList"); // grows with every module
const atStart = modules.length;

/** @type {Set<string>} */
const chunks = new Set();
for (const name of /** @type {const} */ (["openSync", "readFileSync"])) {
  const read = /** @type {(...given: unknown[]) => any} */ (fs[name]);
  fs[name] = (/** @type {unknown[]} */ ...given) => {
    const file = String(given[0]);
    if (path.basename(path.dirname(file)) === "dist") chunks.add(path.basename(file));
    return read(...given);
  };
}

/** @type {Set<string>} */
const locales = new Set();
globalThis.Intl = new Proxy(Intl, {
  get(intl, name) {
    locales.add(String(name));
    return Reflect.get(intl, name);
  },
});

process.on("exit", () => {
  const builtins = modules.slice(atStart).filter((entry) => /^NativeModule (?!internal)/.test(entry));
  const names = builtins.map((entry) => entry.slice(13));
  fs.writeSync(2, JSON.stringify({ chunks: [...chunks], builtins: names, locales: [...locales] }));
});
