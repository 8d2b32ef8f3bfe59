import type { Json, JsonObject } from "../../wire/exchange.ts";
import { userByLogin } from "../http/call.ts";
import { applyDefaults, applySetup, type Setup } from "../setup/setup.ts";
import { SCHEMA_VERSION } from "../store/schema.ts";
import { openStore, type Store } from "../store/store.ts";
import { createTracker } from "../tracker.ts";
import { type BugValues, DEMO_BUGS, type DemoBug } from "./bugs.ts";
import { DEMO_TIME, DEMO_USER } from "./demo.ts";
import { DEMO_SETUP, demoLogin } from "./setup.ts";

/**
 * A store in which everything of the demo has happened up to `DEMO_TIME`: each event is a request of its author, so that the
 * demo obeys the rules of the tracker. @throws Error with the fault of a refused request
 */
export async function replayDemo(): Promise<Store> {
  const store = openStore(":memory:");
  applyDefaults(store);
  applySetup(store, SETUP_BEFORE_RETIREMENTS);
  for (const event of timeline(DEMO_BUGS)) {
    const { bugId, daysAgo, author, isFirst, details } = event;
    const { id } = await send(store, daysAgo, author, eventRequest(event));
    if (isFirst && id !== bugId) throw new Error(`the demo's bug ${bugId} became bug ${id}`);
    if (details.tags) await send(store, daysAgo, "tomas", tagRequest(store, details.tags));
  }
  applySetup(store, DEMO_SETUP);
  store.exec(`DELETE FROM outbox; ${PERSONAL_TAGS}`);
  return store;
}

/** The setup with everything active: bugs of the demo use what is inactive by now. */
const SETUP_BEFORE_RETIREMENTS = JSON.parse(
  JSON.stringify(DEMO_SETUP, (key, value) => (key === "is_active" ? undefined : value)),
) as Setup;

/** Saves the rows of a store in a new file, without keys, indexes and full-text words, which copying recreates. */
export function saveRows(store: Store, file: string): void {
  const tables = store.values<string>(OWN_TABLES);
  const filled = tables.filter((name) => store.get(`SELECT 1 FROM ${name} LIMIT 1`) !== undefined);
  store.run("ATTACH ? AS shipped", [file]);
  store.exec(`PRAGMA shipped.page_size = 1024; PRAGMA shipped.user_version = -${SCHEMA_VERSION}`);
  for (const name of filled) store.exec(`CREATE TABLE shipped.${name} AS SELECT * FROM main.${name}`);
  store.exec("VACUUM shipped; DETACH shipped");
}

const OWN_TABLES = `SELECT name FROM main.sqlite_schema
  WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '*_words*'`;

/** SQL that adds the personal tags, which no request sets. */
const PERSONAL_TAGS = `
  INSERT INTO personal_tags (id, user_id, name)
  SELECT tag.column1, users.id, tag.column2 FROM (VALUES (1, 'today'), (2, 'ask')) tag, users WHERE login = '${DEMO_USER}';
  INSERT INTO bug_tags (bug_id, tag_id) VALUES (49, 1), (44, 1), (10, 2), (40, 2);`;

type DemoRequest = { method: "POST" | "PUT"; path: string; body: JsonObject };

/** Sends a request of a person; returns the id of a new bug. */
async function send(store: Store, daysAgo: number, author: string, request: DemoRequest): Promise<{ id?: number }> {
  const tracker = createTracker(store, {
    now: () => demoMoment(-daysAgo),
    random: (count) => new Uint8Array(count),
    report: (failure) => {
      throw failure;
    },
  });
  const user = userByLogin(store, demoLogin(author));
  if (user === undefined) throw new Error(`${author} is no user of the demo`);
  const { status, body } = await tracker({ ...request, query: [] }, user.id);
  if (status >= 300) throw new Error(`${author}, ${daysAgo} days ago: ${request.method} ${request.path}: ${body}`);
  return JSON.parse(body) as { id?: number };
}

function eventRequest({ bugId, place, summary, values, text, details, isFirst }: TimelineEvent): DemoRequest {
  const { isPrivate = false, attach } = details;
  if (isFirst) {
    const [product, component, version] = place;
    const body = { ...DEFAULT_VALUES, product, component, version, summary, description: text };
    return { method: "POST", path: "/rest/bug", body: { ...body, ...eventBody(values, (list) => list) } };
  }
  if (attach) {
    const data = Buffer.from(attach.data).toString("base64");
    const body = { ...attach, data, comment: text, is_private: isPrivate, ids: [bugId] };
    return { method: "POST", path: `/rest/bug/${bugId}/attachment`, body };
  }
  const comment = { body: text, is_private: isPrivate };
  return { method: "PUT", path: `/rest/bug/${bugId}`, body: { ...eventBody(values, (add) => ({ add })), comment } };
}

/** Tags the last comment. */
function tagRequest(store: Store, tags: readonly string[]): DemoRequest {
  const [id] = store.values("SELECT max(id) FROM comments");
  return { method: "PUT", path: `/rest/bug/comment/${id}/tags`, body: { add: tags } };
}

const DEFAULT_VALUES = { op_sys: "All", platform: "All", priority: "Normal", severity: "normal" };

/** The values of an event in a request: whole logins, dates for days, lists by `presentList`. */
function eventBody(values: BugValues, presentList: (list: readonly Json[]) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      if (typeof value !== "object" || field.startsWith("cf_")) return [field, demoValue(field, value)];
      if (field === "flags") return [field, value.map((flag) => demoFlag(String(flag)))];
      return [field, presentList(field === "cc" ? value.map((name) => demoLogin(String(name))) : value)];
    }),
  );
}

function demoValue(field: string, value: BugValues[string]): Json {
  if (field === "assigned_to") return demoLogin(String(value));
  if (typeof value !== "number" || !DATES.has(field)) return value;
  const time = demoMoment(value).toISOString();
  return field === "cf_last_seen" ? time.slice(0, 19).replace("T", " ") : time.slice(0, 10);
}

const DATES = new Set(["deadline", "cf_ship_by", "cf_last_seen"]);

/** The moment some days after `DEMO_TIME`, to the second. */
function demoMoment(days: number): Date {
  return new Date(Date.parse(DEMO_TIME) + Math.round(days * 86_400) * 1000);
}

/** A flag as the interface takes it: `review?(mei)` asks Mei, `needinfoX` clears. */
function demoFlag(text: string): JsonObject {
  const [, name = "", status = "", requestee] = /^([\w-]+)([?+X-])(?:\((\w+)\))?$/.exec(text) ?? [];
  return { name, status, ...(requestee === undefined ? {} : { requestee: demoLogin(requestee) }) };
}

type TimelineEvent = ReturnType<typeof timeline>[number];

/** All events of all bugs in the order in which they happened; the first of each bug files it. */
function timeline(bugs: readonly DemoBug[]) {
  return bugs
    .flatMap(([bugId, place, summary, ...events]) =>
      events.map(([daysAgo, author, values, text = "", details = {}], index) => {
        return { bugId, place, summary, daysAgo, author, values, text, details, isFirst: index === 0 };
      }),
    )
    .sort((a, b) => b.daysAgo - a.daysAgo);
}
