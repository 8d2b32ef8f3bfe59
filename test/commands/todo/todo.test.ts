import { expect, test } from "vitest";
import { applySetup } from "../../../src/tracker/setup/setup.ts";
import type { Exchange } from "../../../src/wire/exchange.ts";
import { type Around, asked, bt, btConnected, bugzillaFacts } from "../../bt.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";

const NOW = "2026-11-20T12:00:00Z";
const SURROUNDINGS = { now: () => new Date(NOW), random: (count: number) => new Uint8Array(count) };

/** A demo in which sam has work of each kind; `run` is what sam types, with a memory of its own. */
async function office() {
  const { exchange, store, tracker } = freshDemo(SURROUNDINGS);
  const as = (login: string): Exchange => {
    const row = store.get("SELECT id FROM users WHERE login = ?", [login]);
    return (request) => tracker(request, Number(row?.["id"]));
  };
  applySetup(store, { flag_types: [{ name: "check", target: "attachment" }] });
  const sam = as("sam@example.org");
  const run = (line: string, around: Partial<Around> = {}) =>
    bt(line, {
      exchange: sam,
      login: "sam@example.org",
      now: NOW,
      isInProcess: false,
      facts: bugzillaFacts(),
      ...around,
    });
  const tomas = (line: string) => bt(line, { exchange, login: "tomas@example.org", now: NOW });
  for (const line of [
    "bug needinfo 44 --from sam@example.org -m 'Which version?'",
    "attachment update 3 --flag 'check?(sam@example.org)'",
    "bug update 43 -a sam@example.org",
    "bug update 46 -a sam@example.org --deadline 2026-11-19",
    "bug update 12 --add-cc sam@example.org",
  ])
    expect(await tomas(line)).toMatchObject({ code: 0 });
  expect(await run("bug needinfo 30 --from mei@example.org")).toMatchObject({ code: 0 });
  return { exchange, sam, store, run, tomas };
}

test("four requests, and none that changes anything", async () => {
  const { run } = await office();
  const ran = await run("todo --json");
  expect(ran.code).toBe(0);
  expect(asked(ran).map((line) => line.replace(/\d+|\?.*/g, ""))).toEqual([
    "GET /rest/bug",
    "GET /rest/bug//attachment",
    "GET /rest/bug//history",
    "GET /rest/bug//comment",
  ]);
});

test("JSON is an object of sections; other formats have the section in each row", async () => {
  const { run } = await office();
  const { out } = await run("todo --json=id,flag,attachment,user,changes");
  expect(JSON.parse(out)).toMatchInlineSnapshot(`
    {
      "asked_by_me": [
        {
          "flag": "needinfo?",
          "id": 30,
          "user": "mei@example.org",
        },
      ],
      "asked_of_me": [
        {
          "flag": "screenshot?",
          "id": 31,
          "user": "mei@example.org",
        },
        {
          "attachment": 3,
          "flag": "check?",
          "id": 21,
          "user": "tomas@example.org",
        },
        {
          "flag": "needinfo?",
          "id": 44,
          "user": "tomas@example.org",
        },
      ],
      "assigned": [
        {
          "id": 43,
        },
        {
          "id": 46,
        },
      ],
      "changed": [
        {
          "changes": 1,
          "id": 12,
          "user": "tomas@example.org",
        },
        {
          "changes": 4,
          "id": 21,
          "user": "tomas@example.org",
        },
        {
          "changes": 2,
          "id": 43,
          "user": "tomas@example.org",
        },
        {
          "changes": 2,
          "id": 44,
          "user": "tomas@example.org",
        },
        {
          "changes": 2,
          "id": 46,
          "user": "tomas@example.org",
        },
        {
          "changes": 1,
          "id": 32,
          "user": "priya@example.org",
        },
        {
          "changes": 2,
          "id": 38,
          "user": "tomas@example.org",
        },
      ],
      "overdue": [
        {
          "id": 46,
        },
      ],
    }
  `);
  expect((await run("todo")).out).toMatchInlineSnapshot(`
    "asked_of_me	31	screenshot?		mei@example.org	2026-09-30T12:00:00Z		CONFIRMED	Normal		Red-eye removal finds strawberries
    asked_of_me	21	check?	3	tomas@example.org	2026-11-20T12:00:00Z		IN_PROGRESS	High	2027-01-04	A new catalogue: photos and albums have ids of their own
    asked_of_me	44	needinfo?		tomas@example.org	2026-11-20T12:00:00Z		CONFIRMED	Normal		Import: "Ask me each time" asks once for all files
    assigned	43						CONFIRMED	Normal		Errors of the interface: one page with every number
    assigned	46						UNCONFIRMED	Normal	2026-11-19	A very long name of a preset is not cut and pushes the buttons «Apply», «Save as…» and «Cancel» out of the window, so that the dialogue can only be left with the Escape key
    asked_by_me	30	needinfo?		mei@example.org	2026-11-20T12:00:00Z		RESOLVED	Normal		Search of the handbook finds nothing in Safari
    changed	12			tomas@example.org	2026-11-20T12:00:00Z	1	RESOLVED	High		Replies of more than 2 MB are cut without an error
    changed	21			tomas@example.org	2026-11-20T12:00:00Z	4	IN_PROGRESS	High	2027-01-04	A new catalogue: photos and albums have ids of their own
    changed	43			tomas@example.org	2026-11-20T12:00:00Z	2	CONFIRMED	Normal		Errors of the interface: one page with every number
    changed	44			tomas@example.org	2026-11-20T12:00:00Z	2	CONFIRMED	Normal		Import: "Ask me each time" asks once for all files
    changed	46			tomas@example.org	2026-11-20T12:00:00Z	2	UNCONFIRMED	Normal	2026-11-19	A very long name of a preset is not cut and pushes the buttons «Apply», «Save as…» and «Cancel» out of the window, so that the dialogue can only be left with the Escape key
    changed	32			priya@example.org	2026-11-10T12:00:00Z	1	CONFIRMED	Normal		Document which errors may be tried again
    changed	38			tomas@example.org	2026-10-28T12:00:00Z	2	CONFIRMED	High	2027-01-19	Pictures have no text for those who cannot see them
    overdue	46						UNCONFIRMED	Normal	2026-11-19	A very long name of a preset is not cut and pushes the buttons «Apply», «Save as…» and «Cancel» out of the window, so that the dialogue can only be left with the Escape key
    "
  `);
  expect((await run("todo --format ids")).out).toBe("31\n21\n44\n43\n46\n30\n12\n32\n38\n");
  expect((await run("todo --fields section,id")).out).toContain("asked_of_me\t44\nassigned\t43\n");
  expect((await run("todo --json --jq '.overdue[].id'")).out).toBe("46\n");
});

test("with nothing to do, a terminal says so, and JSON has empty sections", async () => {
  const { run, store } = await office();
  store.run("DELETE FROM flags");
  for (const sql of ["DELETE FROM bug_cc", "UPDATE bugs SET assigned_to_id = 1, creator_id = 1"]) store.run(sql);
  expect(await run("todo", { terminal: true })).toMatchObject({ code: 0, out: "", err: "note: nothing to do\n" });
  expect(await run("todo")).toMatchObject({ code: 0, out: "", err: "" });
  const { out, requests } = await run("todo --json");
  expect(JSON.parse(out)).toEqual({ asked_of_me: [], assigned: [], asked_by_me: [], changed: [], overdue: [] });
  expect(requests).toHaveLength(1);
});

test("bt todo requires a login, and days of at least one", async () => {
  const { run } = await office();
  expect(await bt("todo", { exchange: async () => Promise.reject(new Error("sent")), now: NOW })).toMatchObject({
    code: 4,
    err: "bt: your login on demo: is unknown\nhint: bt auth login, or set BT_API_KEY; without a key: bt config set login LOGIN\n",
  });
  const env = { HOME: freshFolder(), BT_BASE_URL: "http://127.0.0.1:9" };
  expect(await btConnected("todo", { env })).toMatchObject({
    code: 4,
    err: "bt: your login on http://127.0.0.1:9 is unknown\nhint: bt auth login, or set BT_API_KEY; without a key: bt config set login LOGIN\n",
  });
  expect(await run("todo --days 0")).toMatchObject({ code: 2, requests: [] });
});
