import { expect, test } from "vitest";
import { real } from "./real.ts";

test("a folder that cannot be created is an error at once", async () => {
  const local = await real(["--base-url", "local:/proc/x/y.db", "bug", "search", "--all"]);
  expect([local.code, local.out]).toEqual([12, ""]);
  expect(local.err).toContain("/proc/x");
  const set = await real(["config", "set", "format", "json"], { env: { XDG_CONFIG_HOME: "/proc/x" } });
  expect([set.code, set.out]).toEqual([12, ""]);
});

test("reads work without writable folders", async () => {
  const env = { XDG_CACHE_HOME: "/proc/x", XDG_STATE_HOME: "/proc/x", BT_NO_CODE_CACHE: "" };
  const read = await real(["--base-url", "demo:", "bug", "get", "12", "--format", "ids"], { env });
  expect([read.code, read.out]).toEqual([0, "12\n"]);
});
