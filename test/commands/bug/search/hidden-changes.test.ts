import { expect, test } from "vitest";
import { btConnected } from "../../../bt.ts";
import { machineClock } from "../../../clock.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demoServer } from "../../../servers/demo-server.ts";
import { jsonResponse } from "../../../servers/responses.ts";

const SINCE = "comment changed since -3w"; // a served demo ends by this machine's clock

/** A demo that returns a bug too many for "not" with changes of comments, as a Bugzilla does to most accounts. */
async function lavish() {
  const server = await demoServer(({ path, query }) => {
    const given = new Map(query);
    const isNegated =
      path === "/rest/bug" && given.get("f1") === "longdesc" && given.get("n1") === "1" && !given.has("id");
    return isNegated ? jsonResponse({ bugs: [{ id: 44 }, { id: 2 }] }) : undefined;
  });
  const env = { HOME: freshFolder(), BT_BASE_URL: server.url };
  const bt = (line: string, more = {}) =>
    btConnected(line, { env: { ...env, ...more }, now: machineClock.now().toISOString() });
  return { server, bt };
}

test('"not" with changes of comments leaves out bugs with such a change, for accounts that may not see private ones', async () => {
  const { server, bt } = await lavish();
  expect(await bt(`bug search --where 'not ${SINCE}' --format ids`)).toEqual({ code: 0, out: "2\n", err: "" });
  expect((await bt(`bug search --where 'not ${SINCE}' --count`)).out).toBe("1\n");
  expect((await bt(`bug search --where 'not ${SINCE}' --format ids --sort priority`)).out).toBe("2\n");
  const before = server.requests.length;
  const insider = await bt(`bug search --where 'not ${SINCE}' --format ids`, { BT_API_KEY: server.key() });
  expect(insider.out).toBe("44\n2\n");
  const rows = server.requests.slice(before).map(({ query }) => new Map(query));
  expect(rows.some((row) => row.get("f1") === "longdescs.isprivate")).toBe(true);
  expect(rows.filter((row) => row.get("f1") === "longdesc").every((row) => row.get("n1") === "1")).toBe(true);
});

test("for more ids than fit into one request, the rights of the account are looked up once, and each id's changes once", async () => {
  const { server, bt } = await lavish();
  const ids = Array.from({ length: 1500 }, (_, at) => 1500 - at);
  const text = await bt(`bug search --id ${ids.join(",")} --where 'not ${SINCE}' --format ids`);
  expect(text).toMatchObject({ code: 0, err: "" });
  const searches = server.requests.filter(({ path }) => path === "/rest/bug").map(({ query }) => new Map(query));
  expect(searches.filter((one) => one.get("f1") === "longdescs.isprivate")).toHaveLength(1);
  const changed = searches.filter(
    (one) => one.has("id") && one.get("f1") === "longdesc" && !one.has("n1") && !one.has("f2"),
  );
  expect(changed.flatMap((one) => one.get("id")?.split(",").map(Number))).toEqual(ids);
});

test("--explain names the second search, in a note", async () => {
  const { bt } = await lavish();
  const note = "found by a second search and left out";
  expect((await bt(`bug search --where 'not ${SINCE}' --explain`)).out).toContain(note);
  expect((await bt(`bug search --where '${SINCE}' --explain`)).out).not.toContain(note);
});

test("a negated search for changes that cannot be looked up by themselves is refused", async () => {
  const { bt } = await lavish();
  expect(await bt(`bug search --where 'priority = High or not ${SINCE}' --format ids`)).toEqual({
    ...{ code: 2, out: "" },
    err: `bt: servers return too many bugs for "not" with this condition on changes inside "or" or another "not"
hint: combine it with the others by "and"
`,
  });
});
