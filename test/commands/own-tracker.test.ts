import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../../src/tracker/server/server.ts";
import { btConnected } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";
import { freshFolder } from "../fresh-folder.ts";

const NOW = "2026-11-20T12:00:00Z";
const served = { url: "", key: "", close: async () => undefined as unknown };

beforeAll(async () => {
  const opened = freshDemo({ now: () => new Date(NOW), random: (bytes) => new Uint8Array(bytes).fill(7) });
  const { url, close } = await startServer({ tracker: opened.tracker, port: 0 });
  Object.assign(served, { url, key: opened.firstKey()?.key, close: () => close().then(opened.close) });
});
afterAll(() => served.close());

const CREATE = "bug create -p Lantern -c Library --bug-version 3.1 -t Crash -d Steps --op-sys Linux --platform PC";
const OF_LOCAL = "bug create -p Project -c General --bug-version unspecified -t Crash -d Steps";

describe("a tracker of one's own has no pages, so nothing links to them", () => {
  test.each([
    ["demo:", () => "demo:", CREATE],
    ["local:", () => "local:", OF_LOCAL],
    ["bt serve", () => served.url, CREATE],
  ])("%s", async (_, address, create) => {
    const env = { HOME: freshFolder(), BT_BASE_URL: address(), BT_API_KEY: served.key, BT_AUTH_STYLE: "header" };
    const run = (line: string, terminal = true) => btConnected(line, { env, terminal, now: NOW, columns: 100 });
    expect((await run(create)).out).toMatch(/^\d+\n$/);
    const card = await run(`bug get ${address() === "local:" ? 1 : 48}`);
    expect({ code: card.code, out: card.out }).toEqual({ code: 0, out: expect.not.stringContaining("show_bug") });
    const explained = await run("bug search --status CONFIRMED --explain"); // with metadata from the cache
    expect(explained).toMatchObject({ code: 0, out: expect.not.stringContaining("buglist.cgi") });
    for (const line of ["bug get 1 --web", "bug search --status CONFIRMED --web"]) {
      for (const terminal of [true, false]) {
        expect(await run(line, terminal)).toEqual({
          code: 2,
          out: "",
          err: `bt: ${address()} has no web interface\n`,
        });
      }
    }
  });
});

test("a login to bt serve names the way to a key in place of a page", async () => {
  const run = (line: string) => btConnected(line, { env: { HOME: freshFolder() }, terminal: true, answers: ["wrong"] });
  expect((await run(`auth login ${served.url}`)).err).toMatch(
    /^bt serve prints the owner's API key .*bt admin key LOGIN/,
  );
  expect(await run(`auth login ${served.url} --web`)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/ has no web interface\nhint: bt serve prints the owner's API key /),
  });
});
