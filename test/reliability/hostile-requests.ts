import type { Store } from "../../src/tracker/store/store.ts";
import { createTracker, ROUTES } from "../../src/tracker/tracker.ts";
import type { Json, JsonObject, Request } from "../../src/wire/exchange.ts";
import { FIELD_NAMES } from "../../src/wire/search-names.ts";
import { OPERATORS } from "../tracker/search/operators.ts";
import { zebraStore } from "../tracker/search/zebra-store.ts";
import { type Chance, chance } from "./random.ts";

/** Outcome of requests with hostile texts in every part: paths, names and values of parameters, bodies. */
export type HostileRequests = {
  readonly requests: number;
  readonly faults: readonly string[]; // a failure inside, a word of SQL in an answer, or something that is no longer there
};

const PIECES = [
  `'"; DROP TABLE bugs; --`, "' OR '1'='1", "') UNION SELECT login, password_hash FROM users --", "\\'; ATTACH 'x' AS y",
  "%", "_", "\\", "%_\\", "*", '"', "NEAR(a b)", "a AND OR NOT (b", "summary:", "^(a+)+$", "((((", "[[:alpha:]]{1000}",
  "\u0000", "\ud800", "\u202e", "\u001b[31m", "\n", "\u{1f600}", "__proto__", "constructor", "-1", "1e999", "NaN", "[]", "{}",
  "null", "999999999999999999999", "0x10", "2026-02-30", "9999y", "%user%", "%group.admin%", "bugs.bug_id", "bug_id DESC",
  "(SELECT 1)", "1; SELECT 1", "zebra", "alice", "crash", "core-security", "bug_status", "x".repeat(300), " ", ",", "=",
]; // biome-ignore format: a list

const NAMES = [
  ...FIELD_NAMES.flatMap(({ api, chart }) => [api, chart, `${chart}_type`]),
  ...["quicksearch", "order", "limit", "offset", "include_fields", "exclude_fields", "ids", "names", "name", "match", "groups"],
  ...["f1", "o1", "v1", "n1", "j_top", "chfield", "chfieldfrom", "chfieldvalue", "email1", "emailtype1", "new_since", "add"],
  ...["comment", "comment_tags", "remove", "flags", "work_time", "dupe_of", "description", "user_regexp", "login", "email"],
  ...["password", "token", "file_name", "content_type", "data", "is_private", "membership", "type", "product_id", "full_name"],
]; // biome-ignore format: a list

/** Sends so many, as several users, and looks for what should not come of them. */
export async function hostileRequests(requests: number, seed: number): Promise<HostileRequests> {
  const store = zebraStore();
  const schema = schemaOf(store);
  const dice = chance(seed);
  const faults: string[] = [];
  const ask = createTracker(store, {
    now: () => new Date("2026-11-20T05:58:00Z"),
    random: (bytes) => new Uint8Array(bytes).map(() => dice.below(256)),
    report: (failure) => faults.push(String(failure)),
  });
  for (let n = 0; n < requests; n += 1) {
    const request = randomRequest(dice);
    const { status, body } = await ask(request);
    if (status >= 500 || SQL.test(messageOf(body))) faults.push(`${JSON.stringify(request)}: ${body}`);
  }
  if (schemaOf(store) !== schema) faults.push("the schema is another");
  const losses = store.all(LOSSES).map((loss) => JSON.stringify(loss));
  return { requests, faults: [...faults, ...losses] };
}

const SQL = /SQLITE|syntax error|no such (?:table|column)|unrecognized token|\bat .*\.ts:/;
const LOSSES = `
  SELECT integrity_check AS lost FROM pragma_integrity_check WHERE integrity_check <> 'ok'
  UNION ALL SELECT 'bugs' WHERE (SELECT count(*) FROM bugs) < 304
  UNION ALL SELECT 'passwords' WHERE (SELECT count(*) FROM users WHERE password_hash <> '') < 5`;

function schemaOf(store: Store): string {
  return JSON.stringify(store.all("SELECT name, sql FROM sqlite_master ORDER BY name"));
}

function randomRequest(dice: Chance): Request {
  const { method, path } = dice.one(ROUTES);
  const filled = path.replace(/\{\w+\}/g, () => (dice.number() < 0.5 ? encoded(textOf(dice)) : String(dice.below(8))));
  const pairs = Array.from({ length: 1 + dice.below(4) }, () => [nameOf(dice), anyValue(dice)] as const);
  const given = method === "GET" ? pairs.map(([name, value]) => [name, String(value)] as const) : [];
  const key = ["api_key", `{${dice.one(["admin", "alice", "carol"])}_key}`] as const;
  const request: Request = { method, path: `/rest${filled}`, query: [...given, key] };
  return method === "GET" ? request : { ...request, body: Object.fromEntries(pairs) as JsonObject };
}

function encoded(text: string): string {
  const half = /\p{Surrogate}/gu;
  return encodeURIComponent(text.replace(half, "HALF")).replaceAll("HALF", "%ED%A0%80");
}

function nameOf(dice: Chance): string {
  return dice.number() < 0.9 ? dice.one(NAMES) : textOf(dice);
}

function anyValue(dice: Chance): Json {
  const shapes: readonly (() => Json)[] = [
    () => textOf(dice),
    () => textOf(dice),
    () => [textOf(dice), textOf(dice)],
    () => ({ add: [textOf(dice)], [textOf(dice)]: textOf(dice) }),
    () => dice.one(Object.values(OPERATORS).flat()),
    () => dice.one([true, null, -1, 1.5, 1e300]),
  ];
  return dice.one(shapes)();
}

function textOf(dice: Chance): string {
  return Array.from({ length: 1 + dice.below(3) }, () => dice.one(PIECES)).join("");
}

/** Text of an error, without what it repeats of the request. */
function messageOf(body: string): string {
  const { message = "" } = body.startsWith("{") ? (JSON.parse(body) as { message?: string }) : {};
  return PIECES.reduce((text, piece) => text.replaceAll(piece, ""), message);
}
