import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { jsonProblem } from "../../wire/json.ts";
import type { SqlRow } from "../store/store.ts";
import { Fault, faults } from "../values.ts";
import type { Call, SentCredentials } from "./call.ts";

/**
 * Query and body of a request merged into one object. The query of a write overrides its body, first
 * value of a repeated parameter; the body of a read is ignored.
 * @throws Fault other for an invalid body, a NUL or a lone surrogate, and beyond the limits
 */
export function readInput(request: Request): JsonObject {
  const isWrite = request.method === "POST" || request.method === "PUT";
  const firstValues = Object.fromEntries([...request.query].reverse());
  const input = isWrite ? { ...readBody(request), ...firstValues } : allValues(request.query);
  checkValue(input, isWrite ? MAX_LIST_ITEMS : Number.POSITIVE_INFINITY);
  return input;
}

/**
 * The credentials of an input, and its other parameters. `login` and `password` are credentials only together; alone, a
 * search refuses them.
 * @see Bugzilla/WebService/Util.pm, fix_credentials
 */
export function splitCredentials(input: JsonObject): { credentials: SentCredentials; parameters: JsonObject } {
  const { Bugzilla_login, Bugzilla_password, Bugzilla_token, Bugzilla_api_key, ...named } = input;
  const { token = Bugzilla_token, api_key = Bugzilla_api_key, ...parameters } = named;
  const { login, password, ...others } = parameters;
  return login === undefined || password === undefined
    ? { credentials: { login: Bugzilla_login, password: Bugzilla_password, token, api_key }, parameters }
    : { credentials: { login, password, token, api_key }, parameters: others };
}

const MAX_LIST_ITEMS = 1000; // of a write: writes run one at a time, so a long list would block other requests
const MAX_DEPTH = 64;

// SQLite ends a text at NUL and replaces a lone surrogate: what is stored would not be what was sent.
function checkValue(value: Json, maxItems: number, depth = 1): void {
  if (typeof value === "string" && (value.includes("\0") || /\p{Surrogate}/u.test(value))) {
    throw new Fault("other", "A text contains a NUL or an unpaired surrogate.");
  }
  if (value === null || typeof value !== "object") return;
  if (depth > MAX_DEPTH) throw new Fault("other", `JSON may be at most ${MAX_DEPTH} levels deep.`);
  const items = Object.values(value);
  if (items.length > maxItems) throw new Fault("other", `A list may have at most ${maxItems} items.`);
  for (const item of items) checkValue(item, maxItems, depth + 1);
}

function allValues(query: Request["query"]): JsonObject {
  const values = new Map<string, string | readonly string[]>();
  for (const [name, value] of query) {
    const previous = values.get(name);
    values.set(name, previous === undefined ? value : [previous, value].flat());
  }
  return Object.fromEntries(values);
}

function readBody({ body = "" }: Request): JsonObject {
  if (typeof body !== "string") return body;
  if (body === "") return {};
  const value = parseBodyText(body);
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw faults.wrongShape("body", "a JSON object");
  return value as JsonObject;
}

function parseBodyText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Fault("other", `The body is ${jsonProblem(text)}.`);
  }
}

/** Values of a parameter that takes one value or a list, as text; empty if it was not sent. */
export function textValues(input: JsonObject, name: string): string[] {
  const value = input[name];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item: Json) => textOfParameter(item, name));
}

/** The text in the path, if it has the placeholder, then the texts of a parameter. */
export function textsInPathAndInput({ path, input }: Call, placeholder: string, parameter: string): string[] {
  const inPath = path[placeholder];
  const texts = textValues(input, parameter);
  return inPath === undefined ? texts : [inPath, ...texts];
}

/** First value of a parameter, as text; undefined if it was not sent. */
export function firstTextValue(input: JsonObject, name: string): string | undefined {
  return textValues(input, name)[0];
}

/** The whole numbers of texts; `what` names them in the refusal. @throws Fault param_must_be_numeric */
export function readWholeNumbers(texts: readonly string[], what: string): number[] {
  if (texts.some((text) => !/^\d+$/.test(text)))
    throw new Fault("param_must_be_numeric", `Invalid parameter ${what}: It must be numeric.`);
  return texts.map(Number);
}

/** True if a boolean parameter is on: anything but "" and "0" in a query, any truthy value in a body. */
export function isTruthy(input: JsonObject, name: string): boolean {
  const value = input[name];
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0 && value !== "0";
}

function textOfParameter(value: Json, name: string): string {
  if (value !== null && typeof value === "object") {
    throw faults.wrongShape(name, "a text or a number, or a list of them");
  }
  return value === true ? "1" : String(value ?? "");
}

/** Ids and names of a request: `ids`, `names`, and the path's `id_or_name` (digits are an id). */
export function readIdsAndNames({ path, input }: Call) {
  const [ids, names] = [textValues(input, "ids"), textValues(input, "names")];
  const idOrName = path["id_or_name"];
  if (idOrName === undefined) return { ids, names };
  return /^\d+$/.test(idOrName) ? { ids: [idOrName, ...ids], names } : { ids, names: [idOrName, ...names] };
}

/** Sets of fields that `include_fields` names `_default`, `_custom` and `_extra`. */
export type FieldSet = "default" | "custom" | "extra";

/** Predicate of the fields selected by `include_fields` and `exclude_fields`. */
export type FieldSelection = {
  includes: (field: string, sets?: FieldSet[]) => boolean;
  includesPart: (field: string, part: string) => boolean; // assigned_to.real_name
};

/** The selected fields of a request. @see Bugzilla/WebService/Util.pm, filter_wants */
export function readFieldSelection(input: JsonObject): FieldSelection {
  const include = readSelectedNames(input, "include_fields");
  const exclude = readSelectedNames(input, "exclude_fields");
  return {
    includes: (field, sets = ["default"]) => {
      if (exclude.fields.has(field) || namesAnySet(exclude, sets)) return false;
      if (include.isEmpty) return sets.includes("default");
      return namesAnySet(include, sets) || namesFieldOrPart(include, field);
    },
    includesPart: (field, part) => {
      if (exclude.fields.has(`${field}.${part}`)) return false;
      const isWhole = include.isEmpty || namesAnySet(include, ["default"]) || include.fields.has(field);
      return isWhole || include.fields.has(`${field}.${part}`);
    },
  };
}

function namesAnySet(names: SelectedNames, sets: readonly FieldSet[]): boolean {
  return names.sets.has("all") || sets.some((set) => names.sets.has(set));
}

function namesFieldOrPart(names: SelectedNames, field: string): boolean {
  return names.fields.has(field) || [...names.fields].some((name) => name.startsWith(`${field}.`));
}

export function pickFields(object: JsonObject, selection: FieldSelection): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => selection.includes(name)));
}

/** Copy of the object under `field` with the selected subfields (`assigned_to.real_name`). */
export function pickFieldParts(object: JsonObject, field: string, selection: FieldSelection): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([part]) => selection.includesPart(field, part)));
}

type SelectedNames = {
  isEmpty: boolean;
  fields: ReadonlySet<string>;
  sets: ReadonlySet<string>;
};

// A repeated parameter is not split, as on a real server: only the single form is a list of names.
function readSelectedNames(input: JsonObject, parameter: string): SelectedNames {
  const value: Json = isTruthy(input, parameter) ? (input[parameter] ?? "") : [];
  const all = Array.isArray(value) ? value.map(String) : String(value).split(/[\s,+]+/);
  const names = all.filter((name) => name !== "");
  return {
    isEmpty: names.length === 0,
    fields: new Set(names.filter((name) => !name.startsWith("_"))),
    sets: new Set(names.filter((name) => name.startsWith("_")).map((name) => name.slice(1))),
  };
}

/** Readers of the columns that a request may change, from its input and the row before. */
export type ColumnReaders<Row, Column extends keyof Row> = {
  readonly [Name in Column]: (call: Call, row: Row) => Row[Name];
};

/** The `changes` of an object, by parameter; null where a column is empty, as in Bugzilla. */
export type ObjectChanges = Readonly<Record<string, { removed: string | null; added: string | null }>>;

/** Stores the columns that a request changes of an object in `table`. Returns the object afterwards, and the changes. */
export function storeChangedColumns<Row extends SqlRow, Column extends keyof Row & string>(
  call: Call,
  table: string,
  before: Row,
  readers: ColumnReaders<Row, Column>,
): { after: Row; changes: ObjectChanges } {
  const after = { ...before };
  const changes: Record<string, ObjectChanges[string]> = {};
  for (const column of Object.keys(readers) as Column[]) {
    if (call.input[column] === undefined) continue;
    after[column] = readers[column](call, before);
    if (after[column] !== before[column])
      changes[column] = { removed: textOrNull(before[column]), added: textOrNull(after[column]) };
  }
  for (const column of Object.keys(changes))
    call.store.run(`UPDATE ${table} SET ${column} = @${column} WHERE id = @id`, after);
  return { after, changes };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

/** Refuses parameters that a class of Bugzilla does not have. @see Bugzilla/Object.pm, set_all */
export function refuseUnknownParameters(input: JsonObject, className: string, parameters: readonly string[]): void {
  const unknown = Object.keys(input).find((name) => !parameters.includes(name));
  if (unknown !== undefined)
    throw new Fault("unknown_method", `The requested method 'Bugzilla::${className}::set_${unknown}' was not found.`);
}
