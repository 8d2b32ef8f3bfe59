import { BtError, usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import { requestFor } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import type { ProductGroups } from "./product-move.ts";
import { editBase, groupByEditBase, wholeEditNames, withWholeValues } from "./whole-edits.ts";

/** One update of several bugs; a server applies it as often as a bug is named in `ids`. */
export function updateRequest(ids: readonly number[], body: JsonObject): Request {
  if (ids.length === 0) throw new BtError("internal", "an update of no bugs");
  return requestFor(UPDATE_BUG, { ids: [...new Set(ids)], ...body });
}

/** Refuses what only makes sense for one bug, before anything is sent. */
export function checkSingleBugRules(bugs: readonly Bug[], body: JsonObject): void {
  if (bugs.length < 2) return;
  const name = ["alias", "comment_is_private", "dupe_of"].find((one) => body[one] !== undefined);
  if (name === undefined) return;
  throw usage(
    `${name.replaceAll("_", " ")} can be changed on one bug at a time, not on ${bugs.length}`,
    "update the bugs one by one",
  );
}

/** Refuses an update that would change nothing because nothing was asked. */
export function checkNotEmpty(body: JsonObject, example = "bt bug update 12 --status RESOLVED -r FIXED"): void {
  if (Object.keys(body).length > 0) return;
  throw usage("nothing to change was given", `${example}; --help lists the flags`);
}

/** Bugs that get the same change; an empty body leaves them unchanged. */
export type UpdatePart = {
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
export function changingParts(parts: readonly UpdatePart[]): readonly UpdatePart[] {
  return parts.filter(({ body }) => Object.keys(body).length > 0);
}

/** The same change as it is sent: a part for each value that its edits start from (see whole-edits.ts). */
export function byWholeValue(part: UpdatePart): readonly UpdatePart[] {
  const names = wholeEditNames(part.body);
  if (names.length === 0) return [part];
  const groups = groupByEditBase(part.bugs, (bug) => editBase(bug, names));
  return groups.map((bugs) => ({ ...part, bugs, body: withWholeValues(part.body, bugs[0] as JsonObject | undefined) }));
}

/** The part that a bug belongs to; undefined for bugs that no part names. */
export function partForBug(parts: readonly UpdatePart[], id: number): UpdatePart | undefined {
  return parts.find(({ bugs }) => bugs.some((bug) => bug.id === id));
}

/** `unchanged`, with what was given and not sent. */
export function unchangedText({ dropped = [] }: UpdatePart): string {
  const names = dropped.map((name) => DROPPED[name] ?? name);
  return names.length > 0 ? `unchanged, ${names.join(" and ")} not added` : "unchanged";
}

const DROPPED: Readonly<Record<string, string>> = { work_time: "hours" };
