import { BtError } from "../../errors.ts";
import type { Means } from "./deliver.ts";
import type { Sending } from "./flight.ts";
import { LATER_MS } from "./reconcile.ts";

type Holding = Pick<Means, "hearsay" | "ask" | "holdMs" | "beginner">;

/** How long a request may still be under way that left then, in milliseconds; nothing is sent where it cannot be told. */
export async function heldBack({ tracker }: Sending, { hearsay, ask, holdMs, beginner }: Holding): Promise<number> {
  await hearsay.askTime(ask).catch((error) => {
    if (!(error instanceof BtError)) throw error; // it is asked again with each look
  });
  const time = hearsay.time();
  if ((hearsay.isKeyed() && !beginner) || tracker?.from !== "database" || time?.from !== "database") return 0;
  return Math.min(holdMs, Math.max(0, holdMs - (time.at - tracker.at)));
}

/** Sleeps, and says how long where that is because of such a request. */
export async function patience(
  ms: number,
  held: number,
  { sleep, note }: Pick<Means, "sleep" | "note">,
): Promise<void> {
  if (held > 0 && ms === Math.max(LATER_MS, held))
    note(`the first request may still be under way; checking again in ${Math.ceil(ms / 1000)} s`);
  await sleep(ms);
}
