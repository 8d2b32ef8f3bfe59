import { describe, expect, test } from "vitest";
import { getSetting, listSettings, setSetting, unsetSetting } from "../../../src/commands/config/verbs.ts";
import { settingsFile } from "../../../src/config/settings.ts";
import { machine } from "../../config/machine.ts";

test("a set value is read back, globally and by profile", async () => {
  const host = machine();
  await setSetting(host, { word: "product", text: "Firefox" });
  await setSetting(host, { word: "base-url", text: "https://bugs.example.org/", profile: "work" });
  await setSetting(host, { word: "fields", text: "id, summary", profile: "work" });
  await setSetting(host, { word: "allow_http", text: "yes", profile: "work" });
  await setSetting(host, { word: "limit", text: "50" });
  await setSetting(host, { word: "profile", text: "work" });
  expect(listSettings(host)).toEqual([
    { name: "profile", value: "work", profile: null },
    { name: "product", value: "Firefox", profile: null },
    { name: "limit", value: 50, profile: null },
    { name: "base_url", value: "https://bugs.example.org/", profile: "work" },
    { name: "fields", value: ["id", "summary"], profile: "work" },
    { name: "allow_http", value: true, profile: "work" },
  ]);
  expect(listSettings(host, "work")).toHaveLength(3);
  expect(getSetting(host, "limit", "work")).toBe(50);
  expect(getSetting(host, "LIMIT")).toBe(50);
});

test("an unset value is removed, and an empty profile with it", async () => {
  const host = machine();
  await setSetting(host, { word: "limit", text: "5", profile: "work" });
  await unsetSetting(host, "limit", "work");
  expect(listSettings(host)).toEqual([]);
  expect(() => getSetting(host, "limit")).toThrow(expect.objectContaining({ kind: "no", message: "limit is not set" }));
  await expect(unsetSetting(host, "limit", "work")).rejects.toThrow('unknown profile "work"');
});

describe("an invalid setting is rejected, and nothing is written", () => {
  test.each([
    [{ word: "prodct", text: "x" }, 'unknown setting "prodct"', "did you mean product?"],
    [{ word: "__proto__", text: "x" }, 'unknown setting "__proto__"', undefined],
    [{ word: "limit", text: "many" }, 'limit must be an integer, not "many"', undefined],
    [{ word: "timeout", text: "1.5" }, 'timeout must be an integer of seconds, 1 or more, not "1.5"', undefined],
    [{ word: "max_size", text: "0" }, 'max_size must be an integer of MiB, 1 or more, not "0"', undefined],
    [{ word: "color", text: "blue" }, 'color must be one of auto, always, never, not "blue"', undefined],
    [{ word: "allow_http", text: "maybe" }, 'allow_http must be yes or no, not "maybe"', undefined],
    [{ word: "product", text: "" }, 'product must be a single line of text, not ""', undefined],
    [{ word: "fields", text: "id,,summary" }, 'fields must be names separated by commas, not "id,,summary"', undefined],
    [{ word: "base_url", text: "bugs" }, '"bugs" (from bt config set base_url) is not a tracker address', undefined],
    [
      { word: "base_url", text: "https://me:pass@a.test" },
      "the address from bt config set base_url contains a login or password",
      undefined,
    ],
    [{ word: "profile", text: "nowhere" }, 'unknown profile "nowhere"', undefined],
    [{ word: "profile", text: "a", profile: "b" }, "profile cannot be set in a profile", undefined],
    [{ word: "limit", text: "1", profile: "two words" }, "a profile name must be one word", undefined],
  ])("%j", async (wish, message, hint) => {
    const host = machine();
    const refused = await setSetting(host, wish).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: "usage", message });
    if (hint) expect(refused).toMatchObject({ facts: { hint } });
    expect(listSettings(host)).toEqual([]);
  });
});

test("the path is known before the file exists", () => {
  const host = machine();
  expect(settingsFile(host) ?? "").toBe(`${host.home}/.config/bt/config.json`);
});
