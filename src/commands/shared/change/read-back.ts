import { readBug } from "../../../api/bugs.ts";
import { fieldsToReadBack, ignoredByCreate, isCustomTime, unreportedFields } from "../../../api/write/changes.ts";
import { isAsRequested } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { Io } from "../../../io.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";

/** Fields that the response of an update does not report, and the bug, read again, does not have. */
export async function notAppliedOf(
  read: Bug,
  sent: JsonObject,
  changes: Changes,
  { session, io }: Context,
): Promise<string[]> {
  const before = read as JsonObject;
  const names = unreportedFields(before, sent, changes);
  if (names.length === 0) return [];
  try {
    const now = (await readBug(String(read.id), names, session.send)) as JsonObject;
    const ignored = names.filter((name) => !isAsRequested(name, sent[name] ?? null, { before, now }));
    await noteOtherTimes(ignored, sent, now, io);
    return ignored;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await note(io, `could not verify what was applied to bug ${read.id}: ${error.message}`);
    return [];
  }
}

/** Notes custom date-times that the tracker read in another zone. */
async function noteOtherTimes(names: readonly string[], sent: JsonObject, now: JsonObject, io: Io): Promise<void> {
  for (const name of names.filter((one) => isCustomTime(one, sent[one])))
    await note(
      io,
      `${name} is ${now[name]}, not ${sent[name]}: bt config set server_zone ZONE sets the tracker's time zone`,
    );
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
    const ignored = ignoredByCreate(names, body, bug);
    await noteOtherTimes(ignored, body, bug as JsonObject, context.io);
    return ignored;
  } catch (error) {
    if (!(error instanceof BtError) || error.kind === "unknown") throw error;
    await note(context.io, `created bug ${id}; could not verify what was applied: ${error.message}`);
    return undefined;
  }
}

/** True for a summary as it is stored, by MySQL with `????` for an emoji. */
function isSameLine(stored: Bug["summary"], sent: Json | undefined): boolean {
  const [one, other] = [stored, sent].map((text) => String(text ?? "").replace(/[\p{Cc}\s?]|[^\0-\uffff]/gu, ""));
  return one === other;
}

function otherBugError({ id, summary }: Bug): BtError {
  const message = `unknown outcome: the tracker's response names bug ${id}, which is another one: ${summary}`;
  return new BtError("unknown", message, { hint: "check the tracker before you retry", changed: "unknown" });
}

/** A product may add groups to a bug filed without any. */
async function reportGroups(body: JsonObject, { id, groups }: Bug, { io }: Context): Promise<void> {
  const { groups: given, product } = body;
  if (!Array.isArray(given) || given.length > 0 || !groups?.length) return;
  await note(io, `created bug ${id}; ${product} restricted it to the group ${groups.join(", ")}`);
}
