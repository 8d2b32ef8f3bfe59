import type { Json, JsonObject } from "../../wire/exchange.ts";
import { userByLogin } from "../http/call.ts";
import { applyDefaults, applySetup, type Setup } from "../setup/setup.ts";
import { SCHEMA_VERSION } from "../store/schema.ts";
import { openStore, type Store } from "../store/store.ts";
import { createTracker } from "../tracker.ts";
import { type BugValues, DEMO_BUGS, type DemoBug, type DemoEvent } from "./bugs.ts";
import { DEMO_TIME, DEMO_USER } from "./demo.ts";
import { DEMO_SETUP, demoLogin } from "./setup.ts";

/**
 * A store in which everything of the demo has happened up to `DEMO_TIME`: every step of every story is a request of the
 * person who took it, so that the demo obeys the rules of the tracker. Throws what a request is refused with.
 */
export async function replayDemo(): Promise<Store> {
  const store = openStore(":memory:");
  applyDefaults(store);
  applySetup(store, IN_USE);
  for (const step of timeline(DEMO_BUGS)) {
    const { story, event, isFirst } = step;
    const [bug] = story;
    const [ago, by, , , { tags } = {}] = event;
    const { id } = await send(store, ago, by, eventRequest(step));
    if (isFirst && id !== bug) throw new Error(`story ${bug} became bug ${id}`);
    if (tags) await send(store, ago, "tomas", tagRequest(store, tags));
  }
  applySetup(store, DEMO_SETUP);
  store.exec(`DELETE FROM outbox; ${PERSONAL_TAGS}`);
  return store;
}

/** The arrangement while what is out of use by now was in use. */
const IN_USE = JSON.parse(
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

type Sent = { method: "POST" | "PUT"; path: string; body: JsonObject };

/** Sends a request of a person; returns the id of a new bug. */
async function send(store: Store, ago: number, by: string, request: Sent): Promise<{ id?: number }> {
  const tracker = createTracker(store, {
    now: () => demoMoment(-ago),
    random: (count) => new Uint8Array(count),
    report: (failure) => {
      throw failure;
    },
  });
  const user = userByLogin(store, demoLogin(by));
  if (user === undefined) throw new Error(`${by} is no user of the demo`);
  const { status, body } = await tracker({ ...request, query: [] }, user.id);
  if (status >= 300) throw new Error(`${by}, ${ago} days ago: ${request.method} ${request.path}: ${body}`);
  return JSON.parse(body) as { id?: number };
}

function eventRequest({ story, event, isFirst }: TimelineEntry): Sent {
  const [, , set, say = "", { isPrivate = false, attach } = {}] = event;
  const [bug, [product, component, version], summary] = story;
  if (isFirst) {
    const body = { ...FILED, product, component, version, summary, description: say };
    return { method: "POST", path: "/rest/bug", body: { ...body, ...eventBody(set, (list) => list) } };
  }
  if (attach) {
    const data = Buffer.from(attach.data).toString("base64");
    const body = { ...attach, data, comment: say, is_private: isPrivate, ids: [bug] };
    return { method: "POST", path: `/rest/bug/${bug}/attachment`, body };
  }
  const comment = { body: say, is_private: isPrivate };
  return { method: "PUT", path: `/rest/bug/${bug}`, body: { ...eventBody(set, (add) => ({ add })), comment } };
}

/** The tags of the comment that was made last: triagers put them on. */
function tagRequest(store: Store, tags: readonly string[]): Sent {
  const [id] = store.values("SELECT max(id) FROM comments");
  return { method: "PUT", path: `/rest/bug/comment/${id}/tags`, body: { add: tags } };
}

const FILED = { op_sys: "All", platform: "All", priority: "Normal", severity: "normal" };

/** The values of an event as the interface takes them: whole logins, dates for days, and lists as `listed` says. */
function eventBody(set: BugValues, listed: (list: readonly Json[]) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(set).map(([field, value]) => {
      if (typeof value !== "object" || field.startsWith("cf_")) return [field, demoValue(field, value)];
      if (field === "flags") return [field, value.map((flag) => demoFlagChange(String(flag)))];
      return [field, listed(field === "cc" ? value.map((name) => demoLogin(String(name))) : value)];
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

/** So many days after `DEMO_TIME`, to the second. */
function demoMoment(days: number): Date {
  return new Date(Date.parse(DEMO_TIME) + Math.round(days * 86_400) * 1000);
}

/** A flag as the interface takes it: `review?(mei)` asks Mei, `needinfoX` clears. */
function demoFlagChange(text: string): JsonObject {
  const [, name = "", status = "", requestee] = /^([\w-]+)([?+X-])(?:\((\w+)\))?$/.exec(text) ?? [];
  return { name, status, ...(requestee === undefined ? {} : { requestee: demoLogin(requestee) }) };
}

type TimelineEntry = { readonly story: DemoBug; readonly event: DemoEvent; readonly isFirst: boolean };

/** All events of all bugs in the order in which they happened; the first of each bug files it. */
function timeline(stories: readonly DemoBug[]): TimelineEntry[] {
  return stories
    .flatMap((story) => {
      const [, , , ...events] = story;
      return events.map((event, index) => ({ story, event, isFirst: index === 0 }));
    })
    .sort((a, b) => b.event[0] - a.event[0]);
}
