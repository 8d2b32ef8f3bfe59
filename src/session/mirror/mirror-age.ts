import type { Io } from "../../io.ts";
import { waitText } from "../../wire/exchange.ts";

type Clock = Pick<Io, "now">;

/** The age of a mirror: "as of 12 min ago"; the time of its last sync if this machine's clock was set back since then. */
export function ageText(lastSync: string, { now }: Clock): string {
  const ms = now().getTime() - Date.parse(lastSync);
  if (ms < -CLOCK_STEP_MS) return `as of ${lastSync}, which is later than this machine's clock`;
  return `as of ${ms < 2 * DAY_MS ? waitText(Math.max(1000, ms)) : `${Math.floor(ms / DAY_MS)} days`} ago`;
}

/** True if a sync is at most a day old by this machine's clock. */
export function isRecentSync(lastSync: string | null, { now }: Clock): boolean {
  const ms = now().getTime() - Date.parse(lastSync ?? "");
  return ms >= -CLOCK_STEP_MS && ms < DAY_MS;
}

const DAY_MS = 24 * 3_600_000;
const CLOCK_STEP_MS = 60_000;
