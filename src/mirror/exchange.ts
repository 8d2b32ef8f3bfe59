import { pathValues } from "../api/operations/known-operations.ts";
import { BtError, usageError } from "../errors.ts";
import { EXTRA_BUG_FIELDS, PER_PRODUCT_FIELDS } from "../wire/bug-fields.ts";
import { type Exchange, isRead, type Json, type JsonObject, type Request } from "../wire/exchange.ts";
import { itemsIn, objectsIn } from "../wire/json.ts";
import { timestamp } from "../wire/time.ts";
import { columnText } from "./columns.ts";
import type { SearchedMirror } from "./search.ts";
import type { MirroredBug, Part, Store } from "./store.ts";

/**
 * Responds to reads as the tracker did; to searches only by id, since `mirrorSearches` does all others.
 * @throws BtError of kind missing for what is not in the mirror, of kind usage for writes
 */
export function mirrorExchange(mirror: SearchedMirror): Exchange {
  return async (request) => {
    if (!isRead(request)) throw readOnlyError(mirror);
    mirror.noteRead?.();
    const { operation, method, path } = request;
    const read = operation && READS[operation];
    if (!read) throw missingError(`the response to "${operation ?? `${method} ${path}`}"`, mirror);
    const body = read({ mirror, pathNames: Object.values(pathValues(request)), request });
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  };
}

export function readOnlyError({ name, toReachTracker }: SearchedMirror): BtError {
  return usageError(`the mirror ${name} is read-only`, `run the command ${toReachTracker}`);
}

function missingError(what: string, { name, toReachTracker }: SearchedMirror): BtError {
  return new BtError("missing", `${what} is not in the mirror ${name}`, { hint: `run the command ${toReachTracker}` });
}

/** A request to a mirror, and the names and ids in its path. */
type Call = { readonly mirror: SearchedMirror; readonly pathNames: readonly string[]; readonly request: Request };

/** What reads the body of a response, by operation. */
const READS: Readonly<Record<string, (call: Call) => JsonObject>> = {
  "Search Bugs": (call) => ({ bugs: shownBugs(readBugsById(call), call) }),
  "Get Bug": (call) => ({ bugs: shownBugs(readNamedBugs(call, []), call) }),
  "Get Comments": (call) => ({ bugs: readItemsByBug(call, "comments", (comments) => ({ comments })), comments: {} }),
  "Get Comments by Id": (call) => ({ bugs: {}, comments: readItemsById(call, "comments", "comment_ids") }),
  "Get Attachments of Bugs": (call) => ({ bugs: readItemsByBug(call, "attachments", (list) => list), attachments: {} }),
  "Get Attachments": (call) => ({ bugs: {}, attachments: readItemsById(call, "attachments", "attachment_ids") }),
  "Bug History": (call) => ({
    bugs: readNewItems(call, "history").map(([{ id, bug }, history]) => ({ id, alias: bug.alias ?? [], history })),
  }),
  Fields: ({ mirror }) => ({ fields: objectsIn(mirror.store.metadata("fields")) }),
  "Get Field": (call) => ({ fields: [readNamedField(call)] }),
  "Legal Values": (call) => ({ values: readLegalValues(call) }),
  "Legal Values of Product": (call) => ({ values: readLegalValues(call) }),
  "Get Products": (call) => ({ products: readNamedProducts(call) }),
  "Get Product": (call) => ({ products: readNamedProducts(call) }),
  "Get Group": (call) => ({ groups: readNamedGroups(call) }),
};

/** The bugs with the fields that a request selects. */
function shownBugs(bugs: readonly MirroredBug[], call: Call): JsonObject[] {
  return bugs.map(({ bug }) => selectMembers(bug as JsonObject, call, EXTRA_BUG_FIELDS));
}

function readBugsById(call: Call): MirroredBug[] {
  const other = call.request.query.find(([name]) => !["id", "include_fields"].includes(name));
  if (other) throw missingError(`a search by "${other[0]}"`, call.mirror);
  return call.mirror.store.bugs(queryValues(call, "id").map(Number), []);
}

/** The values of query parameters, which may be repeated or have commas. */
function queryValues({ request }: Call, ...parameters: readonly string[]): string[] {
  return request.query.flatMap(([name, value]) => (parameters.includes(name) ? value.split(",") : []));
}

/** The bugs that a request names, by number or alias, in its order. */
function readNamedBugs(call: Call, parts: readonly Part[]): MirroredBug[] {
  const refs = [...new Set([...call.pathNames, ...queryValues(call, "ids", "id")])].filter((ref) => ref !== "");
  const { store } = call.mirror;
  return refs.map((ref) => {
    const isId = /^\d+$/.test(ref);
    const [bug] = store.bugs(isId ? [Number(ref)] : findAliasIds(ref, store), parts);
    if (bug === undefined) throw missingError(`bug ${isId ? "#" : ""}${ref}`, call.mirror);
    return bug;
  });
}

function findAliasIds(alias: string, { database }: Store): readonly number[] {
  return database.values("SELECT id FROM bug WHERE instr(alias, char(10) || ? || char(10))", [columnText(alias)]);
}

/**
 * The members of an object that a request selects; `extra` members have to be named. `assigned_to` names `assigned_to_detail`,
 * too, and `_custom` all custom fields.
 */
function selectMembers(object: JsonObject, call: Call, extra: readonly string[] = []): JsonObject {
  const [included, excluded] = [queryValues(call, "include_fields"), queryValues(call, "exclude_fields")];
  const isAll = included.includes("_all");
  const isDefault = included.length === 0 || included.includes("_default");
  const isNamed = (name: string, list: readonly string[]) =>
    list.includes(name) ||
    list.includes(name.replace(/_detail$/, "")) ||
    (list.includes("_custom") && name.startsWith("cf_"));
  const isIncluded = (name: string) => isAll || (isDefault && !extra.includes(name)) || isNamed(name, included);
  const selected = Object.entries(object).filter(([name]) => isIncluded(name) && !isNamed(name, excluded));
  return Object.fromEntries(selected);
}

/** The items of a part, by the ids of the bugs that a request names. */
function readItemsByBug(call: Call, part: Part, shape: (items: JsonObject[]) => Json): JsonObject {
  return Object.fromEntries(readNewItems(call, part).map(([{ id }, items]) => [id, shape(items)]));
}

/**
 * The bugs that a request names, each with the items of a part that came after `new_since`.
 * @throws BtError of kind usage if that is no time
 */
function readNewItems(call: Call, part: Part): [MirroredBug, JsonObject[]][] {
  const since = queryValues(call, "new_since")[0] || "1970-01-01";
  const time = Date.parse(since);
  if (Number.isNaN(time)) throw usageError(`${JSON.stringify(since)} is not a time`);
  const after = timestamp(time);
  return readNamedBugs(call, [part]).map((bug) => {
    const items = itemsOf(bug, part).filter(({ when, creation_time }) => String(when ?? creation_time) > after);
    return [bug, items.map((item) => shownItem(item, part, call))];
  });
}

/** The comments, changes or attachments of a bug, as JSON. */
function itemsOf(bug: MirroredBug, part: Part): readonly JsonObject[] {
  return bug[part] as unknown as readonly JsonObject[];
}

/** What a request selects of an item; of an attachment also the content, unless excluded. */
function shownItem(item: JsonObject, part: Part, call: Call): JsonObject {
  const hasContent = part === "attachments" && "data" in selectMembers({ data: "" }, call);
  if (!hasContent) return selectMembers(item, call);
  const data = call.mirror.store.content(Number(item["id"]));
  if (data === undefined) throw missingError(`the content of attachment ${item["id"]}`, call.mirror);
  return selectMembers({ ...item, data: data || null }, call); // null: deleted
}

/** Comments or attachments by their own ids; the JSON of all bugs is scanned for them. */
function readItemsById(call: Call, part: Part, parameter: string): JsonObject {
  const { store } = call.mirror;
  const ids = new Set([...call.pathNames, ...queryValues(call, parameter)]);
  const entries = [...ids].map((id) => {
    const bugs = store.database.values(`SELECT id FROM received WHERE ${part} LIKE ?`, [`%"id":${id},%`]);
    const items = store.bugs(bugs, [part]).flatMap((bug) => itemsOf(bug, part));
    const item = items.find((candidate) => String(candidate["id"]) === id);
    if (item === undefined) throw missingError(`${part.slice(0, -1)} ${id}`, call.mirror);
    return [id, shownItem(item, part, call)];
  });
  return Object.fromEntries(entries);
}

function readNamedField({ mirror, pathNames: [name = ""] }: Call): JsonObject {
  const fields = objectsIn(mirror.store.metadata("fields"));
  const field = fields.find((candidate) => [candidate["name"], String(candidate["id"])].includes(name));
  if (field === undefined) throw missingError(`the field ${name}`, mirror);
  return field;
}

/**
 * The names of the legal values of a field, of one product if its id is in the path and the values belong to products.
 * @throws BtError of kind missing for a product that the mirror does not have
 */
function readLegalValues(call: Call): Json[] {
  const [, productId] = call.pathNames;
  const field = readNamedField(call);
  const values = objectsIn(field["values"]);
  const names = (some: readonly JsonObject[]) => some.flatMap(({ name }) => name ?? []);
  if (productId === undefined || !PER_PRODUCT_FIELDS.some((name) => name === field["name"])) return names(values);
  const product = objectsIn(call.mirror.store.metadata("products")).find(({ id }) => String(id) === productId);
  if (product === undefined) throw missingError(`product ${productId}`, call.mirror);
  return names(values.filter(({ visibility_values }) => itemsIn(visibility_values).includes(product["name"] ?? "")));
}

function readNamedProducts(call: Call): JsonObject[] {
  return readNamedObjects("products", call).map((product) => selectMembers(product, call));
}

/**
 * The objects of a list that a request names, by name or id; all if it names none.
 * @throws BtError of kind missing for an empty list, which the tracker did not show
 */
function readNamedObjects(kind: "products" | "groups", call: Call): JsonObject[] {
  const wanted = [...call.pathNames, ...queryValues(call, "names", "ids")].map(columnText);
  const objects = objectsIn(call.mirror.store.metadata(kind));
  if (objects.length === 0) throw missingError(`the list of ${kind}`, call.mirror);
  const isWanted = ({ id = null, name = "" }: JsonObject) =>
    wanted.includes(String(id)) || wanted.includes(columnText(String(name)));
  return wanted.length === 0 ? objects : objects.filter(isWanted);
}

function readNamedGroups(call: Call): JsonObject[] {
  const [membership = "0"] = queryValues(call, "membership");
  if (membership !== "0") throw missingError("the membership of groups", call.mirror);
  return readNamedObjects("groups", call);
}
