import v8 from "node:v8";
import type { buildConnector } from "undici";

/**
 * Keeps the end of a short command from waiting for a compiler. undici reads HTTP with llhttp as WebAssembly; after one
 * answer V8 finds its one huge function hot and starts to optimise it in the background, and Node does not end before
 * that job does: a search of 20 bugs takes 2.5 times the CPU time and 35 MiB more without this. The budget of its functions
 * is dealt out when llhttp is instantiated, which undici does when the first connection calls back, so the budget is out of
 * reach for just that call: for some 600 MiB of responses, which lose nothing by it. It has to be put back exactly: V8's
 * flags are part of the key of every code cache, Node's own for its builtins included. Of an engine whose default is not
 * known nothing is touched.
 *
 * `engine` is V8's version, like `11.3.244.8-node.33`; an empty one switches the guard off.
 */
export function withoutWasmTierUp(connect: buildConnector.connector, engine: string): buildConnector.connector {
  const budget = DEFAULT_BUDGETS[Number.parseInt(engine, 10)];
  if (budget === undefined) return connect;
  return (options, callback) =>
    connect(options, (...outcome) => {
      setBudget(MAX_BUDGET);
      try {
        callback(...outcome);
      } finally {
        setBudget(budget);
      }
    });
}

/** V8's default of `--wasm-tiering-budget` by major version: Node 20 has 11, 22 has 12, 24 has 13, 26 has 14. */
const DEFAULT_BUDGETS: Readonly<Record<number, number>> = {
  11: 1_800_000,
  12: 13_000_000,
  13: 13_000_000,
  14: 13_000_000,
};

const MAX_BUDGET = 2 ** 31 - 1;

function setBudget(units: number): void {
  v8.setFlagsFromString(`--wasm-tiering-budget=${units}`);
}
