import { splitNames } from "../../api/bug-ref.ts";
import { partition } from "../../api/lists.ts";
import { wholeNumber } from "../../command-flag.ts";
import { BtError, usageError } from "../../errors.ts";
import { LIST_FIELDS } from "../../view/bug-columns.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, jsonProblem, objectsIn } from "../../wire/json.ts";

/** What the call of a tool works with. */
export type ToolCall = {
  /** Runs a verb with flags and arguments by their tool names. @throws the error of a verb that prints nothing */
  run: (verb: string, given: JsonObject) => Promise<{ out: string; error: BtError | undefined }>;
  showsPrivate: boolean; // private comments and restricted bugs, too
  notes: Set<string>; // of the verbs, for the response
};

/** Data of a tool, and the error of the part that failed; `isWhole`: long texts are not cut. */
export type ToolData = { data: JsonObject; error?: BtError | undefined; isWhole?: boolean };

/** A tool is made from a verb: its arguments, flags of parameters, other `flags`, and `extra`. */
export type ToolRow = {
  name: string;
  title: string;
  about?: string; // absent: the help of the verb
  verb: string;
  call: (given: JsonObject, call: ToolCall, verb: string) => Promise<ToolData>;
  flags: string[];
  extra?: Record<string, JsonObject>; // schemas
  writes?: "adds" | "overwrites"; // absent: it reads
};

const PAGE = { type: "integer", minimum: 1, description: "page of the list, or of comments and changes (1)" };

export const TOOLS: readonly ToolRow[] = [
  {
    name: "search",
    title: "Search bugs",
    about: `Search for bugs. A bug must meet all criteria; a list allows several values. Prints 20 bugs, newest first, unless \
limit is given; count first if there may be many.`,
    verb: "bug search",
    call: callSearch,
    flags: ["where", "sort", "count", "fields"],
    extra: { limit: { type: "integer", minimum: 1, maximum: 100, description: "maximum number of bugs (20)" } },
  },
  {
    name: "get",
    title: "Read bugs",
    about: `Read bugs by number, alias or address, at most 20; "12.3" is the whole text of comment 3 on bug 12 (12.0: the \
description).`,
    verb: "bug get",
    call: callGet,
    flags: ["comments", "history", "fields"],
    extra: { page: PAGE },
  },
  {
    name: "values",
    title: "Fields and legal values",
    about: "List the legal values of a field; without one, the fields of bugs.",
    verb: "field values",
    call: callValues,
    flags: ["product"],
    extra: { page: PAGE },
  },
  {
    name: "similar",
    title: "Find duplicates",
    verb: "bug similar",
    call: callSimilar,
    flags: ["summary", "product", "limit"],
  },
  { name: "todo", title: "What waits for you", verb: "todo", call: callTodo, flags: ["days"] },
  {
    name: "create",
    title: "File a bug",
    about: "File a bug and print its number. Look for duplicates first, with similar.",
    verb: "bug create",
    call: callWrite,
    flags: ["field", "dry-run"],
    writes: "adds",
  },
  {
    name: "update",
    title: "Update bugs",
    about: `Update at most 20 bugs, and print the changes. Edit lists with add_... and remove_...; flags: review? requests, \
review+ and review- decide, reviewX clears.`,
    verb: "bug update",
    call: callWrite,
    flags: ["field", "private", "once-by", "if-unchanged", "unchanged-since", "dry-run"],
    writes: "overwrites",
  },
  {
    name: "comment",
    title: "Comment on a bug",
    about: "Add a comment to a bug.",
    verb: "comment add",
    call: callWrite,
    flags: ["reply", "dry-run"],
    writes: "adds",
  },
  {
    name: "undo",
    title: "Undo a change",
    about: "Undo your last change of each of these bugs, if it was made by bt on this machine. Comments stay.",
    verb: "bug undo",
    call: callWrite,
    flags: ["comment", "dry-run"],
    writes: "overwrites",
  },
];

async function callSearch(
  { limit = 20, fields, where, count, ...criteria }: JsonObject,
  call: ToolCall,
): Promise<ToolData> {
  const size = wholeNumber("limit", String(limit), 1);
  const terms = argumentTexts("where", where);
  const given = { ...criteria, all: true, where: call.showsPrivate ? terms : [...terms, "not is:private"] };
  if (count === true) {
    const { out, error } = await call.run("bug search", { ...given, count });
    return { data: { count: Number(out) }, error };
  }
  const names = readFieldNames(fields ?? LIST_FIELDS);
  const { rows, error } = await runForRows("bug search", { ...given, fields: names, limit: size + 1 }, call);
  const bugs = rows.slice(0, size).map((bug) => selectMembers(bug, names));
  const next = Number(criteria["offset"] ?? 0) + size;
  return { data: { bugs, ...(rows.length > size && { more: `offset ${next}` }) }, error };
}

async function callGet({ bugs, page, fields, ...given }: JsonObject, call: ToolCall): Promise<ToolData> {
  const [comments, refs] = partition(readBugNames(bugs), (name) => /^\d+\.\d+$/.test(name));
  if (comments.length > 0 && refs.length > 0) throw usageError("bugs and comments cannot be read by the same call");
  if (comments.length > 0) return readWholeComments(comments, call);
  const names = readFieldNames(fields ?? ["_default"]);
  const { rows, error } = await runForRows("bug get", { ...given, bugs: refs, fields: ["id", ...names] }, call);
  const visible = await withoutHiddenBugs(rows, "id", call);
  const hidden = rows.filter((bug) => !visible.includes(bug));
  if (visible.length === 0 && hidden.length > 0) throw restrictedError(hidden);
  if (hidden.length > 0) call.notes.add(restrictedError(hidden).message);
  const size = Math.max(1, Math.floor(THREAD_SIZE / visible.length));
  const shown = visible.map((bug) => ({ ...selectMembers(bug, names), ...pageOfThread(bug, size, page, call) }));
  return { data: { bugs: shown }, error, isWhole: fields !== undefined && !given["comments"] };
}

/** Comments or changes in a response, of all its bugs. */
const THREAD_SIZE = 20;

/** Comments by bug and number, with all of their texts. */
async function readWholeComments(names: string[], call: ToolCall): Promise<ToolData> {
  const { rows, error } = await runForRows("comment get", { comments: names }, call);
  const shown = rows.filter((comment) => isShown(comment, call));
  const visible = await withoutHiddenBugs(shown, "bug_id", call);
  if (visible.length < rows.length) call.notes.add("private comments, and those on restricted bugs, are left out");
  return { data: { comments: visible }, error, isWhole: true };
}

/** A page of comments and of changes; changes of attachments, which may be private, need --include-private. */
function pageOfThread(bug: JsonObject, size: number, page: Json | undefined, call: ToolCall): JsonObject {
  const comments = objectsIn(bug["comments"]).filter((comment) => isShown(comment, call));
  const isOfBug = ({ attachment_id: id }: JsonObject) => id === undefined || id === null;
  const shownChanges = (list: Json | undefined) =>
    objectsIn(list).filter((change) => call.showsPrivate || isOfBug(change));
  const entries = objectsIn(bug["history"]).map((entry) => ({ ...entry, changes: shownChanges(entry["changes"]) }));
  const history = entries.filter(({ changes }) => changes.length > 0);
  const threads: Record<string, Json> = {};
  for (const [name, all] of Object.entries({ comments, history })) {
    if (bug[name] === undefined) continue;
    const { items, more } = takePage(all, size, page);
    threads[name] = items;
    if (more) threads[`more_${name}`] = more;
  }
  return threads;
}

/** The chosen fields of a bug; of a group such as `_default`, only fields that have a value. */
function selectMembers(bug: JsonObject, names: string[]): JsonObject {
  const hasGroup = names.some((name) => name.startsWith("_"));
  const isChosen = ([name, value]: [string, Json]) =>
    names.includes(name) || (hasGroup && !NOT_IN_GROUPS.test(name) && String(value ?? "") !== "");
  return Object.fromEntries(Object.entries(bug).filter(isChosen));
}

/** Members left out of groups of fields: comments and changes, which have pages, and what only programs need. */
const NOT_IN_GROUPS = /^comments$|^history$|_detail$|^update_token$/;

async function callValues({ field, page, ...given }: JsonObject, call: ToolCall): Promise<ToolData> {
  const isOfField = field !== undefined;
  const { rows, error } = isOfField
    ? await runForRows("field values", { ...given, field }, call)
    : await runForRows("field list", { fields: ["name", "display_name", "is_mandatory", "is_custom"] }, call);
  const { items, ...more } = takePage(rows, MAX_VALUES, page);
  return { data: { [isOfField ? "values" : "fields"]: items, ...more }, error };
}

const MAX_VALUES = 200;

async function callSimilar(given: JsonObject, call: ToolCall): Promise<ToolData> {
  await checkVisible(readBugNames(given["bug"]), call);
  const { rows, error } = await runForRows("bug similar", { ...given, fields: SIMILAR_FIELDS }, call);
  return { data: { bugs: await withoutHiddenBugs(rows, "id", call) }, error };
}

const SIMILAR_FIELDS = ["id", "score", "reason", "status", "resolution", "product", "component", "dupe_of", "summary"];

async function callTodo(given: JsonObject, call: ToolCall): Promise<ToolData> {
  const { out, error } = await call.run("todo", { ...given, json: true });
  const sections: Record<string, JsonObject[]> = JSON.parse(out);
  const visible = new Set(await withoutHiddenBugs(Object.values(sections).flat(), "id", call));
  const shown = Object.entries(sections).map(([name, rows]) => [name, rows.filter((row) => visible.has(row))]);
  return { data: Object.fromEntries(shown), error };
}

/** Previews or sends a write; the changes of several bugs, and previews, are texts. */
async function callWrite(given: JsonObject, call: ToolCall, verb: string): Promise<ToolData> {
  await checkVisible(readBugNames(given["bugs"] ?? given["bug"]), call);
  const isPreview = given["dry_run"] === true;
  const printsText = isPreview || verb === "bug update" || verb === "bug undo";
  const addedFlags = {
    ...(printsText ? { format: "table" } : { json: true }),
    ...(verb === "bug create" && { no_similar: true }),
  };
  const { out, error } = await call.run(verb, { ...given, ...addedFlags });
  if (!printsText) return { data: JSON.parse(out || "{}") as JsonObject, error };
  return { data: { ...(isPreview && { dry_run: true }), ...(out && { changes: out }) }, error, isWhole: true };
}

/** The rows of JSON that a verb prints. */
async function runForRows(verb: string, given: JsonObject, call: ToolCall) {
  const { out, error } = await call.run(verb, { ...given, json: true });
  if (error && jsonProblem(out) !== undefined) throw error; // the list broke off
  return { rows: objectsIn(JSON.parse(out)), error };
}

/** @throws BtError of kind guard if a bug is restricted to groups */
async function checkVisible(names: string[], call: ToolCall): Promise<void> {
  const hidden = await readHiddenIds(names, call);
  if (hidden.size > 0) throw restrictedError([...hidden].map((id) => ({ id })));
}

/** The rows of bugs that the server shows; `name` is the member with the bug's id. */
async function withoutHiddenBugs(rows: JsonObject[], name: "id" | "bug_id", call: ToolCall): Promise<JsonObject[]> {
  const ids = rows.map((row) => String(row[name]));
  const hidden = await readHiddenIds(ids, call);
  return rows.filter((row) => !hidden.has(Number(row[name])));
}

/** Ids of the named bugs that are restricted to groups; none if the server shows what is private. */
async function readHiddenIds(names: string[], call: ToolCall): Promise<Set<number>> {
  if (call.showsPrivate || names.length === 0) return new Set();
  const { rows, error } = await runForRows("bug get", { bugs: [...new Set(names)], fields: ["id", "groups"] }, call);
  if (error) throw error;
  return new Set(rows.filter(isRestricted).map(({ id }) => Number(id)));
}

/** True for a bug in a group, and for a bug whose groups are unknown. */
function isRestricted({ groups }: JsonObject): boolean {
  return !Array.isArray(groups) || groups.length > 0;
}

function restrictedError(bugs: JsonObject[]): BtError {
  const names = bugs.map(({ id }) => id).join(", ");
  return new BtError("guard", `restricted to groups, and left out: ${names}`, {
    hint: "bt mcp --include-private shows what your login can see",
  });
}

/** True for a comment that is not private; for any if the server shows what is private. */
function isShown({ is_private }: JsonObject, { showsPrivate }: ToolCall): boolean {
  return showsPrivate || is_private === false || is_private === 0;
}

/** Maximum number of bugs in a call. */
export const MAX_BUGS = 20;

/** The names of bugs in an argument. @throws BtError of kind usage for more than 20 */
function readBugNames(given: Json | undefined): string[] {
  const names = argumentTexts("bugs", given).flatMap(splitNames);
  if (names.length <= MAX_BUGS) return names;
  throw usageError(`a call names at most ${MAX_BUGS} bugs, not ${names.length}`);
}

function readFieldNames(given: Json): string[] {
  return argumentTexts("fields", given).flatMap((text) => text.split(","));
}

/** The items of a page, of which the first is 1, and which page is next if there is one. */
function takePage(all: JsonObject[], size: number, given: Json = 1) {
  const page = wholeNumber("page", String(given), 1);
  const end = page * size;
  const more = `page ${page + 1} of ${Math.ceil(all.length / size)}`;
  return { items: all.slice(end - size, end), ...(all.length > end && { more }) };
}

/** Texts of an argument: a text, a number, or a list of these. */
export function argumentTexts(key: string, given: Json | undefined): string[] {
  return [given ?? []].flat().map((item) => {
    if (typeof item === "string" || typeof item === "number") return String(item);
    throw usageError(`${key} is a text or a list of texts, not ${JSON.stringify(isObject(item) ? {} : item)}`);
  });
}
