import { BtError } from "../errors.ts";
import type { Request } from "../wire/exchange.ts";
import { isRead } from "../wire/reading.ts";
import { asked } from "./address.ts";
import type { Fault } from "./fault.ts";
import { type Again, rowOf } from "./fault-words.ts";

/** What the wrappers above may read from an error of the network: whether trying again makes sense, and is harmless. */
export type FaultNote = { readonly again: Again; readonly fault: Fault };

/** The note that a fault left in its error; undefined for errors that come from elsewhere. */
export function faultNote(error: unknown): FaultNote | undefined {
  const cause = error instanceof BtError ? error.facts.cause : undefined;
  return typeof cause === "object" && cause !== null && "fault" in cause ? (cause as FaultNote) : undefined;
}

/** The error that a fault means to the user. A write that may have arrived is of unknown outcome, whatever the fault. */
export function faultError(fault: Fault, way: Way, request: Request): BtError {
  const { baseUrl, proxy } = way;
  const row = rowOf(fault);
  const unclear = fault.sent && !isRead(request);
  const said = row.say({ ...fault, host: baseUrl.host, name: baseUrl.hostname });
  const sentence = proxy && !fault.sent ? `${said}, through the proxy ${proxy.host}` : said;
  const note: FaultNote = { again: row.again ?? "yes", fault };
  return new BtError(unclear ? "unknown" : (row.kind ?? "network"), sentence, {
    asked: asked(baseUrl, request),
    changed: unclear ? "unknown" : "nothing",
    hint: row.hint,
    tooBig: row.tooBig,
    cause: note,
  });
}

/** The way to a tracker: its base URL, and the proxy between. */
export type Way = { readonly baseUrl: URL; readonly proxy?: URL | undefined };
