import { describe, expect, test } from "vitest";
import { chooseTracker, findTracker, parseAddress } from "../../src/config/choose-tracker.ts";
import type { Configuration } from "../../src/config/settings.ts";

const SETTINGS: Configuration = {
  base_url: "https://general.test",
  limit: 10,
  profile: "work",
  profiles: {
    work: { base_url: "https://work.test/bugzilla", product: "Firefox" },
    demo: { base_url: "demo:" },
    bare: { limit: 3 },
  },
};

type Env = Readonly<Record<string, string>>;

function choose(flags: Parameters<typeof chooseTracker>[0] = {}, env: Env = {}, settings = SETTINGS): string {
  const { place } = chooseTracker(flags, env, settings);
  return String(Object.values(place)[1]);
}

test("flags override variables, variables the configuration, an address a profile", () => {
  const env = { BT_BASE_URL: "https://env.test", BT_PROFILE: "demo" };
  expect(choose({ baseUrl: "https://flag.test", profile: "work" }, env)).toBe("https://flag.test");
  expect(choose({ profile: "work" }, env)).toBe("https://work.test/bugzilla");
  expect(choose({}, env)).toBe("https://env.test");
  expect(choose({}, { BT_PROFILE: "demo" })).toBe("demo:");
  expect(choose()).toBe("https://work.test/bugzilla");
  expect(choose({ profile: "bare" })).toBe("https://general.test");
  expect(choose({}, {}, { base_url: "local:" })).toBe("local:");
});

test("settings of the default profile do not apply to another tracker", () => {
  expect(chooseTracker({ baseUrl: "demo:" }, {}, SETTINGS).settings).toEqual({
    base_url: "https://general.test",
    limit: 10,
    profile: "work",
  });
});

test("without an address, the command that sets one is named", () => {
  expect(() => choose({}, {}, {})).toThrow(
    expect.objectContaining({
      kind: "usage",
      message: "no tracker configured",
      facts: expect.objectContaining({
        hint: expect.stringMatching(/^bt auth login ADDRESS/),
      }),
    }),
  );
});

test("an unknown profile is rejected with the existing ones", () => {
  expect(() => choose({ profile: "wrok" })).toThrow(
    expect.objectContaining({
      message: 'unknown profile "wrok"',
      facts: expect.objectContaining({ hint: expect.stringContaining("work, demo, bare") }),
    }),
  );
  expect(() => choose({ profile: "toString" })).toThrow('unknown profile "toString"');
});

test("the key in the environment belongs to the address in the environment, or to the configured tracker", () => {
  const owner = (env: Env, settings = SETTINGS) => findTracker({}, env, settings)?.place;
  expect(owner({ BT_BASE_URL: "https://ENV.test/rest/" })).toMatchObject({ baseUrl: "https://env.test" });
  expect(owner({})).toMatchObject({ baseUrl: "https://work.test/bugzilla" });
  expect(owner({ BT_BASE_URL: "demo:" })).toMatchObject({ kind: "embedded" });
  expect(() => owner({ BT_BASE_URL: "nonsense" })).toThrow("is not a tracker address");
  expect(owner({}, {})).toBeUndefined();
});

describe("addresses", () => {
  test.each([
    ["https://Bugs.Example.org/", "https://bugs.example.org"],
    ["https://bugs.example.org:443/bugzilla/", "https://bugs.example.org/bugzilla"],
    ["http://127.0.0.1:8080/rest/", "http://127.0.0.1:8080"],
    ["https://bugs.example.org/bz/rest", "https://bugs.example.org/bz"],
    ["https://bugs.example.org/bz/rest.cgi", "https://bugs.example.org/bz/rest.cgi"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
  ])("%s is %s", (address, baseUrl) => {
    expect(parseAddress(address, "--base-url")).toEqual({ kind: "network", baseUrl });
  });

  test("the embedded tracker and the demo", () => {
    for (const address of ["local:", "local:/var/lib/bt/team.db", "demo:"])
      expect(parseAddress(address, "")).toEqual({ kind: "embedded", address });
  });

  test.each([
    "",
    "bugs.example.org",
    "ftp://bugs.example.org",
    "file:///etc/passwd",
    "javascript:1",
    "https://",
    "https://a.test/show_bug.cgi",
    "demo",
  ])("%s is invalid", (address) => {
    expect(() => parseAddress(address, "--base-url")).toThrow(/\(from --base-url\) is not a tracker address$/);
  });

  test.each([
    ...["https://me:s3cret@bugs.example.org", "https://s3cret@bugs.example.org", "https://me:s3cret@:x"],
    ...["https://me:s3/cret@bugs.example.org", "https:\\\\me:s3cret@bugs.example.org", "me:s3cret@bugs.example.org"],
    ...["https://bugs.example.org/?key=s3cret", "https://bugs.example.org/#s3cret"],
  ])("a login or a query in %s is rejected without printing it", (address) => {
    const message = "the address from BT_BASE_URL has a login, a query or a fragment";
    const error = expect.objectContaining({ kind: "usage", message });
    expect(() => parseAddress(address, "BT_BASE_URL")).toThrow(error);
    expect(() => parseAddress(address, "BT_BASE_URL")).not.toThrow(/s3c?/);
  });
});
