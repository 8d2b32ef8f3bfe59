import { resultName } from "../../../api/bug-messages.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import type { BugResult } from "../../../api/delivery/bulk.ts";
import type { CommandJobs } from "../../../api/delivery/writer.ts";
import { unforeseenParts } from "../../../api/write/preview.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { partForBug, unchangedText } from "../../../api/write/update-request.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { RESULT_COLUMNS, RESULT_LINE, type ResultRow } from "../../../view/change-rows.ts";
import { type ChangedThing, changesText } from "../../../view/changes.ts";
import { type Column, columnsNamed } from "../../../view/column.ts";
import { bugPage } from "../../../view/links.ts";
import { recordJson } from "../../../view/listing.ts";
import { bugLabel, countText, escapeJson, plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { type JsonObject, pathAndQuery, type Request } from "../../../wire/exchange.ts";
import type { ChangedBug, Changes, Field } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { chosenColumns, isForCards, isJson, jsonText, mapPages, showList, showText } from "../output/print.ts";
import { changesInUtc } from "./date-times.ts";

/** A changed object as a terminal shows it, and as a row for programs. */
export type ShownChange = ChangedThing & ResultRow & { isChanged: boolean }; // or would be

/** Bugs as they were read, the parts of their update, and the command by which they can be undone. */
export type ResultScope = {
  read?: ReadonlyMap<number, Bug>; // other than those of the parts
  parts: readonly UpdatePart[];
  command?: CommandJobs;
};

/** Prints results: a diff, or lines, on a terminal, else a row for each object; as ids, those that were changed. */
export async function showChanges(shown: readonly ShownChange[], context: Context, isPreview = false): Promise<void> {
  if (!isForCards(context)) {
    const listed = shown.filter(({ isChanged }) => isChanged || context.output.format !== "ids");
    return void (await showList(context, { columns: resultColumns(context), pages: [listed] }));
  }
  const fields = await readLabels(context);
  return showText(context, changesText({ changed: shown, fields, isPreview }, context.output.view));
}

/** The chosen columns of results; else all in JSON, and these in other formats, without the time on a terminal. */
export function resultColumns(context: Context, names: readonly string[] = RESULT_LINE): readonly Column<ResultRow>[] {
  if (context.output.fields) return chosenColumns(RESULT_COLUMNS, context);
  const { format } = context.output;
  if (format === "json" || format === "ndjson") return RESULT_COLUMNS;
  return columnsNamed(RESULT_COLUMNS, ...names.filter((name) => format !== "table" || name !== "last_change_time"));
}

/** The result of a bug that was sent, or of what would be, by its changes. */
export function resultOf(
  changed: ChangedBug,
  part: Partial<UpdatePart> = {},
  made: "done" | "would change" = "done",
): BugResult {
  const { body = {} } = part;
  const isMade =
    Object.keys(changed.changes).length > 0 ||
    RECORDED.some((name) => body[name] !== undefined) ||
    (made === "would change" && unforeseenParts(body).length > 0);
  return {
    bug: String(changed.id),
    st: isMade ? made : "unchanged",
    note: isMade || !part.dropped ? undefined : unchangedText(part),
    changed,
  };
}

/** A bug as it was read, without changes. */
export function unchangedBug({ id, alias, last_change_time }: Bug): ChangedBug {
  return { id, alias: alias ?? [], last_change_time: last_change_time ?? "", changes: {} };
}

/** The result of a bug as it is printed. */
export function shownResult(result: BugResult, { read, parts, command }: ResultScope, context: Context): ShownChange {
  const { st } = result;
  const id = resultName(result.bug);
  const part = partForBug(parts, Number(id));
  const bug = part?.bugs.find((one) => one.id === Number(id)) ?? read?.get(Number(id));
  const changed = result.changed ?? (bug && st === "unchanged" ? unchangedBug(bug) : undefined);
  const body = MADE.has(st) ? (part?.body ?? {}) : undefined;
  return {
    name: bugLabel(id),
    title: bug?.summary ?? result.title,
    missed: result.note ?? (USUAL.has(st) ? undefined : st),
    isChanged: body !== undefined,
    ...rowFacts(result, part, body),
    alias: changed?.alias,
    last_change_time: changed?.last_change_time,
    changes:
      part?.moments && changed && !isJson(context)
        ? changesInUtc(changed.changes, bug, part.moments)
        : changed?.changes,
    job: st === "unchanged" ? undefined : command?.first,
    ...part?.notes?.get(Number(id)),
    id,
  };
}

/** States of bugs that were, or would be, changed, and those that the changes themselves tell. */
const MADE: ReadonlySet<BugResult["st"]> = new Set(["done", "would change"]);
const USUAL: ReadonlySet<BugResult["st"]> = new Set([...MADE, "unchanged"]);

/** Words of a row about a result beside its changes of fields; `body` is that of a change that was, or would be, made. */
function rowFacts(result: BugResult, part: UpdatePart | undefined, body: JsonObject | undefined) {
  const { oldId, st, error, ignored } = result;
  const recorded = RECORDED.filter((parameter) => body?.[parameter] !== undefined);
  return {
    old_id: oldId,
    result: result.note ?? st,
    error: error && errorObject(error),
    ...(body && recorded.length > 0 && { recorded, extras: unreportedParts(body, st === "done") }),
    not_applied: ignored ?? part?.dropped,
  };
}

function errorObject({ kind, message, facts: { bugzillaCode: code } }: BtError): JsonObject {
  return { kind, message, ...(code !== undefined && { code }) };
}

/** Parameters whose effect trackers do not report. */
const RECORDED = ["comment", "comment_is_private", "work_time"];

/** A changed group or attachment as it is printed. */
export function shownThing(
  thing: ChangedThing & { id: number | string; last_change_time?: string },
  isPreview = false,
): ShownChange {
  const { id, changes = {}, extras } = thing;
  const isChanged = extras !== undefined || Object.keys(changes).length > 0;
  const result = isPreview ? "would change" : "applied";
  const recorded = extras === undefined ? undefined : ["comment"];
  return { ...thing, id: String(id), isChanged, result: isChanged ? result : "unchanged", recorded };
}

/** A new object, or a bug that was commented on, as a row for programs. */
export type CreatedRow = Pick<ResultRow, "id" | "result" | "not_applied">;

/** Text about a new object on a terminal: a sentence, and the page of a bug, or its number without one. */
type CreatedText = { sentence: string; page?: string };

/** Prints new objects as they come: their ids in a pipe; JSON has an object of the only one, and a list of others. */
export async function showCreated(
  created: AsyncIterable<CreatedRow> | Iterable<CreatedRow>,
  textOf: (id: string) => CreatedText | Promise<CreatedText>,
  context: Context,
  { isList = false } = {},
): Promise<void> {
  const { io, output } = context;
  const isBare = !output.fields && ["tsv", "ids"].includes(output.format);
  const columnsOf = () => resultColumns(context, ["id", "result"]);
  if (!isBare && !isForCards(context) && (isList || !isJson(context)))
    return void (await showList(context, { columns: columnsOf(), pages: mapPages(created, (row) => [row]) }));
  for await (const row of created) {
    if (isJson(context)) return io.out(jsonText(recordJson(columnsOf(), row) as JsonObject, context));
    const { sentence, page }: CreatedText = isBare ? { sentence: row.id } : await textOf(row.id);
    if (page !== undefined) await io.err(`${sentence}\n`);
    await io.out(`${page ?? sentence}\n`);
  }
}

/** Text on a terminal about a bug that was filed or commented on. */
export function createdBugText(id: string, sentence: string, { session }: Context): CreatedText {
  const web = session.facts.webAddress();
  return { sentence, page: web === undefined ? id : bugPage(web, id) };
}

/** The sentence on a new comment, as other commands take it, `12.3`; by its global id if the comments cannot be read. */
export async function newCommentText(bug: number, id: string, { session }: Context): Promise<CreatedText> {
  const comments = await fetchComments(bug, session.send).catch(() => []);
  const comment = comments.find((one) => String(one.id) === id);
  return { sentence: `added comment ${comment ? `${bug}.${comment.count}` : `c:${id} to bug ${bug}`}` };
}

/** Prints what a write would send, and the changes expected of it, in JSON as one object; without a request, nothing would be sent. */
export async function showPlan(
  requests: Request[],
  previews: readonly ShownChange[],
  context: Context,
  things: "bugs" | "groups" | "attachments" = "bugs",
): Promise<void> {
  if (isJson(context)) {
    const plan = {
      dry_run: true,
      requests: requests.map((request) => {
        const { method, body, file } = request;
        return { method, path: pathAndQuery(request), body: body as JsonObject, file };
      }),
      [things]: previews.map((shown) => recordJson(resultColumns(context), shown)),
    };
    return context.io.out(jsonText(plan, context));
  }
  for (const request of requests) {
    const body = escapeJson(JSON.stringify(request.body, null, 2)).replace(NUMBERS, (list) =>
      list.trim().replace(/\n\s*/g, " "),
    );
    const file = request.file ? `with ${plain(request.file.path)} (${request.file.size} bytes) as data\n` : "";
    await context.io.err(`would send ${request.method} ${pathAndQuery(request)}\n${body}\n${file}`);
  }
  if (previews.length > 0) await showChanges(previews, context, true);
}

/** A list of numbers in indented JSON. */
const NUMBERS = /(?<=\[)\n\s*\d[\d\s,]*(?=\])/g;

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
  await note(io, parts.join(", "));
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

/** A bug with the changes that are expected of it, and with what trackers do not report among them; once made, these are reported. */
export function expectedThing(
  { id, summary }: Bug,
  { body }: UpdatePart,
  changes: Changes,
  isMade = false,
): ChangedThing & { changes: Changes } {
  const unforeseen = unforeseenParts(body).filter(() => !isMade);
  const extras = [...unforeseen, unreportedParts(body, isMade)].filter(Boolean).join(", ") || undefined;
  return { name: bugLabel(id), title: summary ?? "", changes, extras };
}

/** Parts of an update that trackers do not report among the changes, as what would be, or was made. */
export function unreportedParts(
  { comment, comment_is_private, work_time }: JsonObject,
  isMade = false,
): string | undefined {
  const [added, changed] = isMade ? [" added", " changed"] : ["", ""];
  const privacy = Object.keys((comment_is_private ?? {}) as JsonObject).length;
  const extras: string[] = [];
  if (comment !== undefined) extras.push(`comment${added}`);
  if (work_time !== undefined) extras.push(`${work_time} h of work${added}`);
  if (privacy > 0) extras.push(`privacy of ${privacy === 1 ? "a comment" : `${privacy} comments`}${changed}`);
  return extras.length > 0 ? extras.join(", ") : undefined;
}
