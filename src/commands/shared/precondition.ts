import { requestEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-numbers.ts";
import type { BugResult } from "../../api/delivery/bulk.ts";
import { editBase, wholeEditNames } from "../../api/write/body.ts";
import type { Change } from "../../api/write/change.ts";
import { overwrittenOn } from "../../api/write/overwritten.ts";
import { flagChangeText } from "../../api/write/preview.ts";
import type { UpdatePart } from "../../api/write/update-part.ts";
import { BtError } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Context } from "../verb.ts";
import { momentOf } from "./input-text.ts";
import type { UpdateOptions } from "./write-flags.ts";

/** Protection against overwriting changes of others; `seen` is the `last_change_time` of each bug as read. */
export type Precondition = {
  readonly seen: ReadonlyMap<number, string>;
  readonly latest: string | undefined; // bugs modified after this moment are not updated
};

/** Precondition of a conditional change, `--if-unchanged` and `--unchanged-since`; undefined without any. */
export function preconditionOf(
  { bugs, isConditional }: Change,
  { ifUnchanged, unchangedSince: since }: UpdateOptions,
  context: Context,
): Precondition | undefined {
  if (!isConditional && !ifUnchanged && since === undefined) return undefined;
  const seen = new Map(bugs.map(({ id, last_change_time }) => [id, last_change_time ?? ""]));
  return { seen, latest: since === undefined ? undefined : momentOf(since, context) };
}

/**
 * Checks the bugs of a guarded change right before it is sent.
 * @throws BtError of kind collision if another user modified one of the bugs, or a field that is written as a whole
 */
export async function checkUnmodified(
  { bugs, parts }: Change,
  precondition: Precondition | undefined,
  context: Context,
): Promise<void> {
  const ids = bugs.map(({ id }) => id);
  const changed = [...(await changedSince(ids, precondition, context))];
  for (const { bugs: some, body } of parts) changed.push(...(await conflictingStarts(some, body, context)));
  const [first, ...more] = changed;
  if (!first?.error) return;
  const details = changed.map(({ error }) => error?.message ?? "");
  const { hint = "review it, then update it without --if-unchanged and --unchanged-since" } = first.error.facts;
  throw new BtError(
    first.error.kind,
    more.length > 0 ? "some of the bugs were modified by another user" : first.error.message,
    { details: more.length > 0 ? details : [], hint, changed: "nothing" },
  );
}

/** True if a change is not to overwrite changes of others: it is conditional, or sets values as a whole. */
export function isGuarded(parts: readonly UpdatePart[], precondition: Precondition | undefined): boolean {
  return precondition !== undefined || parts.some(({ body }) => wholeEditNames(body).length > 0);
}

/** Collisions of bugs modified since, read right before they are written. */
export async function changedSince(
  ids: readonly number[],
  precondition: Precondition | undefined,
  context: Context,
): Promise<BugResult[]> {
  if (!precondition) return [];
  const results: BugResult[] = [];
  const plan = bugPlan(["last_change_time"]);
  for await (const outcomes of requestEach(ids.map(String), plan, context.session.send)) {
    for (const outcome of outcomes) {
      if ("error" in outcome) results.push({ bug: outcome.ref, st: "failed", error: outcome.error });
      else results.push(...collisionOf(Number(outcome.ref), outcome.thing.last_change_time ?? "", precondition));
    }
  }
  return results;
}

function collisionOf(id: number, changed: string, { seen, latest }: Precondition): BugResult[] {
  const limits = [seen.get(id), latest].filter((limit) => limit !== undefined);
  if (limits.every((limit) => changed <= limit)) return [];
  const error = new BtError("collision", `bug ${id} was modified by another user (${changed})`, { changed: "nothing" });
  return [{ bug: String(id), st: "collision", error }];
}

/** Update tokens of the bugs as read, for trackers that check them; undefined if a bug has none. */
export function updateTokens(bugs: readonly Bug[]): string | undefined {
  const tokens = bugs.flatMap(({ update_token }) => update_token ?? []);
  return tokens.length === bugs.length ? tokens.join(",") : undefined;
}

/** Passes results on, and collects the changes they overwrote. */
export async function* collectOverwritten(
  pages: AsyncIterable<readonly BugResult[]>,
  bugs: readonly Bug[],
  lines: string[],
) {
  for await (const page of pages) {
    lines.push(
      ...overwrittenOn(
        page.flatMap(({ changed }) => changed ?? []),
        bugs,
      ),
    );
    yield page;
  }
}

/**
 * Reports overwritten changes: a warning.
 * @throws BtError of kind collision if the update was conditional
 */
export async function reportOverwritten(lines: readonly string[], isGuarded: boolean, { io }: Context): Promise<void> {
  if (lines.length === 0) return;
  if (isGuarded) {
    throw new BtError("collision", "the update was applied, but overwrote a concurrent change by another user", {
      details: lines,
      changed: "some",
    });
  }
  for (const line of lines) await io.err(`bt: overwrote a newer change: ${plain(line)}\n`);
}

/**
 * Collisions of bugs on which a field written as a whole differs from the value read: writing it would revert someone
 * else's change. Read right before they are written, if any such field is edited.
 */
export async function conflictingStarts(
  bugs: readonly Bug[],
  body: JsonObject,
  context: Context,
): Promise<BugResult[]> {
  const names = wholeEditNames(body);
  if (names.length === 0) return [];
  const before = new Map(bugs.map((bug) => [String(bug.id), bug as JsonObject]));
  const moved: BugResult[] = [];
  for await (const outcomes of requestEach([...before.keys()], bugPlan(names), context.session.send)) {
    for (const outcome of outcomes) {
      if ("error" in outcome) moved.push({ bug: outcome.ref, st: "failed", error: outcome.error });
      else
        moved.push(
          ...modifiedFields(outcome.ref, body, { now: outcome.thing as JsonObject, was: before.get(outcome.ref) }),
        );
    }
  }
  return moved;
}

type Sides = { now: JsonObject; was: JsonObject | undefined };

function modifiedFields(bug: string, body: JsonObject, { now, was }: Sides): BugResult[] {
  const edits = wholeEditNames(body).map((name) => [name, { [name]: body[name] ?? null }] as const);
  const [name] = edits.find(([, edit]) => editBase(now, edit) !== editBase(was, edit)) ?? [];
  if (name === undefined) return [];
  const message = `bug ${bug}: another user changed ${name} from "${shown(was?.[name])}" to "${shown(now[name])}"`;
  const error = new BtError("collision", message, { hint: "run the command again", changed: "nothing" });
  return [{ bug, st: "collision", error }];
}

function shown(value: Json | undefined): string {
  return [value ?? ""].flat().map(itemText).join(", ");
}

function itemText(value: Json): string {
  return isObject(value) ? flagChangeText(String(value["name"]), value) : String(value);
}
