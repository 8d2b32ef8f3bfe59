import { bugsByMessage } from "../../../api/bug-messages.ts";
import type { UndoNote, UpdatePart } from "../../../api/write/update-part.ts";
import { partForBug, unchangedText } from "../../../api/write/update-request.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { CHANGE_COLUMNS, CHANGE_KEYS, changeRows } from "../../../view/change-rows.ts";
import { type ChangedThing, changesText } from "../../../view/changes.ts";
import { stableMember } from "../../../view/stable.ts";
import { bugLabel, countText, escapeJson, plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { type JsonObject, pathAndQuery, type Request } from "../../../wire/exchange.ts";
import type { ChangedBug, Field } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { chosenColumns, isForCards, jsonText, showList, showText, wireColumns } from "../output/print.ts";
import { changesInUtc } from "./date-times.ts";

/** Prints the result of an update: a diff on a terminal, an object for each bug as JSON, else a line per changed field. */
export async function showChanges(
  changed: readonly ChangedBug[],
  { parts, job }: { parts: readonly UpdatePart[]; job: string | undefined },
  context: Context,
): Promise<void> {
  const { format } = context.output;
  if (format === "json" || format === "ndjson") {
    const rows = changed.map((one) => ({ ...one, ...changeResult(one, partForBug(parts, one.id) ?? parts[0], job) }));
    const columns = wireColumns<ChangedRow>(changeKeys(parts));
    await showList(context, { columns: chosenColumns(columns, context), pages: [rows] });
    return;
  }
  const diffs = changed.map((one) => {
    const part = partForBug(parts, one.id) ?? parts[0];
    const bug = part?.bugs.find(({ id }) => id === one.id);
    const changes = part?.moments ? changesInUtc(one.changes, bug, part.moments) : one.changes;
    return { ...describedBug(one.id, bug), changes, part };
  });
  await showDiff("changes", diffs, context);
}

/** Keys of a changed bug in JSON. */
export function changeKeys(parts: readonly UpdatePart[]) {
  return CHANGE_KEYS[parts.some(({ notes }) => notes) ? "undo" : "update"];
}

type ChangedRow = ChangedBug & ReturnType<typeof changeResult> & { error?: JsonObject };

/** The outcome of a bug that was sent with others, in the words of an update of many. */
function changeResult({ id, changes }: ChangedBug, part: Partial<UpdatePart> = {}, job: string | undefined) {
  const ignored = part.ignored?.get(id);
  const isDone = Object.keys(changes).length > 0 || unreportedParts(part.body ?? {}) !== undefined;
  const result = isDone ? "done" : unchangedText(part);
  return {
    result: ignored ? `${result}, not applied: ${ignored.join(", ")}` : result,
    ...changeFacts(part, id),
    not_applied: ignored ?? part.dropped,
    job: isDone ? job : undefined,
  };
}

/** Facts that a tracker does not report of the change of a bug: parameters that had an effect, and values that were undone or not. */
export function changeFacts(
  part: Partial<UpdatePart> | undefined,
  id: number,
): UndoNote & { recorded?: string[] | undefined } {
  const names = ["comment", "comment_is_private", "work_time"].filter((name) => part?.body?.[name] !== undefined);
  return { recorded: names.length > 0 ? names : undefined, ...part?.notes?.get(id) };
}

/** Changes, made or expected, of a bug with its part of an update, or of a group or an attachment. */
type Diff = ChangedThing & { id: number; part?: UpdatePart | undefined };

/** A bug as messages name it. */
export function describedBug(id: number, bug: Bug | undefined) {
  return { id, name: bugLabel(id), title: bug?.summary ?? undefined };
}

/** Prints what a write would send, and the changes expected of it; without a request, nothing would be sent. */
export async function showPlan(
  request: Request | undefined,
  previews: Diff[],
  context: Context,
  things: "bugs" | "groups" | "attachments" = "bugs",
): Promise<void> {
  const { format } = context.output;
  if (format === "json" || format === "ndjson") {
    const plan = {
      dry_run: true,
      ...(request && { method: request.method, path: pathAndQuery(request), body: request.body as JsonObject }),
      ...(request?.file && { file: request.file }),
      [things]: previews.map(({ id, changes, part }) => ({
        id,
        changes: stableMember(changes, "changes"),
        not_applied: part?.dropped,
        ...part?.notes?.get(id),
      })),
    };
    return context.io.out(jsonText(plan, context));
  }
  if (request) {
    const body = escapeJson(JSON.stringify(request.body, null, 2));
    const file = request.file ? `with ${plain(request.file.path)} (${request.file.size} bytes) as data\n` : "";
    await context.io.err(`would send ${request.method} ${pathAndQuery(request)}\n${body}\n${file}`);
  }
  await showDiff("preview", previews, context);
}

/** Prints changes that were made, or a preview of them: a diff on a terminal, else a line per changed field. */
async function showDiff(what: "changes" | "preview", diffs: readonly Diff[], context: Context): Promise<void> {
  const changed = diffs.map(({ part, extras = unreportedParts(part?.body ?? {}), ...thing }) => ({
    ...thing,
    extras,
    missed: part?.dropped?.length ? unchangedText(part) : undefined,
  }));
  if (isForCards(context)) {
    const fields = await readLabels(context);
    return showText(context, changesText({ changed, fields, isPreview: what === "preview" }, context.output.view));
  }
  for (const { id, missed } of changed) if (missed) await note(context.io, `bug ${id}: ${missed}`);
  const recorded = changed.filter(({ changes, extras }) => extras && Object.keys(changes).length === 0);
  if (what === "changes" && recorded.length > 0) {
    const lines = recorded.map(({ id, extras }) => ({ bug: String(id), message: `${extras} recorded` }));
    for (const line of bugsByMessage(lines)) await context.io.err(`${line}\n`);
  }
  await showList(context, { columns: chosenColumns(CHANGE_COLUMNS, context), pages: [changeRows(changed)] });
}

/** Numbers of bugs by what became, or would become, of them. */
type Tally = { created?: number; updated: number; unchanged: number };

/** Tells a terminal how many bugs were, or would be, created and updated, and how many were as they should be. */
export async function reportTally(
  { created = 0, updated, unchanged }: Tally,
  { io }: Context,
  word: "updated" | "would be updated" = "updated",
): Promise<void> {
  if (!io.terminal.stderr) return;
  const parts = created > 0 ? [`${countText(created, "bug")} created`] : [`${countText(updated, "bug")} ${word}`];
  if (created > 0 && updated > 0) parts.push(`${updated} updated`);
  if (unchanged > 0) parts.push(`${unchanged} unchanged`);
  await io.err(`${parts.join(", ")}\n`);
}

/** Fields, for their labels; empty if the tracker does not return them. */
export async function readLabels({ session }: Context): Promise<readonly Field[]> {
  try {
    return await session.metadata.fields();
  } catch (error) {
    if (error instanceof BtError) return [];
    throw error;
  }
}

/** Parts of an update that trackers do not report among the changes. */
export function unreportedParts({ comment, comment_is_private, work_time }: JsonObject): string | undefined {
  const privacy = Object.keys((comment_is_private ?? {}) as JsonObject).length;
  const extras: string[] = [];
  if (comment !== undefined) extras.push("comment");
  if (work_time !== undefined) extras.push(`${work_time} h of work`);
  if (privacy > 0) extras.push(privacy === 1 ? "privacy of a comment" : `privacy of ${privacy} comments`);
  return extras.length > 0 ? extras.join(", ") : undefined;
}
