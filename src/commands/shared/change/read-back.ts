import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { findUnreportedChanges } from "../../../api/write/overwritten.ts";
import { ignoredByUpdate } from "../../../api/write/read-back.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";

/**
 * The parameters of an update that its response does not report, and that the bug, read again, does not have; among them
 * custom date-times, which trackers read in a zone of their own.
 */
export async function notAppliedOf(changed: ChangedBug, read: Bug, { sent, moments }: Sent, { session, io }: Context) {
  const [open] = findUnreportedChanges([changed], [{ bugs: [read], body: sent, moments }]);
  const names = [...Object.keys(open?.body ?? {}), ...Object.keys(moments ?? {})];
  if (names.length === 0) return [];
  try {
    const now = (await readBug(String(read.id), names, session.send)) as JsonObject;
    const ignored = open ? ignoredByUpdate(open.body, { before: read as JsonObject, now }) : [];
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
type Sent = { readonly sent: JsonObject; readonly moments: UpdatePart["moments"] };

function secondsOf(time: unknown): number {
  return Math.floor(Date.parse(String(time ?? "")) / 1000);
}
