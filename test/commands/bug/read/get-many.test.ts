import { expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";

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
