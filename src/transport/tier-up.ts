import v8 from "node:v8";

/** Runs one request, up to its headers, under a rule of its own. */
export type Guard = <Answer>(request: () => Promise<Answer>) => Promise<Answer>;

/**
 * Keeps the end of a short command from waiting for a compiler. undici reads HTTP with llhttp as WebAssembly; after one
 * answer V8 finds its one huge function hot and starts to optimise it in the background, and Node does not end before
 * that job does: 60 ms of CPU and 35 MiB for code that will not run again. A function gets its budget when it is
 * instantiated, so the budget is raised beyond reach for the first request and put back at its headers. It has to be
 * put back exactly: V8's flags are part of the key of every code cache, Node's own for its builtins included. Of an
 * engine whose default is not known, nothing is touched. Long transfers were measured to lose nothing.
 *
 * `engine` is V8's version, `11.3.244.8-node.33`; an empty one switches the guard off.
 */
export function tierUpGuard(engine: string): Guard {
  const budget = DEFAULT_BUDGETS[Number.parseInt(engine, 10)];
  let first = true;
  return async (request) => {
    if (!first || budget === undefined) return request();
    first = false;
    setBudget(1_000_000_000);
    try {
      return await request();
    } finally {
      setBudget(budget);
    }
  };
}

/** V8's own `--wasm-tiering-budget` by major version: Node 20 is 11, 22 is 12, 24 is 13, 26 is 14. */
const DEFAULT_BUDGETS: Readonly<Record<number, number>> = {
  11: 1_800_000,
  12: 13_000_000,
  13: 13_000_000,
  14: 13_000_000,
};

function setBudget(units: number): void {
  v8.setFlagsFromString(`--wasm-tiering-budget=${units}`);
}
