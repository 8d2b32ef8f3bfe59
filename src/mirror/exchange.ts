import { pathValues } from "../api/operations/known-operations.ts";
import { BtError, usageError } from "../errors.ts";
import { EXTRA_BUG_FIELDS } from "../wire/bug-fields.ts";
import { type Exchange, isRead, type Json, type JsonObject, type Request } from "../wire/exchange.ts";
import { objectsIn } from "../wire/json.ts";
import { timestamp } from "../wire/time.ts";
import { columnText } from "./columns.ts";
import type { SearchedMirror } from "./search.ts";
import type { MirroredBug, Part, Store } from "./store.ts";

/**
 * Responds to reads as the tracker did; to searches only by id, since `searchMirror` does all others.
 * @throws BtError of kind missing for what is not in the mirror, of kind usage for writes
 */
export function mirrorExchange(mirror: SearchedMirror): Exchange {
  return async (request) => {
    if (!isRead(request)) throw readOnlyError(mirror);
    mirror.noteRead?.();
    const { operation, method, path } = request;
    const answer = operation && ANSWERS[operation];
    if (!answer) throw missing(`the response to "${operation ?? `${method} ${path}`}"`, { mirror });
    const body = answer({ mirror, names: Object.values(pathValues(request)), request });
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  };
}

/** Error for a write to a mirror. */
export function readOnlyError({ name, toReachTracker }: SearchedMirror): BtError {
  return usageError(`the mirror ${name} is read-only`, `run the command ${toReachTracker}`);
}

type Call = { readonly mirror: SearchedMirror; readonly names: readonly string[]; readonly request: Request };

const ANSWERS: Readonly<Record<string, (call: Call) => JsonObject>> = {
  "Search Bugs": (call) => ({ bugs: shownBugs(bugsById(call), call) }),
  "Get Bug": (call) => ({ bugs: shownBugs(bugsNamed(call, []), call) }),
  "Get Comments": (call) => ({ bugs: byBug(call, "comments", (comments) => ({ comments })), comments: {} }),
  "Get Comments by Id": (call) => ({ bugs: {}, comments: byId(call, "comments", "comment_ids") }),
  "Get Attachments of Bugs": (call) => ({ bugs: byBug(call, "attachments", (list) => list), attachments: {} }),
  "Get Attachments": (call) => ({ bugs: {}, attachments: byId(call, "attachments", "attachment_ids") }),
  "Bug History": (call) => ({
    bugs: newItemsOfBugs(call, "history").map(([{ id, bug }, history]) => ({ id, alias: bug.alias ?? [], history })),
  }),
  Fields: (call) => ({ fields: listOf(call, "fields") }),
  "Get Field": (call) => ({ fields: [fieldNamed(call)] }),
  "Legal Values": (call) => ({ values: legalValues(call) }),
  "Legal Values of Product": (call) => ({ values: legalValues(call) }),
  "Get Products": (call) => ({ products: productsNamed(call) }),
  "Get Product": (call) => ({ products: productsNamed(call) }),
  "Get Group": (call) => ({ groups: groupsNamed(call) }),
};

/** The values of a parameter, which may be repeated or have commas. */
function valuesOf({ request }: Call, ...parameters: readonly string[]): string[] {
  return request.query.flatMap(([name, value]) => (parameters.includes(name) ? value.split(",") : []));
}

function missing(what: string, { mirror }: Pick<Call, "mirror">): BtError {
  const hint = `run the command ${mirror.toReachTracker}`;
  return new BtError("missing", `${what} is not in the mirror ${mirror.name}`, { hint });
}

/** The bugs of a search by id. */
function bugsById(call: Call): MirroredBug[] {
  const other = call.request.query.find(([name]) => !["id", "limit", "order", "include_fields"].includes(name));
  if (other) throw missing(`a search by "${other[0]}"`, call);
  return call.mirror.store.bugs(valuesOf(call, "id").map(Number), []);
}

/** The bugs that a request names, by number or alias, in its order. */
function bugsNamed(call: Call, parts: readonly Part[]): MirroredBug[] {
  const refs = [...new Set([...call.names, ...valuesOf(call, "ids", "id")])].filter((ref) => ref !== "");
  const { store } = call.mirror;
  return refs.map((ref) => {
    const isNumber = /^\d+$/.test(ref);
    const [known] = store.bugs([isNumber ? Number(ref) : idOfAlias(ref, store)], parts);
    if (known === undefined) throw missing(`bug ${isNumber ? "#" : ""}${ref}`, call);
    return known;
  });
}

function idOfAlias(alias: string, { database }: Store): number {
  const sql = "SELECT id FROM bug WHERE instr(alias, char(10) || ? || char(10))";
  return database.get<{ id: number }>(sql, [columnText(alias)])?.id ?? 0;
}

/** The fields of an object that a request selects; `extra` fields have to be named. */
function selected(object: JsonObject, call: Call, extra: readonly string[] = []): JsonObject {
  const [included, excluded] = [valuesOf(call, "include_fields"), valuesOf(call, "exclude_fields")];
  const isAll = included.includes("_all");
  const isDefault = included.length === 0 || included.includes("_default");
  const isNamed = (name: string, list: readonly string[]) =>
    list.includes(name) ||
    list.includes(name.replace(/_detail$/, "")) ||
    (list.includes("_custom") && name.startsWith("cf_"));
  const kept = Object.entries(object).filter(
    ([name]) => (isAll || (isDefault && !extra.includes(name)) || isNamed(name, included)) && !isNamed(name, excluded),
  );
  return Object.fromEntries(kept);
}

function shownBugs(bugs: readonly MirroredBug[], call: Call): JsonObject[] {
  return bugs.map(({ bug }) => selected(bug as JsonObject, call, EXTRA_BUG_FIELDS));
}

/** The bugs that a request names, each with the items of a part that came after `new_since`. */
function newItemsOfBugs(call: Call, part: Part): [MirroredBug, JsonObject[]][] {
  const [since = ""] = valuesOf(call, "new_since");
  const from = since === "" ? "" : timestamp(new Date(since));
  return bugsNamed(call, [part]).map((known) => {
    const items = itemsOf(known, part).filter(({ when, creation_time }) => String(when ?? creation_time) > from);
    return [known, items.map((item) => shownItem(item, part, call))];
  });
}

function byBug(call: Call, part: Part, shape: (list: JsonObject[]) => Json): JsonObject {
  return Object.fromEntries(newItemsOfBugs(call, part).map(([{ id }, list]) => [id, shape(list)]));
}

function itemsOf(known: MirroredBug, part: Part): readonly JsonObject[] {
  return known[part] as unknown as readonly JsonObject[];
}

/** What a request selects of an item; of an attachment also the content, unless this is excluded. */
function shownItem(item: JsonObject, part: Part, call: Call): JsonObject {
  if (part !== "attachments" || !("data" in selected({ data: "" }, call))) return selected(item, call);
  const data = call.mirror.store.content(Number(item["id"]));
  if (data === undefined) throw missing(`the content of attachment ${item["id"]}`, call);
  return selected({ ...item, data: data || null }, call); // null: deleted
}

/** Comments or attachments by their own ids; the JSON of all is scanned for them. */
function byId(call: Call, part: Part, parameter: string): JsonObject {
  const { store } = call.mirror;
  const entries = [...new Set([...call.names, ...valuesOf(call, parameter)])].map((id) => {
    const rows = store.database.all<{ id: number }>(`SELECT id FROM received WHERE ${part} LIKE ?`, [`%"id":${id},%`]);
    const bugs = rows.map((row) => row.id);
    const items = store.bugs(bugs, [part]).flatMap((known) => itemsOf(known, part));
    const found = items.find((item) => String(item["id"]) === id);
    if (found === undefined) throw missing(`${part.slice(0, -1)} ${id}`, call);
    return [id, shownItem(found, part, call)];
  });
  return Object.fromEntries(entries);
}

function listOf({ mirror }: Pick<Call, "mirror">, kind: "fields" | "products" | "groups"): JsonObject[] {
  return objectsIn(mirror.store.metadata(kind));
}

/** The objects of a list that a request names, by name or id; all if it names none. */
function named(call: Call, kind: "products" | "groups"): JsonObject[] {
  const names = [...call.names, ...valuesOf(call, "names", "ids")].map(columnText);
  const isNamed = ({ id = null, name = "" }: JsonObject) =>
    names.includes(String(id)) || names.includes(columnText(String(name)));
  const found = listOf(call, kind);
  return names.length === 0 ? found : found.filter(isNamed);
}

function fieldNamed(call: Call): JsonObject {
  const [name = ""] = call.names;
  const found = listOf(call, "fields").find((field) => [field["name"], String(field["id"])].includes(name));
  if (found === undefined) throw missing(`the field ${name}`, call);
  return found;
}

/** The legal values of a field, of one product if it is given. */
function legalValues(call: Call): Json[] {
  const { [1]: product } = call.names;
  const ofProduct = product && listOf(call, "products").find(({ id }) => String(id) === product)?.["name"];
  const own = objectsIn(fieldNamed(call)["values"]).filter(
    ({ visibility_values }) => !product || [visibility_values ?? []].flat().includes(ofProduct ?? ""),
  );
  return own.flatMap(({ name }) => name ?? []);
}

function productsNamed(call: Call): JsonObject[] {
  return named(call, "products").map((product) => selected(product, call));
}

function groupsNamed(call: Call): JsonObject[] {
  const [membership = "0"] = valuesOf(call, "membership");
  if (membership !== "0") throw missing("the membership of groups", call);
  const found = named(call, "groups");
  if (found.length === 0) throw missing("the list of groups", call);
  return found;
}
