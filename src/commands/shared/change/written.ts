import { fetchComments } from "../../../api/bugs.ts";
import { note } from "../../../session/note.ts";
import { type ChangedThing, changesText } from "../../../view/changes.ts";
import { recordJson } from "../../../view/listing.ts";
import { escapeJson, plain } from "../../../view/text.ts";
import { bugPage, type JsonObject, pathAndQuery, type Request } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import { isForCards, isJson, jsonText, mapPages, showList, showText } from "../output/print.ts";
import { type ChangeRow, readLabels, resultColumns } from "./rows.ts";

/** A changed group or attachment as a row. */
export function changedThing(
  thing: ChangedThing & { readonly id: number | string; readonly last_change_time?: string },
  isPreview = false,
): ChangeRow {
  const { id, changes = {}, extras } = thing;
  const isChanged = extras !== undefined || Object.keys(changes).length > 0;
  const result = isPreview ? "would change" : "applied";
  const recorded = extras === undefined ? undefined : ["comment"];
  return { ...thing, id: String(id), result: isChanged ? result : "unchanged", recorded };
}

/** Prints changed groups or attachments: a diff or lines on a terminal, else rows. */
export async function showChanged(rows: readonly ChangeRow[], context: Context): Promise<void> {
  if (isForCards(context)) return showCards(rows, context, false);
  const listed = rows.filter(({ result }) => result !== "unchanged" || context.output.format !== "ids");
  await showList(context, { columns: resultColumns(context, {}), pages: [listed] });
}

async function showCards(changed: readonly ChangeRow[], context: Context, isPreview: boolean): Promise<void> {
  const fields = await readLabels(context);
  if (changed.length > 0) await showText(context, changesText({ changed, fields, isPreview }, context.output.view));
}

/** Warns of values of others that an update replaced. */
export async function noteOverwritten(lines: readonly string[], { io }: Context): Promise<void> {
  for (const line of lines) await note(io, `overwrote a newer change: ${line}`);
}

/** Prints what a write would send, and the expected changes, in JSON as one object with the things. */
export async function showPlanned(
  requests: readonly Request[],
  rows: readonly ChangeRow[],
  context: Context,
  things: "bugs" | "groups" | "attachments" = "bugs",
): Promise<void> {
  const hasOldIds = rows.some((row) => row.old_id !== undefined);
  const columns = () => resultColumns(context, { hasOldIds, isPreview: true });
  if (isJson(context)) {
    const sent = requests.map(({ method, body, file, ...rest }) => {
      return { method, path: pathAndQuery(rest), body: body as JsonObject, file };
    });
    const plan = { dry_run: true, requests: sent, [things]: rows.map((row) => recordJson(columns(), row)) };
    return context.io.out(jsonText(plan, context));
  }
  for (const request of requests) await context.io.err(requestText(request));
  if (rows.length === 0) return;
  const possible = rows.filter(({ result }) => result !== "refused");
  if (isForCards(context)) return showCards(possible, context, true);
  await showList(context, { columns: columns(), pages: [rows] });
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
  { isList = false } = {},
): Promise<void> {
  const { io, output } = context;
  const isBare = !output.fields && ["tsv", "ids"].includes(output.format);
  const columnsOf = () => resultColumns(context, {});
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
  const web = session.webAddress();
  return { sentence, page: web === undefined ? id : bugPage(web, id) };
}

/** The sentence on a new comment, `12.3`; by its global id if the comments cannot be read. */
export async function newCommentText(bug: number, id: string, { session }: Context): Promise<CreatedText> {
  const comments = await fetchComments(bug, session.send).catch(() => []);
  const comment = comments.find((one) => String(one.id) === id);
  return { sentence: `added comment ${comment ? `${bug}.${comment.count}` : `c:${id} to bug ${bug}`}` };
}
