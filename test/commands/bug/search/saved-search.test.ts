import { expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";

const now = () => new Date("2026-11-20T12:00:00Z");
const demo = freshDemo({ now, random: (count) => new Uint8Array(count) });

/** The demo as a tracker that keeps these searches of the user; without any, it does not report them. */
function keeping(searches?: readonly object[]) {
  const exchange: Exchange = async (request) => {
    if (request.path !== "/rest/user") return demo.exchange(request);
    const user = { id: 1, name: demo.login, ...(searches ? { saved_searches: searches } : {}) };
    return { status: 200, headers: {}, body: JSON.stringify({ users: [user] }) };
  };
  return (line: string, login: string | undefined = demo.login) =>
    bt(line, { exchange, now: now().toISOString(), ...(login ? { login } : {}) });
}

const SEARCHES = [
  { id: 1, name: "My crashes", query: "bug_status=CONFIRMED&product=Lantern" },
  { id: 2, name: "Everything of Harbor", query: "buglist.cgi?product=Harbor&query_format=advanced" },
];

test("--saved finds the bugs of a search that the tracker keeps", async () => {
  const run = keeping(SEARCHES);
  const ids = async (flags: string) => (await run(`bug search ${flags} --format ids`)).out;
  expect(await ids("--saved 'My crashes'")).toBe(await ids("-p Lantern --status CONFIRMED"));
  expect(await ids("--saved 'everything of harbor'")).toBe(await ids("-p Harbor"));
  expect(await ids("-p Harbor")).not.toBe("");
});

test.each([
  ["--saved 'My crash'", 2, "My crashes"],
  ["--saved Nope", 2, "valid values: My crashes, Everything of Harbor"],
  ["--saved 'My crashes' --param f1=priority", 2, "--saved and --param cannot be used together"],
  ["--saved 'My crashes' is:open", 2, "cannot be combined with others"],
])("%s is refused", async (flags, code, words) => {
  expect(await keeping(SEARCHES)(`bug search ${flags}`)).toMatchObject({
    code,
    out: "",
    err: expect.stringContaining(words),
  });
});

test("a tracker that does not report saved searches is named as such", async () => {
  const { code, err } = await keeping()("bug search --saved x");
  expect([code, err]).toEqual([5, expect.stringContaining("no saved searches are reported")]);
  expect((await keeping([])("bug search --saved x")).err).toContain("you have none");
});
