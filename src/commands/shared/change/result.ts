import { readBug } from "../../../api/bugs.ts";
import type { Sent } from "../../../api/delivery/send-write.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import {
  fieldsToReadBack,
  ignoredByCreate,
  isAsRequested,
  isCustomTime,
  overwrittenLines,
  recordedParameters,
  requestBody,
  unreportedFields,
} from "../../../api/write/changes.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";

/** What became of a bug, or would. */
export type ChangeResult = {
  readonly ref: string; // the id, or the word that names a missing bug
  readonly bug?: Bug | undefined; // as read before the request
  readonly line?: number | undefined; // of a new bug
  readonly oldId?: number | undefined;
  readonly st:
    | "created"
    | "applied"
    | "unchanged"
    | "refused"
    | "unknown"
    | "not tried"
    | `would ${"change" | "create"}`;
  readonly body?: JsonObject | undefined; // as sent
  readonly changed?: ChangedBug | undefined;
  readonly error?: BtError | undefined;
  readonly why?: string | undefined; // nothing was to be done
  readonly notApplied?: readonly string[] | undefined; // parameters that were not sent, or ignored without an error
  readonly overwritten?: readonly string[] | undefined; // lines about newer values of others
};

/** The result of a bug of an update, with newer values that it overwrote, and what was not applied. */
export async function updateResult(
  { ref, bug: planned, body }: Pick<ChangeResult, "ref" | "bug"> & { readonly body: JsonObject },
  sent: Sent,
  context: Context,
): Promise<ChangeResult> {
  const before = sent.write.before?.find(({ id }) => String(id) === ref);
  const bug = { ...planned, ...before } as Bug;
  const result = sentResult({ ref, bug, body }, sent);
  if (!before || !result.changed) return result;
  const read = bug as JsonObject;
  const { ids: _, ...sentValues } = requestBody(sent.write.request);
  const times = Object.entries(body).filter(([name, value]) => isCustomTime(name, value)); // sent in another zone
  const values = { ...sentValues, ...Object.fromEntries(times) };
  const { changes } = result.changed;
  const overwritten = overwrittenLines(read, values, changes).map((line) => `bug ${ref}: ${line}`);
  const names = unreportedFields(read, values, changes);
  const now = await readWritten(bug.id, names, context);
  if (!now) return { ...result, overwritten };
  const notApplied = names.filter((name) => !isAsRequested(name, values[name] ?? null, now as JsonObject, read));
  await noteOtherTimes(notApplied, values, now, context);
  return { ...result, overwritten, notApplied };
}

/** The result of a bug by the outcome of its request; a request that never reached the tracker was not tried. */
export function sentResult(
  facts: Pick<ChangeResult, "ref" | "line" | "oldId" | "bug" | "body">,
  { outcome, error }: Sent,
): ChangeResult {
  if (outcome === undefined) return { ...facts, st: "not tried", error: error ?? INTERRUPTED };
  if (outcome.st !== "applied") {
    const isUntried = outcome.st === "refused" && ["local", "network"].includes(outcome.error.kind);
    return { ...facts, st: isUntried ? "not tried" : outcome.st, error: outcome.error };
  }
  const changed = readChangedItems<ChangedBug>(outcome.response, "bugs").find(({ id }) => String(id) === facts.ref);
  const isChanged = Object.keys(changed?.changes ?? {}).length > 0 || recordedParameters(facts.body ?? {}).length > 0;
  return { ...facts, changed, st: isChanged ? "applied" : "unchanged" };
}

/** The error of a write that was not tried after Ctrl-C. */
export const INTERRUPTED = new BtError("partial", "interrupted before it was sent");

/** Fields of a new bug that were not applied; notes groups that its product gave it. */
export async function readNotApplied(
  id: number,
  body: JsonObject,
  context: Context,
): Promise<readonly string[] | undefined> {
  const names = fieldsToReadBack(body);
  const bug = await readWritten(id, names, context);
  if (!bug) return undefined;
  if (!isSameLine(bug.summary, body["summary"])) throw otherBugError(bug);
  const { groups: given, product } = body;
  if (Array.isArray(given) && given.length === 0 && bug.groups?.length)
    await note(context.io, `created bug ${id}; ${product} restricted it to the group ${bug.groups.join(", ")}`);
  const notApplied = ignoredByCreate(names, body, bug);
  await noteOtherTimes(notApplied, body, bug, context);
  return notApplied;
}

/** The bug with the named fields, read again; undefined without any, or, with a note, if it cannot be read. */
async function readWritten(id: number, names: readonly string[], { io, session }: Context): Promise<Bug | undefined> {
  if (names.length === 0) return undefined;
  return readBug(String(id), [...names, "summary"], session.send).catch(async (error: unknown) => {
    if (!(error instanceof BtError)) throw error;
    await note(io, `could not verify what was applied to bug ${id}: ${error.message}`);
    return undefined;
  });
}

/** Notes custom date-times that the tracker read in another zone than the configured one. */
async function noteOtherTimes(
  notApplied: readonly string[],
  sent: JsonObject,
  bug: Bug,
  { io }: Context,
): Promise<void> {
  for (const name of notApplied.filter((one) => isCustomTime(one, sent[one])))
    await note(
      io,
      `${name} is ${(bug as JsonObject)[name]}, not ${sent[name]}: bt config set server_zone ZONE sets the tracker's time zone`,
    );
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
