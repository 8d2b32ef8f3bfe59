import { expect, test } from "vitest";
import { bt } from "../bt.ts";

test("a missing file of the program is an internal error", async () => {
  const missing = Object.assign(new Error("Cannot find module './chunk.cjs'"), { code: "MODULE_NOT_FOUND" });
  expect(await bt("api /rest/version", { exchange: () => Promise.reject(missing) })).toMatchObject({
    code: 70,
    err: expect.stringContaining("internal error: Cannot find module './chunk.cjs'"),
  });
});
