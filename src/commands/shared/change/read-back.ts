import { readBug } from "../../../api/bugs/bug-numbers.ts";
import type { Moments } from "../../../api/write/custom-fields.ts";
import { unreportedFields } from "../../../api/write/overwritten.ts";
import { fieldsToReadBack, ignoredByCreate, ignoredByUpdate } from "../../../api/write/read-back.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";

/**
 * The parameters of an update that its response does not report, and that the bug, read again, does not have; among them
 * custom date-times, which trackers read in a zone of their own.
 */
export async function notAppliedOf(changed: ChangedBug, read: Bug, { sent, moments }: Sent, { session, io }: Context) {
  const unreported = unreportedFields(read as JsonObject, sent, changed.changes);
  const open = Object.fromEntries(Object.entries(unreported).filter(([name]) => moments?.[name] === undefined));
  const names = [...Object.keys(open), ...Object.keys(moments ?? {})];
  if (names.length === 0) return [];
  try {
    const now = (await readBug(String(read.id), names, session.send)) as JsonObject;
    const ignored = ignoredByUpdate(open, { before: read as JsonObject, now });
    const shifted = Object.entries(moments ?? {}).filter(([name, time]) => secondsOf(now[name]) !== secondsOf(time));
    for (const [name, time] of shifted)
      await note(
        io,
        `bug ${read.id}: ${name} is ${now[name]}, not ${time}: set server_zone (bt config set server_zone ZONE)`,
      );
    return [...ignored, ...shifted.map(([name]) => name)];
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await note(io, `could not verify what was applied to bug ${read.id}: ${error.message}`);
    return [];
  }
}

/** The body as it was sent, and the moments (UTC) of its custom date-times. */
type Sent = { readonly sent: JsonObject; readonly moments: Moments };

function secondsOf(time: unknown): number {
  return Math.floor(Date.parse(String(time ?? "")) / 1000);
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
