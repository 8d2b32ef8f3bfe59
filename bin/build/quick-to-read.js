/**
 * Writes chunks as V8 reads them fastest. A source of one byte a character is read sooner, so what is beyond ASCII
 * becomes escapes; and a bundled CommonJS module, which runs as soon as it is asked for, is wrapped in a `(function`,
 * which V8 compiles at once, and not in an arrow, which it reads three times until then.
 * @returns {import("rolldown").Plugin}
 */
export function quickToRead() {
  return {
    name: "quick-to-read",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk") chunk.code = chunk.code.replace(BEYOND_ASCII, escaped).replace(WRAPPER, WRAPPED);
      }
    },
  };
}

const BEYOND_ASCII = /[^\0-\x7f]/g;
const WRAPPER = /\(\((?:\((exports,\s?module)\)|(exports))\s?=>\s?\{/g;
const WRAPPED = "((function($1$2){";

function escaped(/** @type {string} */ unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
