import { requestEach } from "../../../api/batch.ts";
import { bugsByMessage } from "../../../api/bug-messages.ts";
import { bugPlan, readBug } from "../../../api/bugs/bug-numbers.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import type { UnreportedChange } from "../../../api/write/overwritten.ts";
import { fieldsToReadBack, ignoredByCreate, ignoredByUpdate, NOT_APPLIED_HINT } from "../../../api/write/read-back.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";

/** Fields in doubt as they were read back: those that the tracker ignored, by bug, and the bugs that could be read. */
export type FieldsReadBack = {
  readonly ignored: ReadonlyMap<number, readonly string[]>;
  readonly verified: readonly number[];
};

/** Reads back the fields in doubt; if that fails, it is noted. */
export async function readBackFields(unreported: UnreportedChange[], context: Context): Promise<FieldsReadBack> {
  const now = await readBugsNow(unreported, context);
  const ignored = new Map<number, string[]>();
  const verified: number[] = [];
  for (const { id, body, bug } of unreported) {
    const state = now.get(id);
    if (!state) continue;
    verified.push(id);
    const names = ignoredByUpdate(body, { before: bug as JsonObject, now: state });
    if (names.length > 0) ignored.set(id, names);
  }
  return { ignored, verified };
}

/** The bugs with the fields in doubt, as far as they can be read. */
async function readBugsNow(unreported: UnreportedChange[], context: Context): Promise<ReadonlyMap<number, JsonObject>> {
  const fields = [...new Set(unreported.flatMap(({ body }) => Object.keys(body)))];
  const ids = unreported.map(({ id }) => String(id));
  const now = new Map<number, JsonObject>();
  const failures = new Set<string>();
  const read = async () => {
    for await (const outcomes of requestEach(ids, bugPlan(fields), context.session.send)) {
      for (const outcome of outcomes) {
        if ("error" in outcome) failures.add(outcome.error.message);
        else now.set(Number(outcome.ref), outcome.thing as JsonObject);
      }
    }
  };
  await read().catch((error) => {
    if (!(error instanceof BtError)) throw error;
    failures.add(error.message);
  });
  for (const message of failures) await note(context.io, `could not verify what was applied: ${message}`);
  return now;
}

/** Lines about fields that the tracker ignored: of few bugs one each, of many one for all with the same fields. */
export function ignoredLines(ignored: FieldsReadBack["ignored"]): string[] {
  const lines = [...ignored].map(([id, names]) => ({ bug: String(id), message: `not applied: ${names.join(", ")}` }));
  if (lines.length > MAX_ATOMIC_BUGS) return bugsByMessage(lines);
  return lines.map(({ bug, message }) => `bug ${bug}: ${message}`);
}

/** @throws BtError of kind partial for fields that the tracker ignored */
export function refuseIgnored(ignored: FieldsReadBack["ignored"]): void {
  const lines = ignoredLines(ignored);
  const [first] = lines;
  if (first === undefined) return;
  throw new BtError("partial", ignored.size === 1 ? first : `some values were not applied to ${ignored.size} bugs`, {
    details: ignored.size === 1 ? [] : lines,
    hint: NOT_APPLIED_HINT,
    changed: "some",
  });
}

/**
 * Fields of a new bug that were not applied, read back in one request; undefined if nothing had to be read, or reading
 * failed, which is only noted, since the bug exists.
 */
export async function readNotApplied(id: number, body: JsonObject, context: Context): Promise<string[] | undefined> {
  const names = fieldsToReadBack(body);
  if (names.length === 0) return undefined;
  try {
    const bug = await readBug(String(id), [...names, "summary"], context.session.send);
    if (!isSameLine(bug.summary, body["summary"])) throw otherBugError(bug);
    await reportGroups(body, bug, context);
    return ignoredByCreate(body, bug);
  } catch (error) {
    if (!(error instanceof BtError) || error.kind === "unknown") throw error;
    await note(context.io, `created bug ${id}; could not verify what was applied: ${error.message}`);
    return undefined;
  }
}

/** True for a summary as it is stored: without control characters, and, by MySQL, with `????` for an emoji. */
function isSameLine(stored: Text, sent: Json | undefined): boolean {
  const [one, other] = [stored, sent].map((text) => String(text ?? "").replace(/[\p{Cc}\s?]|[^\0-\uffff]/gu, ""));
  return one === other;
}

type Text = string | null | undefined;

function otherBugError({ id, summary }: Bug): BtError {
  const message = `unknown outcome: the tracker's response names bug ${id}, which is another one: ${summary}`;
  return new BtError("unknown", message, { hint: "check the tracker before you retry", changed: "unknown" });
}

/** A product may add groups to a bug filed without any. */
async function reportGroups(
  { groups: given, product }: JsonObject,
  { id, groups }: Bug,
  { io }: Context,
): Promise<void> {
  if (!Array.isArray(given) || given.length > 0 || !groups?.length) return;
  await note(io, `created bug ${id}; ${product} restricted it to the group ${groups.join(", ")}`);
}
