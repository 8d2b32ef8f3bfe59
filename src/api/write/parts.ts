import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { ProductGroups } from "./product-groups.ts";
import { byStart, startOf, wholeEditNames, withWholeValues } from "./whole-edits.ts";

/** Bugs that get the same change; an empty body leaves them unchanged. */
export type Part = {
  readonly bugs: readonly Bug[];
  readonly body: JsonObject;
  /** The change is for bugs in this state only, also when it is resumed later. */
  readonly only?: "open" | undefined;
  /** Parameters that were given but not sent, since the bugs stay as they are. */
  readonly dropped?: readonly string[];
  /** Where the bugs move to another product: what is known of its groups. */
  readonly target?: ProductGroups | undefined;
  /** The moments in UTC that custom date-times are set to; the body holds them as the tracker's own clock shows them. */
  readonly moments?: Readonly<Record<string, string>>;
};

/** The parts that change something. */
export function changingParts(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ body }) => Object.keys(body).length > 0);
}

/** The same change as it is sent: a part for each value that its edits start from (see whole-edits.ts). */
export function byWholeValue(part: Part): readonly Part[] {
  const names = wholeEditNames(part.body);
  if (names.length === 0) return [part];
  const groups = byStart(part.bugs, (bug) => startOf(bug, names));
  return groups.map((bugs) => ({ ...part, bugs, body: withWholeValues(part.body, bugs[0] as JsonObject | undefined) }));
}

/** The part that a bug belongs to; undefined for bugs that no part names. */
export function partOf(parts: readonly Part[], id: number): Part | undefined {
  return parts.find(({ bugs }) => bugs.some((bug) => bug.id === id));
}

/** `unchanged`, with what was given and not sent. */
export function unchangedText({ dropped = [] }: Part): string {
  const names = dropped.map((name) => DROPPED[name] ?? name);
  return names.length > 0 ? `unchanged, ${names.join(" and ")} not added` : "unchanged";
}

const DROPPED: Readonly<Record<string, string>> = { work_time: "hours" };
