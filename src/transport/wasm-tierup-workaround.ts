import v8 from "node:v8";
import type { buildConnector } from "undici";

/**
 * Keeps V8 11, the engine of Node 20, from optimising llhttp, with which undici reads HTTP as WebAssembly. V8 finds its one
 * huge function hot after a single response and optimises it in the background, and Node does not end before that job does: a
 * search of 20 bugs takes twice the CPU time and 25 MiB more. undici compiles llhttp when the first connection calls back, so
 * for that call alone V8 compiles at once all that it would compile later, and has no higher tier. The flags are restored
 * exactly: they are part of the key of every code cache, Node's own for its builtins included.
 *
 * `engine` is V8's version, like `11.3.244.8-node.33`.
 */
export function withoutWasmTierUp(connect: buildConnector.connector, engine: string): buildConnector.connector {
  if (!engine.startsWith("11.")) return connect;
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

/** Flags that are on by default. */
const FLAGS = ["wasm-lazy-compilation", "wasm-tier-up", "wasm-dynamic-tiering"];
