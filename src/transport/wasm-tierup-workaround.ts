import v8 from "node:v8";
import type { buildConnector } from "undici";

/**
 * Keeps V8 from optimising llhttp, with which undici reads HTTP as WebAssembly. After one answer V8 finds its one huge
 * function hot and starts to optimise it in the background, which takes 35 MiB, and Node does not end before that job
 * does: a search of 20 bugs takes 2.5 times the CPU time. Responses lose nothing without: their bodies are passed on as
 * they are. undici compiles llhttp when the first connection calls back, so for just that call V8 compiles at once all that
 * it would compile later, and has no higher tier. The flags have to be put back exactly: they are part of the key of every
 * code cache, Node's own for its builtins included. Of an engine whose defaults are not known nothing is touched.
 *
 * `engine` is V8's version, like `11.3.244.8-node.33`; an empty one switches the guard off.
 */
export function withoutWasmTierUp(connect: buildConnector.connector, engine: string): buildConnector.connector {
  if (!KNOWN_ENGINES.has(Number.parseInt(engine, 10))) return connect;
  return (options, callback) =>
    connect(options, (...outcome) => {
      for (const flag of FLAGS) v8.setFlagsFromString(`--no-${flag}`);
      try {
        callback(...outcome);
      } finally {
        for (const flag of FLAGS) v8.setFlagsFromString(`--${flag}`);
      }
    });
}

/** Flags of V8 that are on by default in the known engines. */
const FLAGS = ["wasm-lazy-compilation", "wasm-tier-up", "wasm-dynamic-tiering"];

/** Major versions of V8: Node 20 has 11, 22 has 12, 24 has 13, 26 has 14. */
const KNOWN_ENGINES: ReadonlySet<number> = new Set([11, 12, 13, 14]);
