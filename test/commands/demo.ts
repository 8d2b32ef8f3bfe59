import { openTracker } from "../../src/tracker/open.ts";
import { type Around, bt, type Ran } from "../bt.ts";

const NOW = "2026-11-20T12:00:00Z";

/** Runs command lines, one after the other, on one fresh demo tracker whose clock stands still. */
export function demo(): (line: string, around?: Partial<Around>) => Promise<Ran> {
  const { exchange, login } = openTracker("demo:", {
    now: () => new Date(NOW),
    random: (count) => new Uint8Array(count).fill(7),
    dataDirectory: "",
  });
  return (line, around = {}) => bt(line, { exchange, login, now: NOW, ...around });
}
