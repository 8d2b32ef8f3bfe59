import { expect, test } from "vitest";
import { bt } from "../bt.ts";

test("an embedded tracker whose engine is not installed is a local error with a hint", async () => {
  const missing = (name: string) =>
    Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- /bt.cjs`), { code: "MODULE_NOT_FOUND" });
  const failing = (name: string) => ({ exchange: () => Promise.reject(missing(name)) });
  expect(await bt("api /rest/version", failing("@libsql/linux-x64-gnu"))).toMatchObject({
    code: 12,
    err: expect.stringMatching(/requires the optional package @libsql\/linux-x64-gnu.*\nhint: install/s),
  });
  expect(await bt("api /rest/version", failing("./chunk.cjs"))).toMatchObject({ code: 70 });
});
