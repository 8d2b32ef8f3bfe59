/**
 * Writes chunks as V8 reads them fastest: a bundled CommonJS module, which runs as soon as it is asked for, is wrapped in a
 * `(function`, which V8 compiles at once, and not in an arrow, which it reads three times until then. Without it a search
 * over the network takes 5.7 % more instructions. It fails the build when nothing of a bundle is wrapped.
 * @returns {import("rolldown").Plugin}
 */
export function quickToRead() {
  return {
    name: "quick-to-read",
    generateBundle(_options, bundle) {
      let isAny = false;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const code = chunk.code.replace(WRAPPER, WRAPPED);
        isAny ||= code !== chunk.code;
        chunk.code = code;
      }
      if (!isAny) throw new Error("no CommonJS module of the bundle is wrapped as quick-to-read.js expects it");
    },
  };
}

const WRAPPER = /\(\((?:\((exports,\s?module)\)|(exports))\s?=>\s?\{/g;
const WRAPPED = "((function($1$2){";
