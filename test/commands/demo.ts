import { applySetup, type Setup } from "../../src/tracker/setup/setup.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { type Around, bt, type Ran } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";

const NOW = "2026-11-20T12:00:00Z";

/**
 * Runs command lines, one after the other, on one fresh demo tracker whose clock stands still, after `setup` was applied to
 * it.
 */
export function demo(setup: Setup = {}): Run {
  return demoWithExchange(setup).run;
}

type Run = (line: string, around?: Partial<Around>) => Promise<Ran>;

export function demoWithExchange(setup: Setup = {}): { run: Run; exchange: Exchange } {
  const { exchange, login, store } = freshDemo({
    now: () => new Date(NOW),
    random: (count) => new Uint8Array(count).fill(7),
  });
  applySetup(store, setup);
  return { exchange, run: (line, around = {}) => bt(line, { exchange, login, now: NOW, ...around }) };
}
