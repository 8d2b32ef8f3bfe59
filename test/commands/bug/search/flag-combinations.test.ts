import fc from "fast-check";
import { expect, test } from "vitest";
import { bt, type Ran } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { much } from "../../../sampling.ts";

const NOW = "2026-11-20T12:00:00Z";

/** The demo tracker, but one that refuses whatever it would pass over. */
const { exchange, login } = freshDemo({
  now: () => new Date(NOW),
  random: (count) => new Uint8Array(count).fill(7),
  isStrict: true,
});

function search(flags: readonly string[]): Promise<Ran> {
  return bt(`bug search --all --format ids ${flags.map((flag) => `'${flag}'`).join(" ")}`, {
    exchange,
    login,
    now: NOW,
  });
}

function oneOf(flag: string, ...values: readonly string[]) {
  return fc.constantFrom(...values).map((value) => `--${flag}=${value}`);
}

/** Criteria as people type them, good ones and bad ones: wrong names, nothing at all, the words of other trackers. */
const criteria = fc.oneof(
  oneOf(
    "status",
    "CONFIRMED",
    "resolved",
    "@open",
    "@closed",
    "@all",
    "!CONFIRMED",
    "UNCONFIRMED,CONFIRMED",
    "NEW",
    "",
  ),
  oneOf("resolution", "FIXED", "fixed,WORKSFORME", "---", "", "!FIXED", "DONE"),
  oneOf("product", "Lantern", "harbor,Handbook", "Lantrn", "!Harbor"),
  oneOf("component", "Editor", "Import & Export", "API,Guides", "Editr", ""),
  oneOf("version", "3.1", "main", "9.9"),
  oneOf("target-milestone", "3.2", "---", "4.0"),
  oneOf("priority", "High", ">=High", "highest,low", "<Normal", "P1", "---"),
  oneOf("severity", "normal", "blocker,critical", "<=normal", "bad"),
  oneOf("op-sys", "All", "Linux", "BeOS"),
  oneOf("platform", "All", "PC", "Toaster"),
  oneOf("assigned-to", "@me", "mei@example.org", "mei@example.org,ada@example.org", "!@me", "two words"),
  oneOf("creator", "@me", "lucia@example.org", ""),
  oneOf("qa-contact", "jonas@example.org", "@me"),
  oneOf("id", "12", "1,2,3", "10..20", ">30", "0", "abc", "#7"),
  oneOf("alias", "nosuch", "library"),
  oneOf("summary", "import", "the", "100%", 'x"y', "  ", ""),
  oneOf("whiteboard", "wait", "[", ""),
  oneOf("url", "https://example.org/", ""),
  oneOf("tags", "today", "nosuch"),
  oneOf("creation-time", "-8w", "2026-10", "<2026-11-01", "2026-09..2026-10", "someday", "2026-02-30", ""),
  oneOf("last-change-time", "-2w", "today", "1m", ">=2026-11-01", "..2026-11"),
  oneOf(
    "where",
    "is:open",
    "has:flag or has:keyword",
    "not (priority = High)",
    "comment ~ import",
    "summary ~",
    "foo = 1",
  ),
  oneOf("where", "status changed since -8w", "attachment ~ a", "cf_impact = everybody", "deadline < 2027", "cc:@me"),
  fc.constantFrom("is:open", "-is:closed", "has:deadline", "created:2026-11", "is:strange", "(", "flag:needinfo?"),
);

const RUNS = much(100, 800);
const asked = new Map<string, Promise<Ran>>();

function alone(flag: string): Promise<Ran> {
  const ran = asked.get(flag) ?? search([flag]);
  asked.set(flag, ran);
  return ran;
}

function idsOf({ out }: Ran) {
  return out.split("\n").filter((id) => id !== "");
}

function searches({ requests }: Ran) {
  return requests.filter(({ method, path }) => method === "GET" && path === "/rest/bug");
}

function nameOf(flag: string) {
  return flag.startsWith("--") ? flag.split("=", 1)[0] : flag;
}

test("the tracker uses every parameter of an accepted command line; others are rejected before any request", async () => {
  let [accepted, refused] = [0, 0];
  const combinations = fc.uniqueArray(criteria, { minLength: 1, maxLength: 4, selector: nameOf });
  await fc.assert(
    fc.asyncProperty(combinations, async (flags) => {
      const ran = await search(flags);
      const parts = await Promise.all(flags.map(alone));
      if (parts.some(({ code }) => code !== 0)) {
        refused++;
        expect([ran.code, searches(ran)]).toEqual([2, []]);
        return;
      }
      const [first = [], ...others] = parts.map(idsOf);
      const common = first.filter((id) => others.every((ids) => ids.includes(id)));
      if (/unknown (component|version|target milestone) ".*" in /.test(ran.err)) {
        expect([ran.code, common, searches(ran)]).toEqual([2, [], []]);
        return;
      }
      accepted++;
      expect(ran.code, ran.err).toBe(0);
      expect(idsOf(ran)).toEqual(common);
    }),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS / 10);
  expect(refused).toBeGreaterThan(RUNS / 10);
}, 60_000);

test.each([
  ["--quicksearch=ALL import", "--sort=updated:desc"],
  ["--quicksearch=ALL import", "--product=Lantern", "--creation-time=-52w"],
  ["--param=f1=short_desc", "--param=o1=casesubstring", "--param=v1=Import", "--sort=priority"],
  ["--from-url=https://x.example/buglist.cgi?bug_status=__open__&short_desc=import&short_desc_type=substring"],
  ["--from-url=https://x.example/buglist.cgi?chfield=bug_status&chfieldfrom=2026-01-01&chfieldto=Now&order=bug_id"],
])("likewise for parameters passed through: %s %s", async (...flags) => {
  expect(await search(flags)).toMatchObject({ code: 0 });
});
