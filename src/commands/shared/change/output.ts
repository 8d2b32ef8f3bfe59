import { isRefusedLogin } from "../../../api/response/response.ts";
import { NOT_APPLIED_HINT, recordedParameters, unforeseenParts } from "../../../api/write/changes.ts";
import { BtError, type ErrorKind, withDetails } from "../../../errors.ts";
import { errorAfterWrite } from "../../../io.ts";
import { note, openProgress } from "../../../session/note.ts";
import {
  type ChangedThing,
  changesOfEach,
  changesText,
  namesWidth,
  RESULT_COLUMNS,
  type ResultRow,
} from "../../../view/changes.ts";
import { type Column, columnsNamed, type Listing } from "../../../view/column.ts";
import { listing, recordJson } from "../../../view/listing.ts";
import { bugLabel, countText, escapeJson, plain } from "../../../view/text.ts";
import type { View } from "../../../view/view.ts";
import { bugPage, type JsonObject, pathAndQuery, type Request } from "../../../wire/exchange.ts";
import type { Changes, Field } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { bugMessage, bugsByMessage } from "../bug-messages.ts";
import { chosenColumns, isForCards, isJson, jsonText, mapPages, showList, showText } from "../output/print.ts";
import type { Planned } from "./plan.ts";
import type { ChangeResult } from "./result.ts";

/** The bugs of a change, as they are named, and its job. */
export type Subject = {
  readonly refs: readonly string[];
  readonly job?: string | undefined; // its name, if it is stored
  readonly isGuarded: boolean; // a bug that was modified is not to be changed
  readonly hasOldIds?: boolean; // of the bugs that new ones are filed from
};

/**
 * Prints results as they come, then the tally, the undo line and the error. A failed output stops no change: the rest
 * is sent, too.
 */
export async function printResults(
  coming: AsyncIterable<ChangeResult> | Iterable<ChangeResult>,
  subject: Subject,
  context: Context,
): Promise<readonly ChangeResult[]> {
  const { io, output } = context;
  const whole = output.format === "json" ? output.open() : undefined; // others are printed line by line
  const write = whole?.write ?? io.out;
  const results: ChangeResult[] = [];
  let failure: unknown;
  const keepFailure = (thrown: unknown) => {
    failure = thrown;
  };
  for await (const text of resultTexts(coming, results, subject, context))
    if (failure === undefined && text !== "") await write(text).catch(keepFailure);
  if (failure === undefined) await whole?.end().catch(keepFailure);
  await report(results, subject, context);
  if (failure === undefined) return results;
  const error = errorAfterWrite(failure);
  throw error instanceof BtError ? withDetails(error, [`already applied: ${tallyOf(results)}`]) : error;
}

/** Texts of results as they come, which are added to `results`; none for the error of the only bug. */
async function* resultTexts(
  coming: AsyncIterable<ChangeResult> | Iterable<ChangeResult>,
  results: ChangeResult[],
  { refs, job, hasOldIds }: Subject,
  context: Context,
): AsyncGenerator<string> {
  const { io, output } = context;
  const list = isForCards(context)
    ? diffListing(refs, (await context.session.catalog()).received, output.view)
    : listing<ChangeRow>(output.format, resultColumns(context, hasOldIds), output.view);
  const progress = refs.length > 1 && !io.terminal.stdout ? openProgress(io) : undefined;
  for await (const result of coming) {
    results.push(result);
    if (refs.length === 1 && result.error) return;
    const row = resultRow(result, job);
    if (results.length === 1) yield list.head([row]);
    if (output.format !== "ids" || MADE.has(result.st)) yield list.page([row]);
    await progress?.show(`${results.length} of ${countText(refs.length, "bug")}`);
  }
  await progress?.clear();
  yield list.tail();
}

/** Results of bugs that are now as requested. */
const MADE: ReadonlySet<string> = new Set(["created", "applied"]);

/** A diff of the only bug, or a line for each of several; the error at the end names the others. */
function diffListing(refs: readonly string[], fields: readonly Field[], view: View): Listing<ChangeRow> {
  const columns = namesWidth(refs.map(bugLabel));
  const textOf = (row: ChangeRow) => {
    const shown = { changed: [row], fields };
    return refs.length > 1 ? `${changesOfEach(shown, view, columns)}\n` : changesText(shown, view);
  };
  return {
    head: () => "",
    page: (rows) => rows.map((row) => (row.error ? "" : textOf(row))).join(""),
    tail: () => "",
  };
}

/**
 * Notes what was overwritten or became public, the tally, how to undo.
 * @throws BtError of the worst result
 */
async function report(results: readonly ChangeResult[], subject: Subject, context: Context): Promise<void> {
  const { io } = context;
  const overwritten = results.flatMap((result) => result.overwritten ?? []);
  await noteOverwritten(overwritten, context);
  for (const { ref, bug, changed } of results) {
    const { removed, added } = changed?.changes["groups"] ?? {};
    if (removed && !added && removed.split(", ").length === bug?.groups?.length)
      await note(io, `bug ${ref} is now public`);
  }
  const error = worstError(results, subject);
  if (!error && results.length > 1 && io.terminal.stderr) await note(io, tallyOf(results));
  const isUndoable = results.some(({ changed }) => Object.keys(changed?.changes ?? {}).length > 0);
  const isCertain = results.every(({ st }) => st !== "unknown"); // else `bt job send` comes first
  if (isCertain && results.length > 1 && isUndoable && subject.job !== undefined && !isJson(context))
    await note(io, `undo: bt bug undo --job ${subject.job}`);
  if (error) throw error;
}

/** `28 applied, 1 refused`, in this order; also `0 applied`, unless bugs were created. */
function tallyOf(results: readonly ChangeResult[]): string {
  const words = ["created", "applied", "unchanged", "refused", "unknown", "not tried"];
  const found = results.map(({ st }) => st);
  return tallyText(found, found.includes("created") ? words : words.slice(1));
}

/** The error that a change ends with: the error of the only bug, or an error with a line for each reason. */
function worstError(results: readonly ChangeResult[], subject: Subject): BtError | undefined {
  const failed = results.filter(({ error, notApplied = [] }) => error || notApplied.length > 0);
  const [first] = failed;
  const isOverwritten = subject.isGuarded && results.some(({ overwritten = [] }) => overwritten.length > 0);
  if (!first && isOverwritten)
    return new BtError("collision", "the change was applied, but overwrote a newer change", { changed: "some" });
  if (!first) return undefined;
  if (results.length === 1 && first.error) return first.error;
  const changed = results.some(({ changed: made, st }) => made || MADE.has(st) || st === "unknown");
  const lines = failed.map(failureMessage);
  const details = firstLines(bugsByMessage(lines), MAX_LINES);
  const facts = { details, hint: continueHint(failed, subject), changed: changed ? "some" : "nothing" } as const;
  if (failed.some(({ error }) => error)) return new BtError(worstKind(results, failed), tallyOf(results), facts);
  const [message = "", ...others] = details;
  return new BtError("partial", message, { ...facts, details: others, hint: notAppliedHint(failed) });
}

const MAX_LINES = 100;

/** At most `count` lines; the last one counts the rest. */
export function firstLines(lines: readonly string[], count = 20): string[] {
  return lines.length <= count ? [...lines] : [...lines.slice(0, count - 1), `and ${lines.length - count + 1} more`];
}

function failureMessage(result: ChangeResult) {
  const { ref, line, st, error, notApplied = [] } = result;
  const bug = line === undefined || st === "created" ? ref : { line };
  if (!error) return { bug, message: result.why ? missedText(result) : `not applied: ${notApplied.join(", ")}` };
  const reported = bugMessage(bug, error);
  return st === "refused" ? reported : { ...reported, message: `${st}: ${reported.message}` };
}

/** The hint for values that were not applied, or for a text that was not sent. */
function notAppliedHint(failed: readonly ChangeResult[]): string {
  const unsent = failed.filter(({ why }) => why !== undefined);
  const [first] = unsent;
  if (!first) return NOT_APPLIED_HINT;
  const verb = first.notApplied?.includes("comment") ? "bt comment add" : "bt bug update";
  return `${verb} ${unsent.map(({ ref }) => ref).join(" ")}`;
}

/** The first that applies: unknown, the kind of all errors, the kind that ended the change, collision, partial. */
function worstKind(results: readonly ChangeResult[], failed: readonly ChangeResult[]): ErrorKind {
  const kinds = new Set(failed.map(({ error }) => error?.kind ?? "partial"));
  const [common = "partial"] = kinds;
  if (failed.some(({ st }) => st === "unknown")) return "unknown";
  if (failed.length === results.length && kinds.size === 1) return common;
  if (failed.some(({ error }) => error && isRefusedLogin(error.kind, error.facts.bugzillaCode))) return "auth";
  const hasEndedChange = ({ st, error }: ChangeResult) =>
    error?.kind === "busy" || (st === "not tried" && ["network", "reply"].includes(error?.kind ?? ""));
  if (failed.some(hasEndedChange)) return "busy";
  return kinds.has("collision") ? "collision" : "partial";
}

function continueHint(failed: readonly ChangeResult[], { job }: Subject): string | undefined {
  const left = failed.filter(({ st }) => st === "unknown" || st === "not tried");
  if (left.length === 0 || job === undefined) return undefined;
  const isImport = left.some(({ line }) => line !== undefined) && left.every(({ st }) => st !== "unknown");
  return `${isImport ? "the same bt bug import" : `bt job send ${job}`} continues with the others`;
}

/** A change of a bug, made or planned, as a row for programs and as a terminal shows it. */
export type ChangeRow = ChangedThing & ResultRow;

/**
 * The chosen columns; else all in JSON, and `id result` in other formats, with the changes of a
 * preview and the old ids of copies.
 */
export function resultColumns(context: Context, hasOldIds = false, isPreview = false): readonly Column<ResultRow>[] {
  if (context.output.fields) return chosenColumns(RESULT_COLUMNS, context);
  if (isJson(context)) return RESULT_COLUMNS;
  const old = hasOldIds ? ["old_id"] : [];
  return columnsNamed(RESULT_COLUMNS, ...old, "id", "result", ...(isPreview ? ["changes"] : []));
}

/** The row of what is planned for a bug. */
export function plannedRow(item: Planned): ChangeRow {
  if (item.st === "new") return resultRow({ ...item, st: "would create", body: item.create });
  return resultRow(item.st === "able" ? { ...item, st: "would change" } : item);
}

/** The row of a result; `job` is the command that can be undone, or continued. */
function resultRow(result: ChangeResult & { readonly expected?: Changes }, job?: string): ChangeRow {
  const { ref, bug, line, oldId, st, body = {}, changed, expected, error, notApplied = [] } = result;
  return {
    id: ref,
    old_id: oldId,
    name: bugLabel(ref),
    title: line === undefined ? (bug?.summary ?? undefined) : String(body["summary"] ?? ""),
    alias: changed?.alias ?? bug?.alias ?? undefined,
    result: st,
    changes: expected ?? changed?.changes ?? (st === "unchanged" ? {} : undefined),
    last_change_time: changed?.last_change_time || bug?.last_change_time || undefined,
    error: error && errorObject(error),
    ...effectsOf(result),
    not_applied: notApplied.length > 0 ? notApplied : undefined,
    job: MADE.has(st) || error ? job : undefined,
  };
}

/** Effects that trackers do not report (`recorded`, `extras`), else why none is made (`missed`). */
function effectsOf(result: ChangeResult): Partial<ChangeRow> {
  const { st, body = {} } = result;
  const isPlanned = st === "would change";
  if (!isPlanned && st !== "applied") return { missed: missedText(result) };
  const recorded = recordedParameters(body);
  const texts = [...(isPlanned ? unforeseenParts(body) : []), ...recordedTexts(recorded, body, !isPlanned)];
  return { recorded: recorded.length > 0 ? recorded : undefined, extras: texts.join(", ") || undefined };
}

function errorObject({ kind, message, facts: { bugzillaCode: code } }: BtError): JsonObject {
  return { kind, message, ...(code !== undefined && { code }) };
}

/** `28 applied, 1 refused`, in the order of the words; the first is always named. */
export function tallyText(results: readonly string[], words: readonly string[]): string {
  const counts = words.map((word) => ({ word, count: results.filter((result) => result === word).length }));
  const named = counts.filter(({ word, count }) => count > 0 || word === words[0]);
  return named.map(({ word, count }) => `${count} ${word}`).join(", ");
}

/** Words for a bug that was not changed, and for the parameters that were given and not sent. */
function missedText({ st, why, body = {}, notApplied = [] }: ChangeResult): string {
  if (st === "would create") return `new bug of ${body["product"]}, ${body["component"]}`;
  const names = notApplied.map((name) => (name === "work_time" ? "hours" : name)).join(" and ");
  return [st, why, why && names && `${names} not added`].filter(Boolean).join(", ");
}

/** Texts on the parts of an update that trackers do not report among the changes. */
export function recordedTexts(recorded: readonly string[], body: JsonObject, isMade: boolean): string[] {
  const count = Object.keys(Object(body["comment_is_private"])).length;
  return recorded.map((name) => {
    if (name === "comment_is_private") return `privacy of ${countText(count, "comment")}${isMade ? " changed" : ""}`;
    return `${name === "comment" ? name : `${body[name]} h of work`}${isMade ? " added" : ""}`;
  });
}

/** Prints made or planned changes: on a terminal a diff or lines without the refused, else rows. */
export async function showRows(
  rows: readonly ChangeRow[],
  columns: readonly Column<ResultRow>[],
  context: Context,
  isPreview = false,
): Promise<void> {
  if (!isForCards(context)) return void (await showList(context, { columns, pages: [rows] }));
  const changed = rows.filter(({ result }) => result !== "refused");
  const card = { changed, fields: (await context.session.catalog()).received, isPreview };
  if (changed.length > 0) await showText(context, changesText(card, context.output.view));
}

/** Warns of values of others that an update replaced. */
export async function noteOverwritten(lines: readonly string[], { io }: Context): Promise<void> {
  for (const line of lines) await note(io, `overwrote a newer change: ${line}`);
}

/** Prints what a write would send, and the expected changes; in JSON as one object. */
export async function showPlanned(
  requests: readonly Request[],
  rows: readonly ChangeRow[],
  context: Context,
  things: "bugs" | "groups" | "attachments" = "bugs",
): Promise<void> {
  const hasOldIds = rows.some((row) => row.old_id !== undefined);
  const columns = resultColumns(context, hasOldIds, true);
  if (isJson(context)) {
    const sent = requests.map(({ method, body, file, ...rest }) => {
      return { method, path: pathAndQuery(rest), body: body as JsonObject, file };
    });
    const plan = { dry_run: true, requests: sent, [things]: rows.map((row) => recordJson(columns, row)) };
    return context.io.out(jsonText(plan, context));
  }
  for (const request of requests) await context.io.err(requestText(request));
  if (rows.length > 0) await showRows(rows, columns, context, true);
}

function requestText({ method, body, file, ...rest }: Request): string {
  const json = escapeJson(JSON.stringify(body, null, 2));
  const text = json.replace(NUMBERS, (list) => list.trim().replace(/\n\s*/g, " "));
  const data = file ? `with ${plain(file.path)} (${file.size} bytes) as data\n` : "";
  return `would send ${method} ${pathAndQuery(rest)}\n${text}\n${data}`;
}

/** A list of numbers in indented JSON. */
const NUMBERS = /(?<=\[)\n\s*\d[\d\s,]*(?=\])/g;

/** A new object, or a bug that was commented on, as a row for programs. */
export type CreatedRow = Pick<ChangeRow, "id" | "result" | "not_applied">;

/** Text about a new object on a terminal, and the page of a bug. */
type CreatedText = { readonly sentence: string; readonly page?: string };

/** Prints new objects as they come, in a pipe their ids; the only one is an object in JSON. */
export async function showCreated(
  created: AsyncIterable<CreatedRow> | Iterable<CreatedRow>,
  textOf: (id: string) => CreatedText | Promise<CreatedText>,
  context: Context,
  isList = false,
): Promise<void> {
  const { io, output } = context;
  const isBare = !output.fields && ["tsv", "ids"].includes(output.format);
  if (!isBare && !isForCards(context) && (isList || !isJson(context)))
    return void (await showList(context, {
      columns: resultColumns(context),
      pages: mapPages(created, (row) => [row]),
    }));
  for await (const row of created) {
    if (isJson(context)) return io.out(jsonText(recordJson(resultColumns(context), row) as JsonObject, context));
    const { sentence, page }: CreatedText = isBare ? { sentence: row.id } : await textOf(row.id);
    if (page !== undefined) await io.err(`${sentence}\n`);
    await io.out(`${page ?? sentence}\n`);
  }
}

/** Text on a terminal about a bug that was filed or commented on. */
export function createdBugText(id: string, sentence: string, { session }: Context): CreatedText {
  const web = session.webAddress();
  return { sentence, page: web === undefined ? id : bugPage(web, id) };
}
