import type { Exchange, Json, JsonObject } from "../../src/wire/exchange.ts";
import { SPECIFICATION } from "../sweeps/specification.ts";
import { jsonResponse } from "./responses.ts";

/** Ways in which servers of the interface differ. */
export type InterfaceOptions = {
  readonly hasFields?: boolean; // false: no field metadata
  readonly isStrict?: boolean; // rejects parameters that the specification does not name
  readonly maximum?: number; // of bugs in a response, also for limit=0
  readonly hasForeignErrors?: boolean; // error bodies of another kind than Bugzilla's
  readonly hasOtherForms?: boolean; // ids and aliases as text, groups by name, members as `users`
};

/** A server of the specification alone, in memory: `beyond` is what it was sent that the specification does not name. */
export type InterfaceServer = {
  readonly exchange: Exchange;
  readonly beyond: string[];
  readonly bugs: ReadonlyMap<number, StoredBug>;
  readonly comments: readonly StoredComment[];
};

type StoredBug = { id: number; history: JsonObject[]; values: Record<string, Json> };
type StoredComment = Record<"id" | "bug", number> & Record<"text" | "creator" | "time", string> & Commented;
type Commented = { isPrivate: boolean; tags: string[] };

/** The users of the server; requests are the first one's, who is told to nobody. */
export const PEOPLE = ["ann@team.test", "bo@team.test", "cy@team.test"] as const;

const STATUSES = { NEW: true, WORKING: true, DONE: false } as const;
const PRIORITIES = ["Top", "Middle", "Low"];
const PRODUCTS: Readonly<Record<string, readonly string[]>> = { Lamp: ["Bulb", "Shade"], Clock: ["Hand", "Bell"] };
const BUGS = 45;

class Refusal extends Error {
  readonly response: readonly [status: number, code: number];

  constructor(status: number, code: number, message: string) {
    super(message);
    this.response = [status, code];
  }
}

/** A server of the specification with 45 bugs. Its clock stands still but for a minute with each write. */
export function interfaceServer(options: InterfaceOptions = {}): InterfaceServer {
  const bugs = new Map<number, StoredBug>();
  const comments: StoredComment[] = [];
  const beyond: string[] = [];
  let minutes = 0;
  const tick = () => `${new Date(Date.UTC(2026, 4, 1) + ++minutes * 60_000).toISOString().slice(0, 19)}Z`;
  const state: State = { bugs, comments, tick, options, groups: newGroups() };
  for (let id = 1; id <= BUGS; id++) addBug(state, seedOf(id));
  const exchange: Exchange = async (request) => {
    const found = ROUTES.find(({ method, path }) => method === request.method && path.test(request.path));
    const own = found && parametersOf(found.operation);
    const body = (request.body as JsonObject | undefined) ?? {};
    const names = [...request.query.map(([name]) => name), ...Object.keys(body)];
    const unknown = names.filter((name) => !own?.has(name) && !name.startsWith("cf_"));
    if (!found) beyond.push(`${request.method} ${request.path}`);
    else beyond.push(...unknown);
    try {
      if (!found) throw new Refusal(404, 32_000, "Nothing is here.");
      if (options.isStrict && unknown.length > 0) throw new Refusal(400, 32_000, `Unknown parameter ${unknown[0]}.`);
      const [, ...inPath] = found.path.exec(request.path) ?? [];
      const query = new URLSearchParams(request.query as [string, string][]);
      return jsonResponse(found.answer(state, inPath.map(decodeURIComponent), query, body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const {
        response: [status, code],
        message,
      } = error;
      return jsonResponse(options.hasForeignErrors ? { message } : { error: true, code, message }, status);
    }
  };
  return { exchange, beyond, bugs, comments };
}

/** A server that answers every search with the same bugs, and nothing else. */
export function fixedServer(bugs: readonly JsonObject[]): Exchange {
  return async ({ path }) =>
    path === "/rest/bug" ? jsonResponse({ bugs }) : jsonResponse({ message: "not found" }, 404);
}

/** Names that an operation of the specification takes, in its query or body. */
function parametersOf(operation: string): ReadonlySet<string> {
  const { parameters = [] } = SPECIFICATION.find(({ name }) => name === operation) ?? {};
  return new Set([...parameters, ...(EXTRA[operation] ?? [])]);
}

/** Names that the specification mentions outside of its tables. */
const EXTRA: Readonly<Record<string, readonly string[]>> = {
  "Get Bug": ["include_fields"],
  "Search Bugs": ["include_fields", "reporter"],
  "Update Bug": ["ids"],
  "Update Group": ["ids", "names"],
  "Create Bug": ["rep_platform", "description"],
  "Update Comment Tags": ["comment_id"],
};

type State = {
  readonly bugs: Map<number, StoredBug>;
  readonly comments: StoredComment[];
  readonly groups: Record<string, JsonObject>;
  readonly tick: () => string;
  readonly options: InterfaceOptions;
};

function newGroups(): Record<string, JsonObject> {
  const more = { is_bug_group: 1, user_regexp: "", is_active: 1 };
  const group = (id: number, name: string) => ({ id, name, description: `the ${name}`, ...more });
  return { makers: group(1, "makers"), quiet: group(2, "quiet") };
}

/** Values of the bug with a number, which differ in all fields that can be searched by. */
function seedOf(id: number): JsonObject {
  const every = (step: number, value: Json, other: Json): Json => (id % step === 0 ? value : other);
  const product = id % 2 === 0 ? "Clock" : "Lamp";
  const status = Object.keys(STATUSES)[id % 3] ?? "NEW";
  return {
    product,
    component: PRODUCTS[product]?.[id % 4 > 1 ? 1 : 0] ?? "",
    version: every(5, "2", "1"),
    summary: `${every(7, "Loud, sharp noise", "Noise")} in case ${id}`,
    status,
    resolution: status === "DONE" ? "FIXED" : "",
    priority: PRIORITIES[id % 3] ?? "",
    severity: every(6, "large", "small"),
    platform: every(4, "Desk", "All"),
    op_sys: every(3, "Linux", "All"),
    target_milestone: every(8, "next", "---"),
    assigned_to: PEOPLE[id % 3] ?? "",
    creator: PEOPLE[(id + 1) % 3] ?? "",
    qa_contact: every(9, PEOPLE[1], ""),
    url: every(10, `http://pages.test/${id}`, ""),
    whiteboard: every(11, "[later] perhaps", ""),
    keywords: every(4, ["loud"], []),
    alias: every(15, [`case-${id}`], []),
    tags: every(12, ["mine"], []),
    cc: every(5, [PEOPLE[2]], []),
    depends_on: id === 9 ? [8] : [],
    blocks: id === 8 ? [9] : [],
    cf_room: every(2, "", "hall"),
    description: `Heard in case ${id}.`,
  };
}

const EMPTY: JsonObject = {
  ...{ alias: [], summary: "", status: "NEW", resolution: "", product: "", component: "", classification: "All" },
  ...{ version: "", target_milestone: "---", priority: "Middle", severity: "small", platform: "All", op_sys: "All" },
  ...{ assigned_to: PEOPLE[1], creator: PEOPLE[0], qa_contact: "", cc: [], deadline: null, dupe_of: null },
  ...{
    depends_on: [],
    blocks: [],
    keywords: [],
    groups: [],
    flags: [],
    see_also: [],
    url: "",
    whiteboard: "",
    tags: [],
  },
  ...{ is_cc_accessible: true, is_creator_accessible: true, cf_room: "" },
  ...{ estimated_time: 0, remaining_time: 0, actual_time: 0 },
};

function addBug(state: State, { description = "", comment_is_private = false, ...values }: JsonObject): StoredBug {
  const id = state.bugs.size + 1;
  const time = state.tick();
  const stored: Record<string, Json> = { ...EMPTY, ...values, creation_time: time, last_change_time: time };
  const bug: StoredBug = { id, history: [], values: stored };
  state.bugs.set(id, bug);
  const comment = { isPrivate: comment_is_private === true, creator: String(stored["creator"]), time };
  addComment(state, id, String(description), comment);
  return bug;
}

function addComment(
  { bugs, comments, tick }: State,
  bug: number,
  text: string,
  { isPrivate = false, creator = PEOPLE[0] as string, time = tick() } = {},
): StoredComment {
  const comment = { id: 100 + comments.length, bug, text, creator, time, isPrivate, tags: [] };
  comments.push(comment);
  Object.assign(bugs.get(bug)?.values ?? {}, { last_change_time: time });
  return comment;
}

type Answer = (state: State, inPath: readonly string[], query: URLSearchParams, body: JsonObject) => Json;

const ROUTES: readonly { operation: string; method: string; path: RegExp; answer: Answer }[] = [
  route("Search Bugs", "GET", "/rest/bug", search),
  route("Create Bug", "POST", "/rest/bug", (state, _, __, { rep_platform, ...body }) => {
    requireFields(body, "product", "component", "summary", "version");
    if (!PRODUCTS[String(body["product"])]) throw new Refusal(400, 106, `There is no product "${body["product"]}".`);
    const bug = addBug(state, {
      ...body,
      ...(rep_platform ? { platform: rep_platform } : {}),
      alias: [body["alias"] ?? []].flat(),
    });
    return { id: bug.id };
  }),
  route("Get Bug", "GET", "/rest/bug/([^/]+)", (state, [ref = ""], query) => ({
    bugs: [shown(state, bugNamed(state, ref), query)],
    faults: [],
  })),
  route("Update Bug", "PUT", "/rest/bug/([^/]+)", (state, [ref = ""], _, { ids = [], ...body }) => {
    const named = new Set([ref, ...(ids as readonly Json[])].map((one) => bugNamed(state, String(one))));
    if (named.size > 1 && body["alias"]) throw new Refusal(400, 50, "An alias belongs to one bug.");
    if (state.options.hasOtherForms && typeof (body["alias"] ?? "") !== "string")
      throw new Refusal(400, 68_000, "Bad argument.");
    return { bugs: [...named].map((bug) => update(state, bug, body)) };
  }),
  route("Bug History", "GET", "/rest/bug/([^/]+)/history", (state, [ref = ""], query) => {
    const bug = bugNamed(state, ref);
    const history = bug.history.filter(({ when }) => isAfter(when, query));
    return { bugs: [{ id: formOf(state, bug.id), alias: bug.values["alias"] ?? [], history }] };
  }),
  route("Get Comments", "GET", "/rest/bug/([^/]+)/comment", (state, [ref = ""], query) => {
    const { id } = bugNamed(state, ref);
    const own = state.comments.filter(({ bug }) => bug === id).map((one, count) => shownComment(state, one, count));
    return { bugs: { [id]: { comments: own.filter(({ time }) => isAfter(time, query)) } }, comments: {} };
  }),
  route(
    "Create Comments",
    "POST",
    "/rest/bug/([^/]+)/comment",
    (state, [ref = ""], _, { comment = "", is_private }) => {
      if (String(comment).trim() === "") throw new Refusal(400, 109, "The comment parameter was not set.");
      const { id } = bugNamed(state, ref);
      return { id: addComment(state, id, String(comment), { isPrivate: is_private === true }).id };
    },
  ),
  route("Get Comments", "GET", "/rest/bug/comment/(\\d+)", (state, [id = ""]) => {
    const comment = commentNamed(state, id);
    const count = state.comments.filter(({ bug }) => bug === comment.bug).indexOf(comment);
    return { bugs: {}, comments: { [id]: shownComment(state, comment, count) } };
  }),
  route("Search Comment Tags", "GET", "/rest/bug/comment/tags/([^/]+)", ({ comments }, [text = ""], query) => {
    const tags = new Set(comments.flatMap((one) => one.tags));
    return [...tags].filter((tag) => tag.includes(text)).slice(0, Number(query.get("limit") ?? 10));
  }),
  route(
    "Update Comment Tags",
    "PUT",
    "/rest/bug/comment/(\\d+)/tags",
    (state, [id = ""], _, { add = [], remove = [] }) => {
      const comment = commentNamed(state, id);
      const [more, fewer] = [add, remove].map((list) => (list as readonly Json[]).map(String)) as [string[], string[]];
      comment.tags = [...new Set([...comment.tags, ...more])].filter((tag) => !fewer.includes(tag));
      return comment.tags;
    },
  ),
  route("Get Group", "GET", "/rest/group", (state, _, query) => {
    const wanted = [...query.getAll("ids"), ...query.getAll("names")];
    return shownGroups(state, wanted.length > 0 ? wanted : Object.keys(state.groups), query.get("membership") === "1");
  }),
  route("Get Group", "GET", "/rest/group/([^/]+)", (state, [ref = ""], query) =>
    shownGroups(state, [ref], query.get("membership") === "1"),
  ),
  route("Create Group", "POST", "/rest/group", ({ groups }, _, __, body) => {
    requireFields(body, "name", "description");
    const id = Object.keys(groups).length + 1;
    groups[String(body["name"])] = { id, is_bug_group: 1, is_active: 1, user_regexp: "", ...body };
    return { id };
  }),
  route("Update Group", "PUT", "/rest/group/([^/]+)", (state, [ref = ""], _, { ids = [], names = [], ...body }) => {
    const all = new Set(
      [ref, ...(ids as readonly Json[]), ...(names as readonly Json[])].map((one) => groupNamed(state, String(one))),
    );
    return {
      groups: [...all].map((group) => ({
        id: group["id"] ?? 0,
        changes: changesOf(group, body, (name, value) =>
          Object.assign(group, { [name]: typeof value === "boolean" ? Number(value) : value }),
        ),
      })),
    };
  }),
  route("Fields", "GET", "/rest/field/bug", (state) => ({ fields: fieldsOf(state) })),
  route("Fields", "GET", "/rest/field/bug/([^/]+)", (state, [ref = ""]) => ({ fields: [fieldNamed(state, ref)] })),
  route("Legal Values", "GET", "/rest/field/bug/([^/]+)/values", (state, [ref = ""]) => ({
    values: valueNames(state, ref),
  })),
  route("Legal Values", "GET", "/rest/field/bug/([^/]+)/(\\d+)/values", (state, [ref = "", product = ""]) => ({
    values: valueNames(state, ref, Object.keys(PRODUCTS)[Number(product) - 1]),
  })),
];

function requireFields(body: JsonObject, ...names: readonly string[]): void {
  const missing = names.find((name) => !body[name]);
  if (missing) throw new Refusal(400, 50, `The field ${missing} is required.`);
}

function route(operation: string, method: string, path: string, answer: Answer) {
  return { operation, method, path: new RegExp(`^${path}$`), answer };
}

const EXACT = [
  ...["alias", "assigned_to", "component", "creator", "op_sys", "platform", "priority", "product"],
  ...["resolution", "severity", "status", "tags", "target_milestone", "qa_contact", "url", "version"],
];

/** Search Bugs, by the rules of the specification. */
function search(state: State, _: readonly string[], query: URLSearchParams): Json {
  const items = (value: Json | undefined) => [value ?? ""].flat().map((item) => String(item).toLowerCase());
  const has = (name: string, test: (value: string) => boolean) => !query.has(name) || query.getAll(name).some(test);
  const found = [...state.bugs.values()].filter(({ id, values }) => {
    const text = (name: string) => String(values[name]).toLowerCase();
    return (
      EXACT.every((name) => has(name, (value) => items(values[name]).includes(value.toLowerCase()))) &&
      has("reporter", (value) => text("creator") === value.toLowerCase()) &&
      has("id", (value) => value.split(",").includes(String(id))) &&
      ["summary", "whiteboard"].every((name) => has(name, (value) => text(name).includes(value.toLowerCase()))) &&
      ["creation_time", "last_change_time"].every((name) => has(name, (value) => String(values[name]) >= value)) &&
      has("quicksearch", (value) => value.split(" ").every((word) => text("summary").includes(word.toLowerCase())))
    );
  });
  const { maximum = Number.POSITIVE_INFINITY } = state.options;
  const limit = query.has("limit") ? Number(query.get("limit")) || maximum : maximum;
  const start = query.has("limit") ? Number(query.get("offset") ?? 0) : 0;
  const page = found.slice(start, start + Math.min(limit, maximum));
  return { bugs: page.map((bug) => shown(state, bug, query)), faults: [] };
}

function shown(state: State, { id, values }: StoredBug, query: URLSearchParams): JsonObject {
  const { alias, ...rest } = values;
  const person = (login: Json = "") => ({ id: 1, name: login, real_name: `Mx ${login}`, email: login });
  const whole: JsonObject = {
    id: formOf(state, id),
    alias: aliasForm(state, alias),
    ...rest,
    is_open: STATUSES[values["status"] as keyof typeof STATUSES] ?? true,
    is_confirmed: true,
    assigned_to_detail: person(values["assigned_to"]),
    creator_detail: person(values["creator"]),
  };
  const chosen = query.get("include_fields")?.split(",") ?? [];
  if (chosen.length === 0 || chosen.includes("_default") || chosen.includes("_all")) return whole;
  const isChosen = (name: string) => chosen.includes(name) || chosen.includes(name.replace("_detail", ""));
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isChosen(name)));
}

function formOf({ options }: State, id: number): Json {
  return options.hasOtherForms ? String(id) : id;
}

function bugNamed({ bugs }: State, ref: string): StoredBug {
  const hasAlias = ({ values }: StoredBug) => (values["alias"] as readonly string[]).includes(ref);
  const bug = bugs.get(Number(ref)) ?? [...bugs.values()].find(hasAlias);
  if (bug) return bug;
  throw new Refusal(404, 101, `Bug ${ref} does not exist.`);
}

function commentNamed({ comments }: State, id: string): StoredComment {
  const comment = comments.find((one) => String(one.id) === id);
  if (comment) return comment;
  throw new Refusal(404, 111, `Comment ${id} does not exist.`);
}

function groupNamed({ groups }: State, ref: string): JsonObject {
  const group = groups[ref] ?? Object.values(groups).find(({ id }) => String(id) === ref);
  if (group) return group;
  throw new Refusal(404, 51, `Group ${ref} does not exist.`);
}

function isAfter(time: Json | undefined, query: URLSearchParams): boolean {
  return String(time) > (query.get("new_since") ?? "");
}

function shownComment({ options }: State, comment: StoredComment, count: number) {
  const { id, bug, text, creator, time, isPrivate, tags } = comment;
  const own = { id, bug_id: bug, text, creator, time };
  const ids = options.hasOtherForms ? { id: String(id), bug_id: String(bug) } : {};
  return { ...own, ...ids, attachment_id: null, count, creation_time: time, is_private: isPrivate, tags };
}

function shownGroups(state: State, refs: readonly string[], withMembers: boolean): Json {
  const more = { real_name: "", can_login: true, email_enabled: true };
  const members = PEOPLE.map((name, at) => ({ id: at + 1, name, email: name, ...more }));
  const { hasOtherForms } = state.options;
  const shownMembers: JsonObject = withMembers ? { [hasOtherForms ? "users" : "membership"]: members } : {};
  const groups = refs.map((ref): JsonObject => ({ ...groupNamed(state, ref), ...shownMembers }));
  return hasOtherForms ? Object.fromEntries(groups.map(({ name, ...group }) => [String(name), group])) : { groups };
}

const LISTS = ["alias", "blocks", "depends_on", "cc", "groups", "keywords", "see_also"];

/** Update Bug, by the rules of the specification; values of changes are text. */
function update(state: State, bug: StoredBug, body: JsonObject): JsonObject {
  for (const [id, isPrivate] of Object.entries((body["comment_is_private"] ?? {}) as JsonObject))
    commentNamed(state, id).isPrivate = isPrivate === true;
  const changes = changesOf(bug.values, wantedValues(state, bug.values, body), (name, value) => {
    bug.values[name] = value;
  });
  if (Object.keys(changes).length > 0) {
    const when = state.tick();
    bug.values["last_change_time"] = when;
    const rows = Object.entries(changes).map(([name, sides]) => ({
      field_name: CHART[name] ?? name,
      ...Object(sides),
    }));
    bug.history.push({ when, who: PEOPLE[0], changes: rows });
  }
  const { body: text, comment = text, is_private } = Object(body["comment"]) as JsonObject;
  if (comment) addComment(state, bug.id, String(comment), { isPrivate: is_private === true });
  const { alias, last_change_time = "" } = bug.values;
  return { id: formOf(state, bug.id), alias: aliasForm(state, alias), last_change_time, changes };
}

function aliasForm({ options }: State, alias: Json = []): Json {
  return options.hasOtherForms ? ((alias as readonly string[])[0] ?? null) : alias;
}

/** Parts of an update that are no values of fields. */
const NO_VALUES = ["comment", "comment_is_private", "work_time", "reset_assigned_to", "reset_qa_contact", "dupe_of"];

/** Values of a bug after an update, of the fields that it names. */
function wantedValues(state: State, before: Readonly<Record<string, Json>>, body: JsonObject) {
  const wanted: Record<string, Json> = {};
  if (body["dupe_of"]) Object.assign(wanted, { dupe_of: body["dupe_of"], status: "DONE", resolution: "DUPLICATE" });
  if (body["reset_assigned_to"]) wanted["assigned_to"] = PEOPLE[1];
  if (body["reset_qa_contact"]) wanted["qa_contact"] = "";
  if (body["work_time"]) wanted["actual_time"] = Number(before["actual_time"]) + Number(body["work_time"]);
  for (const [name, value] of Object.entries(body)) {
    if (NO_VALUES.includes(name)) continue;
    if (name === "flags") wanted[name] = flagged(state, before[name], value);
    else wanted[name] = LISTS.includes(name) ? edited(before[name], value) : value;
  }
  const isOpen = STATUSES[String(wanted["status"]) as keyof typeof STATUSES];
  return isOpen ? { ...wanted, resolution: "" } : wanted;
}

const CHART: Readonly<Record<string, string>> = {
  summary: "short_desc",
  status: "bug_status",
  severity: "bug_severity",
  platform: "rep_platform",
  whiteboard: "status_whiteboard",
  url: "bug_file_loc",
};

function edited(before: Json | undefined, edit: Json): Json {
  if (typeof edit === "string") return edit === "" ? [] : [edit];
  const { add = [], remove = [], set } = edit as Readonly<Partial<Record<"add" | "remove" | "set", readonly Json[]>>>;
  const kept = [before ?? []].flat().filter((item) => !remove.includes(item));
  return set ?? [...new Set([...kept, ...add])];
}

function flagged(state: State, before: Json | undefined, wishes: Json): Json {
  let flags = [...((before ?? []) as readonly JsonObject[])];
  for (const wish of wishes as readonly JsonObject[]) {
    const { name = "check", status, requestee } = wish;
    flags = flags.filter((flag) => (wish["id"] === undefined ? flag["name"] !== name : flag["id"] !== wish["id"]));
    const time = state.tick();
    const more = {
      setter: PEOPLE[0],
      creation_date: time,
      modification_date: time,
      ...(requestee ? { requestee } : {}),
    };
    if (status !== "X") flags.push({ id: 7, name, type_id: 1, status: status ?? "?", ...more });
  }
  return flags;
}

/** Changes of an object by wanted values, each put in its place; booleans are written "true" and "false". */
function changesOf(
  before: Readonly<Record<string, Json>>,
  wanted: JsonObject,
  put: (name: string, value: Json) => void,
): JsonObject {
  const text = (value: Json | undefined): string =>
    [value ?? ""]
      .flat()
      .map((one) => (typeof one === "object" ? `${Object(one).name}${Object(one).status}` : String(one)))
      .join(", ");
  const changes: Record<string, Json> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const [removed, added] = [text(before[name]), text(value)];
    if (removed !== added) changes[name] = { removed, added };
    put(name, value);
  }
  return changes;
}

function fieldsOf({ options }: State): readonly JsonObject[] {
  if (options.hasFields === false) throw new Refusal(404, 32_000, "Nothing is here.");
  const value = (name: string, at: number, more: JsonObject = {}) => ({
    name,
    sort_key: at,
    visibility_values: [],
    ...more,
  });
  const perProduct = (lists: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(lists).flatMap(([product, names]) =>
      names.map((name, at) => value(name, at, { visibility_values: [product], is_active: true })),
    );
  const moves = Object.keys(STATUSES).map((name) => ({ name, comment_required: false }));
  const statuses = Object.entries(STATUSES).map(([name, is_open], at) =>
    value(name, at, { is_open, can_change_to: moves.filter((move) => move.name !== name) }),
  );
  const list = (names: readonly string[]) => names.map((name, at) => value(name, at));
  const both = (names: readonly string[]) => perProduct({ Lamp: names, Clock: names });
  const rows: readonly (readonly [string, number, readonly JsonObject[], JsonObject?])[] = [
    ["bug_id", 0, []],
    ["short_desc", 1, [], { is_mandatory: true }],
    ["product", 2, [], { is_mandatory: true }],
    ["component", 2, perProduct(PRODUCTS), { is_mandatory: true, value_field: "product" }],
    ["version", 2, both(["1", "2"]), { is_mandatory: true, value_field: "product" }],
    ["target_milestone", 2, both(["---", "next"]), { value_field: "product" }],
    ["bug_status", 2, statuses],
    ["resolution", 2, list(["", "FIXED", "DUPLICATE"])],
    ["priority", 2, list(PRIORITIES)],
    ["bug_severity", 2, list(["large", "small"])],
    ["rep_platform", 2, list(["All", "Desk"])],
    ["op_sys", 2, list(["All", "Linux"])],
    ["keywords", 8, [value("loud", 0, { description: "can be heard" })]],
    ["cf_room", 1, [], { is_custom: true, is_on_bug_entry: true }],
  ];
  return rows.map(([name, type, values, more = {}], at) => ({
    ...{ id: at + 1, name, display_name: name, type, is_custom: false, is_mandatory: false, is_on_bug_entry: false },
    ...{ visibility_field: null, visibility_values: [], value_field: null, values, ...more },
  }));
}

function fieldNamed(state: State, ref: string): JsonObject {
  const name = CHART[ref] ?? ref;
  const field = fieldsOf(state).find((one) => one["name"] === name || String(one["id"]) === name);
  if (field) return field;
  throw new Refusal(404, 51, `Field ${ref} does not exist.`);
}

function valueNames(state: State, ref: string, product?: string): readonly Json[] {
  const values = fieldNamed(state, ref)["values"] as readonly JsonObject[];
  const own = values.filter(
    ({ visibility_values }) => product === undefined || (visibility_values as readonly Json[]).includes(product),
  );
  return own.map(({ name }) => name ?? "");
}
