import { type Catalog, fieldOf } from "../../api/catalog.ts";
import { legalValue, statusNames } from "../../api/legal-value.ts";
import { type Closing, closingParts, DEFAULT_RESOLUTION } from "../../api/write/closing.ts";
import { checkedText } from "../../api/write/limits.ts";
import { type Part, unchangedText } from "../../api/write/parts.ts";
import type { Meant } from "../../api/write/refusals.ts";
import { UPDATE_BUG } from "../../api/write-bugs.ts";
import { BtError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { readProse } from "../prose.ts";
import { bugTargets } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { bodyFrom, readingOf } from "./reading.ts";
import { applyUpdate, namedBugs } from "./update.ts";

/**
 * `bt bug close`: open bugs get the first closed status of the workflow and a resolution. Closed bugs are unchanged, unless a
 * resolution or a bug that they duplicate was named.
 */
export async function close(input: Input, context: Context): Promise<void> {
  const comment = await readProse({ name: "comment" }, input, context);
  const refs = await bugTargets(input.args, context);
  const named = await namedBugs(refs, context);
  const dupeOf = await originalOf(input, context);
  const parts = await withCatalog(context.tracker, async (catalog) => {
    const resolution = fieldOf(catalog, "resolution");
    const text = textOf(input.flags["resolution"]);
    const hours = bodyFrom(input, WORK_TIME, await readingOf(input, context, catalog));
    const closing: Closing = {
      status: statusNames(catalog, "closed")[0] ?? "RESOLVED",
      resolution: text === undefined ? undefined : legalValue(resolution, text),
      dupeOf,
      said: { ...commentBody(comment), ...hours },
      isSaidAnyway: input.flags["comment-anyway"] === true,
    };
    if (text === undefined && dupeOf === undefined) legalValue(resolution, DEFAULT_RESOLUTION);
    return closingParts(named.bugs, closing, catalog);
  });
  if (refs.length === 1 && !input.args.includes("-") && !input.flags["dry-run"]) checkSaid(parts);
  await applyUpdate({ ...named, parts }, { input, context });
}

const WORK_TIME = UPDATE_BUG.parameters.filter(({ name }) => name === "work_time");

async function originalOf(input: Input, context: Context): Promise<number | undefined> {
  const text = textOf(input.flags["dupe-of"]);
  if (text === undefined) return undefined;
  const { bugs } = await namedBugs(await bugTargets([text], context), context);
  return bugs[0]?.id ?? undefined;
}

/** Who comments on one bug wants the comment there, whatever state the bug is in. */
function checkSaid(parts: readonly Part[]): void {
  const [part] = parts;
  const [bug] = part?.bugs ?? [];
  if (!part?.dropped?.length || !bug) return;
  throw new BtError("partial", `bug ${bug.id}: ${unchangedText(part)}`, {
    hint: `bt comment add ${bug.id}, or --comment-anyway with this command`,
    changed: "nothing",
  });
}

/** `bt bug reopen`: back to the status of reopened bugs where there is one, else to that in which confirmed bugs wait. */
export async function reopen(input: Input, context: Context): Promise<void> {
  const status = await withCatalog(context.tracker, (catalog) => {
    const named = textOf(input.flags["status"]);
    if (named !== undefined) return legalValue(fieldOf(catalog, "status"), named);
    return statusNames(catalog, "open").find((name) => name === "REOPENED") ?? workStatus(catalog, 0);
  });
  const statuses = statusNames(await context.tracker.catalog(), "closed");
  await move(input.args, { status }, { input, context, meant: { statuses, word: "closed" } });
}

/** `bt bug confirm`: somebody else has seen it too. */
export async function confirm(input: Input, context: Context): Promise<void> {
  const status = workStatus(await context.tracker.catalog(), 0);
  await move(input.args, { status }, { input, context, meant: { statuses: [UNCONFIRMED], word: "unconfirmed" } });
}

/** The open statuses of confirmed bugs, in the order of the workflow: first those that wait, then those at work. */
function workStatus(catalog: Catalog, at: 0 | 1): string {
  const open = statusNames(catalog, "open").filter((name) => name !== UNCONFIRMED);
  return open[at] ?? open[0] ?? "CONFIRMED";
}

const UNCONFIRMED = "UNCONFIRMED";

/** `bt bug dup`: closes a bug as a repetition of another. */
export async function dup(input: Input, context: Context): Promise<void> {
  const [bug = "", original = ""] = input.args;
  const { bugs } = await namedBugs(await bugTargets([original], context), context);
  const [of] = bugs;
  await move([bug], { dupe_of: of?.id ?? 0 }, { input, context });
}

/** `bt bug take`: makes the requester the assignee, and says that work has begun when asked to. */
export async function take(input: Input, context: Context): Promise<void> {
  const login = await context.tracker.login();
  if (login === undefined) {
    throw new BtError("auth", "your login on this tracker is not known", { hint: "bt auth login", changed: "nothing" });
  }
  const status: JsonObject = input.flags["start"] ? { status: workStatus(await context.tracker.catalog(), 1) } : {};
  await move(input.args, { assigned_to: login, ...status }, { input, context });
}

type Around = { readonly input: Input; readonly context: Context; readonly meant?: Meant };

async function move(words: readonly string[], change: Readonly<Record<string, Json>>, around: Around): Promise<void> {
  const { input, context, meant } = around;
  const comment = await readProse({ name: "comment" }, input, context);
  const named = await namedBugs(await bugTargets(words, context), context);
  const parts = [{ bugs: named.bugs, body: { ...change, ...commentBody(comment) } }];
  await applyUpdate({ ...named, parts, ...(meant ? { meant } : {}) }, around);
}

function commentBody(text: string | undefined): JsonObject {
  return text === undefined ? {} : { comment: { body: checkedText("comment", text) } };
}
