import { expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { demo } from "../../demo.ts";

const at = { terminal: true };

test("comments of several bugs are grouped by bug, those of one bug have no heading", async () => {
  const { out } = await demo()("comment list 29 30", at);
  const headings = out.split("\n").filter((line) => /^\S/.test(line));
  expect(headings.map((line) => line.replace(/ {2}.* ago.*/, ""))).toEqual([
    "bug 29  Import stops at the first unreadable file and says nothing",
    "29.0",
    "29.1",
    "bug 30  Search of the handbook finds nothing in Safari",
    "30.0",
    "30.1",
    "30.2",
  ]);
  expect((await demo()("comment list 29", at)).out).toMatch(/^29\.0 {2}/);
});

test.each([
  ["bug get 40", true],
  ["bug get 40 --json", false],
  ["bug get 40 --json --fields id,_default,groups", false], // as MCP's get reads it
])("%s has the flags that a tracker's default fields lack", async (line, terminal) => {
  const { exchange } = freshDemo({
    now: () => new Date("2026-11-20T12:00:00Z"),
    random: (count) => new Uint8Array(count),
  });
  const withoutFlags: Exchange = async (request) => {
    const response = await exchange(request);
    if (/\bflags\b/.test(String(request.query))) return response;
    return { ...response, body: response.body.replace(/,"flags":\[.*?\]/g, "") };
  };
  const { out } = await bt(line, { exchange: withoutFlags, terminal });
  expect(out).toContain("needinfo");
});
