import { expect, test } from "vitest";
import { createTracker } from "../../src/tracker/tracker.ts";
import { recordedStore } from "./state.ts";

/** The status and the body that a path is answered with. */
async function ask(path: string, query: readonly (readonly [string, string])[] = []) {
  const tracker = createTracker(recordedStore(), {
    now: () => new Date("2026-11-20T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes),
  });
  const { status, headers, body } = await tracker({
    method: "GET",
    path,
    query: [["include_fields", "id"], ["api_key", "{alice_key}"], ...query],
  });
  return { status, type: headers["content-type"], body: JSON.parse(body) };
}

test.each(["/rest", "/api/bug/1", "/", "/restful/bug/1", "/rest/nothing", "/rest/bug/a%00b"])(
  "%s is no resource, reported as JSON",
  async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, body: { error: true, code: 32614 } });
  },
);

test.each(["20003%2Fhistory", "a%2Fb", "100%25", "what%3F", "a%252Fb"])(
  "%s in a path is an alias, whatever it contains",
  async (name) => {
    const message = `'${decodeURIComponent(name)}' is not a valid bug number nor an alias to a bug.`;
    expect(await ask(`/rest/bug/${name}`)).toMatchObject({ status: 400, body: { code: 100, message } });
  },
);

test("a callback does not turn a response into a script", async () => {
  const [plain, asked] = [await ask("/rest/version"), await ask("/rest/version", [["callback", "steal"]])];
  expect(asked).toEqual({ ...plain, type: "application/json; charset=UTF-8" });
});
