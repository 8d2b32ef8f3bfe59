import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders } from "../mirrored.ts";
import { demoServer } from "../servers/demo-server.ts";
import { errorResponse } from "../servers/responses.ts";

const KEY = "a-key-of-forty-characters-in-all-xxxxxxx";
const heard: { readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
const server = createServer((request, response) => {
  heard.push({ url: request.url ?? "", headers: request.headers });
  response.setHeader("content-type", "application/json").end("{}");
});
let address = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function ask(env: Readonly<Record<string, string>>) {
  const ran = await btConnected("api /rest/version", { env: { BT_BASE_URL: address, BT_API_KEY: KEY, ...env } });
  return { ...heard.at(-1), ...ran };
}

describe("the key in the environment", () => {
  test("is sent in the query to a tracker that does not tell whose key it is", async () => {
    const { url, headers } = await ask({});
    expect(url).toContain(`Bugzilla_api_key=${KEY}`);
    expect(JSON.stringify(headers)).not.toContain(KEY);
  });

  test.each([
    ["header", { "x-bugzilla-api-key": KEY }],
    ["bearer", { authorization: `Bearer ${KEY}` }],
  ])("is sent as BT_AUTH_STYLE=%s requires, and nowhere else", async (style, wanted) => {
    const { url, headers } = await ask({ BT_AUTH_STYLE: style });
    expect(headers).toMatchObject(wanted);
    expect(url).not.toContain(KEY);
  });

  test("is not sent in an unknown style", async () => {
    const before = heard.length;
    const { code, err } = await ask({ BT_AUTH_STYLE: "basic" });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^bt: BT_AUTH_STYLE must be one of auto, .*, not "basic"$/m),
    ]);
    expect(heard).toHaveLength(before);
  });
});

test("a rejected key is the error, and not a tracker without a list of fields", async () => {
  const served = await demoServer(() => errorResponse(306, "The API key you specified is invalid.", 400));
  const env = { ...homeFolders(freshFolder()), BT_BASE_URL: served.url, BT_API_KEY: KEY };
  const { code, err } = await btConnected("bug search --status CONFIRMED --count", { env });
  expect([code, err.split("\n")[0]]).toEqual([4, "bt: The API key you specified is invalid."]);
});
