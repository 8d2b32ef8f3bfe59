import { BUG_HISTORY, GET_BUG, SEARCH_BUGS } from "../../src/api/operations/bugs.ts";
import { asRequester, becomeViewer, type Call, PARAMETER_DEFAULTS, userById } from "../../src/tracker/http/call.ts";
import { splitCredentials } from "../../src/tracker/http/input.ts";
import type { Store } from "../../src/tracker/store/store.ts";
import { createTracker, ROUTES, type Route, type Tracker } from "../../src/tracker/tracker.ts";
import type { Json, Request, Response } from "../../src/wire/exchange.ts";
import { FIELD_NAMES } from "../../src/wire/search-names.ts";
import { OPERATORS } from "../tracker/search/operators.ts";
import { HIDDEN_NAMES, hiddenData, OUTSIDERS } from "./hidden-data.ts";
import { type Chance, chance } from "./random.ts";

/** Random requests of outsiders to two trackers that differ only in hidden things. */
export type ClosedDoors = {
  readonly requests: number;
  readonly accepted: number; // answered with a result, not an error
  readonly parameters: number; // of all routes, each counted once for each route
  readonly leaks: readonly string[];
};

/** Sends so many requests to both trackers; those they answer differently are leaks. */
export async function closedDoors(requests: number, seed: number): Promise<ClosedDoors> {
  const { secretive, open } = hiddenData();
  const dice = chance(seed);
  const [one, other] = [trackerOf(secretive), trackerOf(open)];
  const byRoute = ROUTES.map((route) => doorsOf(route, open));
  const doors = dice.shuffled(byRoute.flat());
  const leaks: string[] = [];
  let accepted = 0;
  for (let n = 0; n < requests; n += 1) {
    const request = randomRequest(
      dice,
      n % 2 === 0 ? (doors[(n / 2) % doors.length] as Door) : dice.one(dice.one(byRoute)),
    );
    const [hidden, absent] = [await one(request), await other(request)];
    accepted += absent.status < 300 ? 1 : 0;
    if (comparable(hidden) !== comparable(absent)) leaks.push(told(request, hidden, absent));
  }
  return { requests, accepted, parameters: doors.length, leaks };
}

/** One parameter of a route, and all that the route reads. */
type Door = { readonly route: Route; readonly name: string; readonly names: readonly string[] };

function doorsOf(route: Route, store: Store): readonly Door[] {
  const names = parametersOf(route, store);
  return names.map((name) => ({ route, name, names }));
}

function trackerOf(store: Store): Tracker {
  let second = 0;
  return createTracker(store, {
    now: () => new Date(Date.UTC(2026, 10, 20, 6, 0, second++)),
    random: (bytes) => new Uint8Array(bytes).fill(7),
    report: (failure) => {
      throw failure;
    },
  });
}

// The number of a comment on its bug has gaps where private ones are: a declared exception, like the gaps of ids.
function comparable({ status, body }: Response): string {
  return `${status} ${body.replace(/"count":\d+/g, '"count":0')}`;
}

function told(request: Request, hidden: Response, absent: Response): string {
  return `${JSON.stringify(request)}\n  hidden: ${comparable(hidden).slice(0, 500)}\n  absent: ${comparable(absent).slice(0, 500)}`;
}

const SEARCH_ROWS = ["f1", "o1", "v1", "n1", "f2", "o2", "v2", "j_top", "chfield", "chfieldfrom", "chfieldvalue", "email1",
  "emailtype1", "emailcc1", "emailassigned_to1", "emaillongdesc1", "order", "quicksearch", "field0-0-0", "type0-0-0",
  "value0-0-0"]; // biome-ignore format: a list

/** The parameters of a route: what its handler reads when it is called, and of a search what the tables name. */
function parametersOf(route: Route, store: Store): readonly string[] {
  const names = new Set([...parametersRead(route, store), ...["include_fields", "exclude_fields", "callback"]]);
  if (route.path === "/bug" && route.method === "GET") {
    const fields = FIELD_NAMES.flatMap(({ api, chart }) => [api, chart, `${chart}_type`]);
    for (const name of [...SEARCH_ROWS, ...fields, ...SEARCH_BUGS.parameters.map((one) => one.name)]) names.add(name);
  }
  for (const { parameters } of [GET_BUG, BUG_HISTORY].filter(
    ({ method, path }) => `/rest${route.path}` === path && method === route.method,
  )) {
    for (const { name } of parameters) names.add(name);
  }
  return [...names].filter((name) => !CREDENTIALS.test(name));
}

const CREDENTIALS = /^(Bugzilla_)?(api_key|token)$/;

class Undone extends Error {}

/** The names that a handler asks of its input, over calls by an administrator with plausible values; nothing is kept. */
function parametersRead(route: Route, store: Store): ReadonlySet<string> {
  const names = new Set<string>();
  const dice = chance(1);
  const user = userById(store, 1);
  const requester = asRequester(store, user as NonNullable<typeof user>);
  const parameters = { ...PARAMETER_DEFAULTS, timetrackinggroup: "editbugs" };
  for (let n = 0; n < 40; n += 1) {
    const input = new Proxy({} as Record<string, Json>, {
      get: (_, name) => (typeof name === "string" ? noted(names, name, { dice, route }) : undefined),
      has: (_, name) => typeof name === "string" && names.add(name) !== undefined,
    });
    const path = Object.fromEntries(
      [...route.path.matchAll(/\{(\w+)\}/g)].map(([, part = ""]) => [part, pooled(dice, part, route)]),
    );
    const runtime = { now: () => new Date(0), random: (bytes: number) => new Uint8Array(bytes) };
    const call: Call = {
      store,
      requester,
      parameters,
      path,
      input,
      credentials: splitCredentials({}).credentials,
      now: NOW,
      runtime,
    };
    try {
      store.transaction("write", () => {
        becomeViewer(store, requester, parameters);
        route.handle(call);
        throw new Undone();
      });
    } catch {
      // what it read is what counts
    }
  }
  return names;
}

const NOW = "2026-11-20T06:00:00Z";

type Noting = { readonly dice: Chance; readonly route: Route };

function noted(names: Set<string>, name: string, { dice, route }: Noting): Json {
  names.add(name);
  const value = dice.number() < 0.2 ? undefined : (BASE[name] ?? anyValue(dice, name, route));
  return value as Json;
}

/** Values with which a bug can be filed, a comment written, a file attached. */
const BASE: Readonly<Record<string, Json>> = {
  product: "Firefox", component: "General", version: "121", op_sys: "Linux", platform: "PC", summary: "Toolbar vanishes",
  comment: "I see it too", file_name: "a.txt", content_type: "text/plain", data: "YQ==", status: "CONFIRMED",
}; // biome-ignore format: a list

function randomRequest(dice: Chance, { route, name: wanted, names }: Door): Request {
  const path = `/rest${route.path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(pooled(dice, part, route)))}`;
  const as = dice.one(OUTSIDERS);
  const key = as === "" ? [] : [["api_key", `{${as}_key}`] as const];
  const some = [
    ...(dice.number() < 0.5 ? [wanted] : []),
    ...Array.from({ length: dice.below(3) }, () => dice.one(names)),
  ];
  const isWrite = route.method !== "GET";
  const base =
    isWrite && dice.number() < 0.7 ? names.filter((name) => Object.hasOwn(BASE, name) && mayStand(route, name)) : [];
  const entries = [
    ...base.map((name) => [name, BASE[name] as Json] as const),
    ...some.map((name) => [name, sentValue(dice, route, name)] as const),
  ];
  if (isWrite) return { method: route.method, path, query: key, body: Object.fromEntries(entries) };
  return {
    method: route.method,
    path,
    query: [...entries.map(([name, value]) => [name, flat(value)] as const), ...key],
  };
}

// What makes a bug move or end is only sent where it is meant to.
function mayStand({ method }: Route, name: string): boolean {
  return method === "POST" || !["product", "component", "version", "status"].includes(name);
}

function flat(value: Json): string {
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// An alias is unique whoever may see its bug, so that one in use cannot be set: a declared exception.
function sentValue(dice: Chance, route: Route, name: string): Json {
  return name === "alias" && route.method !== "GET"
    ? dice.one(["free-1", { add: ["free-2"] }, { remove: ["hush"] }])
    : anyValue(dice, name, route);
}

function anyValue(dice: Chance, name: string, route: Route): Json {
  const text = () => pooled(dice, name, route);
  const shapes: readonly (() => Json)[] = [
    text, text, text, text,
    () => [text()],
    () => [text(), text()],
    () => ({ [dice.one(["add", "remove", "set"])]: [text()] }),
    () => ({ body: text() }),
    () => [{ name: text(), status: dice.one(["?", "+", "-", "X"]), requestee: dice.one(LOGINS) }],
    () => dice.one<Json>([true, false, 1, 0]),
  ]; // biome-ignore format: a list
  return dice.one(shapes)();
}

const LOGINS = ["alice@example.org", "bob@example.org", "dave@example.org", "admin@example.org", "nobody@example.org"];
const IDS = ["20002", "20002", "20002", "20003", "20003", "20005", "20005", "5", "1", "2", "999999", "-1"];
const FIELDS = [...FIELD_NAMES.flatMap(({ api, chart }) => [api, chart]), "_all", "_default", "_custom"];
const TEXTS: readonly string[] = [
  ...Object.values(HIDDEN_NAMES).flat(),
  "Firefox", "Toolkit", "Vault", "General", "121", "---", "zebra", "crash", "review", "editbugs", "zeb", "Visible things",
  "2026-11-20", "-1d", "Linux", "PC", "Highest", "CONFIRMED", "RESOLVED", "FIXED", "DUPLICATE", "substring", "", "%", "*",
  "selectable", "enterable", "accessible", "bug_group", "cf_due", "cf_tracking", "component", "%user%", "%group.hush-team%",
]; // biome-ignore format: a list

// What a request names is of the route's kind: /user/{id_or_name}, names of /product.
const NAMED = /^(id_or_name|id_or_alias|ids?|names?|match)$/;

type Pool = { readonly of: RegExp; readonly values: readonly string[] };

/** Values that are likely to mean something to a parameter, by its name. */
const POOLS: readonly Pool[] = [
  { of: /^(bug|bug_id|bug_user_last_visit|comment_id|attachment_id|dupe_of|blocks|depends_on)$/, values: [...IDS, ...HIDDEN_NAMES.alias, "zeb"] },
  { of: /product/, values: [...HIDDEN_NAMES.product, "Firefox", "Vault", "2", "3"] },
  { of: /classification/, values: [...HIDDEN_NAMES.classification, "Visible things", "40", "1"] },
  { of: /component/, values: [...HIDDEN_NAMES.component, "General", "Places"] },
  { of: /version/, values: [...HIDDEN_NAMES.version, "121", "2.0"] },
  { of: /milestone/, values: [...HIDDEN_NAMES.milestone, "---", "M1"] },
  { of: /group/, values: [...HIDDEN_NAMES.group, "editbugs", "15", "900"] },
  { of: /flag|type_id/, values: [...HIDDEN_NAMES.flag, "review", "approval+", "hush-flag?"] },
  { of: /assigned_to|creator|reporter|cc|qa_contact|commenter|email|login|match|setter|requestee|user|^v\d$/, values: [...LOGINS, ...TEXTS] },
  { of: /^f\d$|^field$|chfield|_fields$|order/, values: FIELDS },
  { of: /^o\d$|type/, values: Object.values(OPERATORS).flat() },
]; // biome-ignore format: a table

function pooled(dice: Chance, name: string, route: Route): string {
  const wanted = NAMED.test(name) ? (route.path.split("/")[1] ?? name) : name;
  const pool = POOLS.find(({ of }) => of.test(wanted));
  return dice.one(pool && dice.number() < 0.85 ? pool.values : TEXTS);
}
