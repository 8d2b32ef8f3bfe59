import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DAY_MS, HOUR_MS } from "../../wire/time.ts";
import { SCHEMA_VERSION } from "../store/schema.ts";
import { openStore, type Store } from "../store/store.ts";

/** Login of the demo's user: a triager with editbugs, outside the group that sees security bugs. */
export const DEMO_USER = "tomas@example.org";

/** The moment at which what is shipped of the demo ends; opening it moves all times from there to this hour. */
export const DEMO_TIME = "2026-01-01T00:00:00Z";

/** Database made by the build from `replay.ts`, in the folder of the chunks; the sources read it there too. */
const SHIPPED = join(import.meta.dirname.replace(/src[\\/]tracker[\\/]demo$/, "dist"), "demo.db");

/**
 * The demo in memory, as if it all had happened up to the beginning of this hour: it never grows old, and two commands see
 * the same times, so that what one exports is no bug that somebody changed to the next.
 * @throws Error if what is shipped was built for another schema
 */
export function openDemo(now: Date, shipped = SHIPPED): Store {
  const store = openStore(":memory:");
  store.run("ATTACH ? AS shipped", [`${pathToFileURL(shipped).href}?mode=ro&immutable=1`]); // read as it is, also where nobody may write
  const version = -(store.values("PRAGMA shipped.user_version")[0] ?? 0);
  if (version !== SCHEMA_VERSION) {
    store.close();
    throw new Error(`${shipped} has schema ${version}, and this bt schema ${SCHEMA_VERSION}: run "npm run build"`);
  }
  const tables = store.values<string>("SELECT name FROM shipped.sqlite_schema ORDER BY rowid");
  store.transaction("write", () => {
    store.exec("PRAGMA defer_foreign_keys = ON");
    store.exec(tables.map((name) => `INSERT INTO main.${name} SELECT * FROM shipped.${name};`).join(""));
    moveTimes(store, now);
  });
  store.exec("DETACH shipped");
  return store;
}

/** The columns that hold moments or days. */
const TIMES: Readonly<Record<string, readonly string[]>> = {
  activity: ["time", "removed", "added"],
  attachments: ["creation_time", "last_change_time"],
  bugs: ["creation_time", "last_change_time", "deadline"],
  comments: ["creation_time"],
  custom_values: ["value"],
  flags: ["creation_date", "modification_date"],
};

function moveTimes(store: Store, now: Date): void {
  const [from, to] = [Date.parse(DEMO_TIME), Math.floor(now.getTime() / HOUR_MS) * HOUR_MS];
  const seconds = `${(to - from) / 1000} seconds`;
  const days = `${Math.floor(to / DAY_MS) - Math.floor(from / DAY_MS)} days`;
  for (const [table, columns] of Object.entries(TIMES)) {
    store.run(`UPDATE ${table} SET ${columns.map((name) => `${name} = ${movedColumn(name)}`).join(", ")}`, {
      seconds,
      days,
    });
  }
}

function movedColumn(column: string): string {
  return `CASE WHEN ${column} GLOB '[0-9][0-9][0-9][0-9]-??-??T??:??:??Z' THEN strftime('%Y-%m-%dT%H:%M:%SZ', ${column}, @seconds)
    WHEN ${column} GLOB '[0-9][0-9][0-9][0-9]-??-??' THEN date(${column}, @days) ELSE ${column} END`;
}
