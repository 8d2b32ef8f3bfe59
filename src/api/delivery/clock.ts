import { BtError } from "../../errors.ts";
import type { Reply } from "../../wire/exchange.ts";
import { KEYED } from "../../wire/idempotency.ts";
import { type Ask, get } from "../operation.ts";
import { isObject } from "../read.ts";

/** What the answers of a tracker tell of it by the way: its clock, and whether it knows a write again by its key. */
export type Hearsay = {
  readonly hear: (reply: Reply) => void;
  /** Asks what the clock shows that dates bugs and comments, once; a server in between may stamp answers by another one. */
  readonly askTime: (ask: Ask) => Promise<void>;
  /** What to add to this machine's clock for the tracker's, in milliseconds; never too much. */
  readonly skew: () => number | undefined;
  readonly isKeyed: () => boolean;
};

/** Listens to the answers of one tracker; `now` is this machine's clock in milliseconds. */
export function hearsay(now: () => number): Hearsay {
  let stamped: number | undefined;
  let told: number | undefined;
  let isKeyed = false;
  return {
    hear({ headers }) {
      const date = Date.parse(headers["date"] ?? "");
      if (Number.isFinite(date)) stamped = date - now();
      isKeyed ||= headers[KEYED] !== undefined;
    },
    async askTime(ask) {
      if (told !== undefined) return;
      const time = await timeOf(ask);
      if (time !== undefined) told = time - now();
    },
    skew: () => told ?? stamped,
    isKeyed: () => isKeyed,
  };
}

/** The time in the tracker's database; undefined where it is not told. */
async function timeOf(ask: Ask): Promise<number | undefined> {
  try {
    const answer = await ask(get("/rest/time"));
    const time = isObject(answer) ? String(answer["db_time"]) : "";
    return /Z$/.test(time) && Number.isFinite(Date.parse(time)) ? Date.parse(time) : undefined;
  } catch (error) {
    if (error instanceof BtError && NOT_TOLD.includes(error.kind)) return undefined;
    throw error;
  }
}

const NOT_TOLD: readonly string[] = ["missing", "refused", "auth", "reply"];
