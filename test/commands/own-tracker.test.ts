import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../src/tracker/server/server.ts";
import { btConnected } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";
import { freshFolder } from "../fresh-folder.ts";

const NOW = "2026-11-20T12:00:00Z";
const served = { url: "", key: "", close: async () => undefined as unknown };

beforeAll(async () => {
  const opened = freshDemo({ now: () => new Date(NOW), random: (bytes) => new Uint8Array(bytes).fill(7) });
  const { url, close } = await startServer({ tracker: opened.tracker, port: 0 });
  Object.assign(served, { url, key: opened.addFirstKey()?.key, close: () => close().then(opened.close) });
});
afterAll(() => served.close());

test("a login to bt serve names the way to a key in place of a page", async () => {
  const run = (line: string) => btConnected(line, { env: { HOME: freshFolder() }, terminal: true, answers: ["wrong"] });
  expect((await run(`auth login ${served.url}`)).err).toMatch(
    /^bt serve prints the owner's API key .*bt admin key LOGIN/,
  );
});
