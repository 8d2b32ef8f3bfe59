import { GET_BUG } from "../../../api/operations/bugs.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { readBugs } from "../../../api/response/response-objects.ts";
import { certainMoment, isLocalTime, momentsIn } from "../../../api/write/custom-fields.ts";
import type { UndoNote, UpdatePart } from "../../../api/write/update-part.ts";
import { partForBug, unchangedText } from "../../../api/write/update-request.ts";
import { BtError } from "../../../errors.ts";
import { CHANGE_COLUMNS, changeRows } from "../../../view/change-rows.ts";
import { changesText } from "../../../view/changes.ts";
import { stableMember } from "../../../view/stable.ts";
import { bugLabel, escapeJson, plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { type JsonObject, pathAndQuery, type Request } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import type { BugHistory, ChangedBug, Changes, Field, FieldChange } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { chosenColumns, isForCards, jsonText, showList, showText, wireColumns } from "../output/print.ts";

/** Prints the result of an update: a diff on a terminal, the response as JSON, else a line per changed field. */
export async function showChanges(
  changed: readonly ChangedBug[],
  parts: readonly UpdatePart[],
  context: Context,
): Promise<void> {
  const { format } = context.output;
  if ((format === "json" || format === "ndjson") && !context.output.fields) {
    const columns = wireColumns<ChangedBug & NotApplied & UndoNote>([
      ...(["id", "alias", "last_change_time", "changes"] as const),
      ...(["not_applied", "undone", "not_undone"] as const),
    ]);
    const rows = changed.map((one) => {
      const part = partForBug(parts, one.id);
      return { ...one, not_applied: part?.ignored?.get(one.id) ?? part?.dropped, ...part?.notes?.get(one.id) };
    });
    await showList(context, { columns, pages: [rows] });
    return;
  }
  const diffs = changed.map((one) => {
    const part = partForBug(parts, one.id) ?? parts[0];
    const bug = part?.bugs.find(({ id }) => id === one.id);
    return { ...one, part, bug, changes: part?.moments ? changesInUtc(one.changes, bug, part.moments) : one.changes };
  });
  await showDiff(diffs, false, context);
}

/** Parameters that had no effect on a bug. */
type NotApplied = { not_applied?: readonly string[] | undefined };

/** Expected changes of a bug. */
type Preview = { bug: Bug; changes: Changes; part?: UpdatePart };

/** Prints what a write would send and change; without a request, nothing would be sent. */
export async function showPlan(request: Request | undefined, expected: Preview[], context: Context): Promise<void> {
  const previews = expected.map((preview) => ({ ...preview, id: preview.bug.id, part: preview.part }));
  const { format } = context.output;
  if (format === "json" || format === "ndjson") {
    const plan = {
      dry_run: true,
      ...(request && { method: request.method, path: pathAndQuery(request), body: request.body as JsonObject }),
      ...(request?.file && { file: request.file }),
      [plannedItems(request)]: previews.map(({ id, bug, changes, part }) => ({
        id,
        changes: stableMember(changes, "changes"),
        not_applied: part?.dropped,
        ...part?.notes?.get(bug.id),
      })),
    };
    return context.io.out(jsonText(plan, context));
  }
  if (request) {
    const body = escapeJson(JSON.stringify(request.body, null, 2));
    const file = request.file ? `with ${plain(request.file.path)} (${request.file.size} bytes) as data\n` : "";
    await context.io.err(`would send ${request.method} ${pathAndQuery(request)}\n${body}\n${file}`);
  }
  const isAboutAttachments = plannedItems(request) === "attachments";
  const diffs = previews.map((preview) => ({
    ...preview,
    ...(isAboutAttachments ? { name: `attachment ${preview.id}` } : {}),
  }));
  await showDiff(diffs, true, context);
}

function plannedItems(request: Request | undefined): string {
  if (request?.operation === "Update Attachment") return "attachments";
  return request?.operation === "Update Group" ? "groups" : "bugs";
}

type Diff = {
  id: number;
  name?: string; // `#12` if absent
  changes: Changes;
  bug: Bug | undefined;
  part: UpdatePart | undefined;
};

async function showDiff(diffs: readonly Diff[], isPreview: boolean, context: Context): Promise<void> {
  const changed = diffs.map(({ id, name = bugLabel(id), changes, bug, part }) => ({
    id,
    name,
    title: bug?.summary ?? undefined,
    changes,
    aside: unreportedParts(part?.body ?? {}),
    missed: part?.dropped?.length ? unchangedText(part) : undefined,
  }));
  if (isForCards(context)) {
    const fields = await labels(context);
    return showText(context, changesText({ changed, fields, isPreview }, context.output.view));
  }
  for (const { id, missed } of changed) if (missed) await context.io.err(`bt: bug ${id}: ${missed}\n`);
  await showList(context, { columns: chosenColumns(CHANGE_COLUMNS, context), pages: [changeRows(changed)] });
}

/** Fields, for their labels; empty if the tracker does not return them. */
export async function labels({ session }: Context): Promise<readonly Field[]> {
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
  const asides: string[] = [];
  if (comment !== undefined) asides.push("comment");
  if (work_time !== undefined) asides.push(`${work_time} h of work`);
  if (privacy > 0) asides.push(privacy === 1 ? "privacy of a comment" : `privacy of ${privacy} comments`);
  return asides.length > 0 ? asides.join(", ") : undefined;
}

/**
 * Moments (UTC) that a body sets custom date-times to, which it holds in the tracker's local time; undefined if it sets
 * none.
 */
export async function momentsOf(body: JsonObject, { session }: Context): Promise<UpdatePart["moments"]> {
  if (!Object.keys(body).some((name) => name.startsWith("cf_"))) return undefined;
  const catalog = await session.metadata.catalog();
  if (Object.keys(momentsIn(body, catalog, ["UTC"])).length === 0) return undefined;
  const moments = momentsIn(body, catalog, (await session.facts.zone()).possible);
  return Object.keys(moments).length > 0 ? moments : undefined;
}

/** Changes with the moments that an update set in UTC; trackers report them in local time. */
export function changesInUtc(changes: Changes, bug: Bug | undefined, moments: UpdatePart["moments"]): Changes {
  const inUtc = { ...changes };
  for (const [name, added] of Object.entries(moments ?? {})) {
    if (changes[name] === undefined) continue;
    inUtc[name] = { removed: String((bug as JsonObject | undefined)?.[name] ?? ""), added };
  }
  return inUtc;
}

/** A history with custom date-times in UTC; servers record them in local time. Ambiguous ones are unchanged. */
export async function historyInUtc(bug: BugHistory, { session }: Context): Promise<BugHistory> {
  const changes = bug.history.flatMap((entry) => entry.changes).filter(setsLocalTime);
  if (changes.length === 0) return bug;
  const fields = await session.metadata.fields();
  const isTime = (change: FieldChange) => setsLocalTime(change) && fields.some((field) => isDateTime(field, change));
  if (!changes.some(isTime)) return bug;
  const { possible } = await session.facts.zone();
  const inUtc = (text: string) => (isLocalTime(text) ? certainMoment(text, possible) : undefined) ?? text;
  const read = (change: FieldChange) =>
    isTime(change) ? { ...change, removed: inUtc(change.removed), added: inUtc(change.added) } : change;
  return { ...bug, history: bug.history.map((entry) => ({ ...entry, changes: entry.changes.map(read) })) };
}

function setsLocalTime({ field_name, removed, added }: FieldChange): boolean {
  return field_name.startsWith("cf_") && (isLocalTime(removed) || isLocalTime(added));
}

function isDateTime({ name, type }: Field, { field_name }: FieldChange): boolean {
  return name === field_name && type === FIELD_TYPE.dateTime;
}

/**
 * Reads custom date-times back that a write has set (see `momentsOf`), since trackers read them in their own zone.
 * @throws BtError of kind partial if another time was stored
 */
export async function checkStoredTimes(
  id: number,
  wanted: NonNullable<UpdatePart["moments"]>,
  context: Context,
): Promise<void> {
  const names = Object.keys(wanted);
  const answer = await context.session.send(
    requestFor(GET_BUG, { id_or_alias: id, include_fields: ["id", ...names].join(",") }),
  );
  const bug = readBugs(answer).find((one) => one.id === id) as JsonObject | undefined;
  const shifted = names.filter((name) => bug !== undefined && secondsOf(bug[name]) !== secondsOf(wanted[name]));
  if (shifted.length === 0) return;
  throw new BtError("partial", `bug ${id}: the tracker stored a different time`, {
    details: shifted.map((name) => `${name} is ${bug?.[name] ?? "empty"}, not ${wanted[name]}`),
    hint: "set the tracker's time zone, for example: bt config set server_zone America/New_York",
    changed: "some",
  });
}

/** Checks the custom date-times that each part has set, on its first bug. */
export async function checkTimesOfParts(parts: readonly UpdatePart[], context: Context): Promise<void> {
  for (const { bugs, moments } of parts) {
    const [bug] = bugs;
    if (bug && moments) await checkStoredTimes(bug.id, moments, context);
  }
}

function secondsOf(value: unknown): number {
  return Math.floor(Date.parse(String(value ?? "")) / 1000);
}
