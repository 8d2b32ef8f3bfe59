import type { Exchange, Json, JsonObject, Request, Response } from "../../src/wire/exchange.ts";
import { type Around, bt, bugzillaFacts, type Ran } from "../bt.ts";
import { jsonResponse } from "../servers/responses.ts";
import recordedBug from "./bug.json" with { type: "json" };
import recordedFields from "./fields.json" with { type: "json" };

/** A canned server with the fields, names and refusals of bugzilla.mozilla.org, recorded from its code with its own test data. */
export type MozillaServer = { readonly exchange: Exchange; readonly bugs: Map<number, JsonObject> };

export const ADMIN = "admin@example.org";
const NOW = "2026-11-24T20:00:00Z";
export const FIELDS = recordedFields as unknown as readonly JsonObject[];

/** A new server with bug 6 of the recording. */
export function mozillaServer(): MozillaServer {
  const bugs = new Map<number, JsonObject>([[6, recordedBug as unknown as JsonObject]]);
  return { bugs, exchange: async (request) => respond(request, bugs) };
}

/** Runs a command line of its administrator against a server. */
export function onMozilla(line: string, { exchange }: MozillaServer, around: Partial<Around> = {}): Promise<Ran> {
  const network = { address: "https://bugs.example.org", isInProcess: false };
  const facts = bugzillaFacts(NOW);
  return bt(line, { exchange, now: NOW, login: ADMIN, facts, cachedFields: FIELDS, ...network, ...around });
}

/** Command line of a new bug without its type. */
export const NEW_BUG =
  "bug create -p TestProduct -c TestComponent --version unspecified -t Noise -d Loud --os All --platform All";

function respond(request: Request, bugs: Map<number, JsonObject>): Response {
  const { method, path } = request;
  const constant = CONSTANT[path];
  if (constant) return jsonResponse(constant);
  const [, id = "", part = ""] = /^\/rest\/bug\/(\d+)\/?(\w*)/.exec(path) ?? [];
  if (part !== "") return respondToPart(Number(id), part);
  const body = (request.body ?? {}) as JsonObject;
  if (method === "PUT" && id !== "") return update([body["ids"] ?? id].flat().map(Number), body, bugs);
  if (path === "/rest/user") return jsonResponse({ users: usersNamed(request), faults: [] });
  if (id !== "") return jsonResponse({ bugs: [chosen(bugs.get(Number(id)) ?? {}, request)], faults: [] });
  if (path !== "/rest/bug") return failure(404, 32614, `no such resource: ${method} ${path}`);
  return method === "POST" ? create(body, bugs) : jsonResponse({ bugs: found(request, bugs) });
}

function respondToPart(id: number, part: string): Response {
  if (part === "attachment") return jsonResponse({ attachments: { 31: { id: 31, bug_id: id } } }, 201);
  if (part === "history") return jsonResponse({ bugs: [{ id, alias: null, history: [] }] });
  return jsonResponse({ bugs: { [id]: { comments: [] } }, comments: {} });
}

const CONSTANT: Readonly<Record<string, JsonObject>> = {
  "/rest/field/bug": { fields: FIELDS },
  "/rest/whoami": { id: 1, name: ADMIN, real_name: "Admin" },
  "/rest/time": { web_time: NOW, web_time_utc: NOW, db_time: NOW, tz_name: "UTC" },
  "/rest/flag_types/TestProduct/TestComponent": {
    bug: [
      { id: 1, name: "needinfo", values: ["X", "?"], is_active: true, is_requesteeble: true, is_multiplicable: true },
    ],
    attachment: [{ id: 2, name: "review", values: ["X", "?"], is_active: true, is_requesteeble: true }],
  },
  "/rest/version": { version: "20260820.1" },
};

/** All users that a request names exist. */
function usersNamed({ query }: Request): readonly JsonObject[] {
  return query.flatMap(([name, login]) => (name === "names" ? [{ id: 14, name: login, real_name: "" }] : []));
}

function found(request: Request, bugs: Map<number, JsonObject>): JsonObject[] {
  const ids = request.query.filter(([name]) => name === "id").flatMap(([, value]) => value.split(",").map(Number));
  const alias = request.query.find(([name]) => name === "alias")?.[1];
  return [...bugs.values()]
    .filter((bug) => ids.length === 0 || ids.includes(Number(bug["id"])))
    .filter((bug) => alias === undefined || bug["alias"] === alias)
    .map((bug) => chosen(bug, request));
}

/** The chosen fields of a bug; `triage_owner` is only returned if it is named. */
function chosen(bug: JsonObject, { query }: Request): JsonObject {
  const include = query.find(([name]) => name === "include_fields")?.[1].split(",") ?? ["_default"];
  const isAll = include.some((name) => name.startsWith("_"));
  const extra = include.includes("triage_owner") ? { triage_owner: "" } : {};
  return { ...Object.fromEntries(Object.entries(bug).filter(([name]) => isAll || include.includes(name))), ...extra };
}

function create(body: JsonObject, bugs: Map<number, JsonObject>): Response {
  if (Array.isArray(body["alias"])) return jsonResponse({ error: true, code: 100500, message: null });
  if (!body["type"]) {
    return failure(400, 135, "To file a new bug, you must first choose a type: defect, enhancement or task.");
  }
  const { bug_mentors: mentors = [], description: _, ...fields } = body;
  const id = Math.max(...bugs.keys()) + 1;
  bugs.set(id, { ...recordedBug, ...fields, id, mentors, creation_time: NOW, last_change_time: NOW } as JsonObject);
  return jsonResponse({ id });
}

const SHOWN_AS: Readonly<Record<string, string>> = { bug_mentors: "mentors" };
const REPORTED_AS: Readonly<Record<string, string>> = { mentors: "bug_mentor" };

function update(ids: number[], { ids: _, ...body }: JsonObject, bugs: Map<number, JsonObject>): Response {
  const changed = ids.map((id) => {
    const before = bugs.get(id) ?? {};
    const changes: Record<string, Json> = {};
    const after: Record<string, Json> = { ...before, last_change_time: NOW };
    for (const [written, wish] of Object.entries(body)) {
      const name = SHOWN_AS[written] ?? written;
      const value = edited(before[name] ?? null, wish);
      if (String(value) === String(before[name] ?? "")) continue;
      after[name] = value;
      changes[REPORTED_AS[name] ?? name] = difference(before[name] ?? null, value);
    }
    if (isRegression(after) && after["type"] !== "defect") {
      changes["type"] = { removed: String(after["type"]), added: "defect" };
      after["type"] = "defect";
    }
    bugs.set(id, after);
    return { id, alias: after["alias"] ?? null, last_change_time: NOW, changes };
  });
  return jsonResponse({ bugs: changed });
}

/** @see extensions/BMO of bugzilla.mozilla.org: a bug with this keyword is a defect */
function isRegression({ keywords }: JsonObject): boolean {
  return Array.isArray(keywords) && keywords.includes("regression");
}

type Edit = { readonly add?: readonly Json[]; readonly remove?: readonly Json[]; readonly set?: readonly Json[] };

function edited(before: Json, wish: Json): Json {
  if (wish === null || typeof wish !== "object" || Array.isArray(wish)) return wish;
  const { add = [], remove = [], set } = wish as Edit;
  const items = Array.isArray(before) ? (before as readonly Json[]) : [];
  return set ?? [...items.filter((item) => !remove.includes(item)), ...add.filter((item) => !items.includes(item))];
}

function difference(before: Json, after: Json): JsonObject {
  if (!Array.isArray(after)) return { removed: String(before ?? ""), added: String(after) };
  const items = Array.isArray(before) ? (before as readonly Json[]) : [];
  return {
    removed: items.filter((item) => !after.includes(item)).join(", "),
    added: after.filter((item) => !items.includes(item)).join(", "),
  };
}

function failure(status: number, code: number, message: string): Response {
  return jsonResponse({ error: true, code, message, documentation: "docs/%lang%/html/api/" }, status);
}
