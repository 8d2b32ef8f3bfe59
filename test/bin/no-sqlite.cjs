"use strict";

// Preloaded by a test: hides SQLite from the process, as it is on Node before 22.13 without the optional package.
const Module = require("node:module");

/** @type {Readonly<Record<string, string>>} */
const HIDDEN = { "node:sqlite": "ERR_UNKNOWN_BUILTIN_MODULE", libsql: "MODULE_NOT_FOUND" };

const { require: load } = Module.prototype;
Reflect.set(Module.prototype, "require", requireVisible);

/** @this {unknown} */
function requireVisible(/** @type {string} */ name) {
  const code = name.startsWith("@libsql/") ? HIDDEN["libsql"] : HIDDEN[name];
  if (code) throw Object.assign(new Error(`${name} is hidden`), { code });
  return Reflect.apply(load, this, [name]);
}
