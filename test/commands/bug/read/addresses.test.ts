import { describe, expect, test } from "vitest";
import { type Exchange, NO_WEB_PAGES } from "../../../../src/wire/exchange.ts";
import { bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { demo } from "../../demo.ts";

const ADDRESS = "https://bugs.example.org/bugzilla";
const PAGE = `${ADDRESS}/show_bug.cgi?id=44`;

/** Runs a line on the demo as if it were a tracker on the network, whose responses have these headers. */
function online(line: string, terminal = false, headers: Record<string, string> = {}) {
  const now = "2026-11-20T12:00:00Z";
  const { exchange, login } = freshDemo({ now: () => new Date(now), random: (count) => new Uint8Array(count) });
  const withHeaders: Exchange = async (request) => {
    const response = await exchange(request);
    return { ...response, headers: { ...response.headers, ...headers } };
  };
  return bt(line, { exchange: withHeaders, login, now, address: ADDRESS, isInProcess: false, terminal });
}

describe("the address of a bug", () => {
  test.each([
    ["bug get 44 --json=id,web_url", `[{"id":44,"web_url":"${PAGE}"}]\n`],
    ["bug search --id 44 --fields web_url", `${PAGE}\n`],
    ["bug search --id 44 --format csv --fields id,web_url", `id,web_url\r\n44,${PAGE}\r\n`],
  ])("%s", async (line, out) => {
    const ran = await online(line);
    expect(ran).toMatchObject({ code: 0, out });
    expect(JSON.stringify(ran.requests)).not.toContain("web_url");
  });

  test("is on a card", async () => {
    expect((await online("bug get 44", true)).out).toContain(`Address     ${PAGE}\n`);
  });

  test("is opened by bug create -w", async () => {
    const line = "bug create -p Lantern -c Library --bug-version 3.2 -t x -d y --no-similar -w";
    expect((await online(line)).out).toBe(`51\n${ADDRESS}/show_bug.cgi?id=51\n`);
    expect((await demo()(line)).err).toContain("demo: has no web interface");
  });

  test.each(["bug get 44 --web", "bug search is:open --web"])("is none if a response denies it: %s", async (line) => {
    const ran = await online(line, false, { [NO_WEB_PAGES]: "yes" });
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining("no web interface") });
  });
});
