import { readDate, wireMoment } from "../api/query/dates.ts";
import type { Context } from "./context.ts";

/** A time as people write it, as the moment of the wire: the start of what it names, in the reader's time zone. */
export function momentOf(text: string, context: Context): string {
  return wireMoment(readDate(text, { now: context.io.now(), zone: context.output.view.timeZone }).start);
}
