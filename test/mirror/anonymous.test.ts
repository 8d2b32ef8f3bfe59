import { expect, test } from "vitest";
import { SEARCH_BUGS } from "../../src/api/operations/bugs.ts";
import { requestFor } from "../../src/api/operations/operation.ts";
import { GET_USERS } from "../../src/api/operations/tracker.ts";
import { guardedExchange } from "../../src/mirror/connect.ts";
import type { Exchange, JsonObject } from "../../src/wire/exchange.ts";
import { aMirror, asUser } from "./a-mirror.ts";
import { writtenTracker } from "./writers.ts";

/** A tracker as nobody sees it, and a mirror of that; the tracker may cut logins at their @. */
async function mirroredByNobody({ isCut }: { readonly isCut: boolean }) {
  const { demo, now } = writtenTracker("2026-11-20T12:00:00Z", {});
  const filter = [isCut ? "1" : "0"];
  demo.store.run("INSERT OR REPLACE INTO parameters (name, value) VALUES ('webservice_email_filter', ?)", filter);
  const tracker = asUser(demo.tracker, undefined);
  const mirror = aMirror({ exchange: tracker, login: null, now });
  await mirror.sync();
  const guard = {
    name: "work",
    tracker: "",
    without: "",
    coverage: mirror.coverage(),
    note: () => undefined,
    noteAbsent: () => undefined,
  };
  return { tracker, mirror: guardedExchange(mirror.exchange, guard) };
}

type Row = readonly [field: string, operator: string, value: string];

async function found(exchange: Exchange, [f1, o1, v1]: Row): Promise<readonly JsonObject[] | string> {
  const query = { f1, o1, v1, include_fields: "id", limit: "0", order: "bug_id" };
  const reply = await exchange(requestFor(SEARCH_BUGS, Object.entries(query))).catch((error: Error) => error);
  return reply instanceof Error ? reply.message : JSON.parse(reply.body).bugs;
}

const ON_LOGINS: readonly Row[] = [
  ["assigned_to", "substring", "example.org"],
  ["assigned_to", "equals", "priya@example.org"],
  ["assigned_to", "notequals", "priya@example.org"],
  ["reporter", "anyexact", "priya@example.org,mei@example.org"],
  ["cc", "regexp", "org$"],
  ["commenter", "substring", "example.org"],
  ["setters.login_name", "substring", "example.org"],
  ["assigned_to_realname", "substring", "Priya"],
  ["assigned_to", "changedto", "priya@example.org"],
  ["bug_status", "changedby", "mei@example.org"],
];

const OTHERS: readonly Row[] = [
  ["qa_contact", "isempty", ""],
  ["assigned_to", "changedafter", "2020-01-01"],
  ["short_desc", "substring", "photo"],
];

test.each(ON_LOGINS)("%s %s %s is refused where the tracker cut the logins", async (...row) => {
  const { tracker, mirror } = await mirroredByNobody({ isCut: false });
  expect(await found(mirror, row)).toEqual(await found(tracker, row));
  const cut = await mirroredByNobody({ isCut: true });
  expect(await found(cut.mirror, row)).toContain("complete logins and names are not in the mirror");
});

test("@me and parts of names are refused by a mirror without a login, in words of its own", async () => {
  const { mirror } = await mirroredByNobody({ isCut: false });
  const refused = "the mirror work is without a login, and knows neither @me nor users by a part of their names";
  expect(await found(mirror, ["assigned_to", "equals", "%user%"])).toBe(refused);
  await expect(mirror(requestFor(GET_USERS, { match: ["mei"] }))).rejects.toThrow(refused);
});

test("what does not depend on logins is answered as by the tracker", async () => {
  const { tracker, mirror } = await mirroredByNobody({ isCut: true });
  for (const row of OTHERS) expect([row, await found(mirror, row)]).toEqual([row, await found(tracker, row)]);
});
