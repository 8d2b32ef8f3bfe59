import { bindAdminOperations } from "../../src/tracker/admin/admin.ts";
import type { AdminArguments } from "../../src/tracker/admin/operation.ts";
import { type Around, bt, type Ran } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";

const NOW = "2026-11-20T12:00:00Z";

/**
 * Runs command lines, one after the other, on one fresh demo tracker whose clock stands still; `arranged` are operations of
 * `bt admin` that are done before.
 */
export function demo(
  arranged: Readonly<Record<string, AdminArguments>> = {},
): (line: string, around?: Partial<Around>) => Promise<Ran> {
  const surroundings = { now: () => new Date(NOW), random: (count: number) => new Uint8Array(count).fill(7) };
  const { exchange, login, store } = freshDemo({ ...surroundings });
  const operations = bindAdminOperations(store, surroundings);
  for (const [name, given] of Object.entries(arranged)) {
    operations.find(({ noun, verb }) => `${noun} ${verb}` === name)?.run(given);
  }
  return (line, around = {}) => bt(line, { exchange, login, now: NOW, ...around });
}
