import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { changeLogins, credentialFile, type LoginEntry, loginFor, readLogins } from "../../src/config/keys.ts";
import { machine } from "./machine.ts";

const ENTRY: LoginEntry = {
  origin: "https://bugs.example.org",
  user: "ada@example.org",
  style: "query",
  key: "k3y",
};

/** A home in which this login is stored. */
async function loggedIn(entry = ENTRY) {
  const host = machine();
  await changeLogins(host, () => [entry]);
  return { host, file: credentialFile(host) ?? "" };
}

describe("D11 the credentials file", () => {
  test("is private to the owner under any umask, without leftover files", async () => {
    for (const mask of [0o000, 0o022]) {
      const before = process.umask(mask);
      const { host, file } = await loggedIn().finally(() => process.umask(before));
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(`${host.home}/.config/bt`).mode & 0o777).toBe(0o700);
      expect(readdirSync(`${host.home}/.config/bt`)).toEqual(["credentials.json"]);
      expect(readLogins(host)).toEqual([ENTRY]);
    }
  });

  test("is rejected if others can replace it", async () => {
    const { host } = await loggedIn();
    chmodSync(`${host.home}/.config/bt`, 0o777);
    expect(() => readLogins(host)).toThrow("other users can replace it");
  });
});

describe("D12 a file that another user could have created is rejected", () => {
  test("owned by another user", async () => {
    const { host, file } = await loggedIn();
    expect(() => readLogins({ ...host, uid: 4242 })).toThrow(`${file} is not used: other users can replace it`);
  });

  test.runIf(process.getuid?.() === 0)("in a folder owned by another user", async () => {
    const { host, file } = await loggedIn();
    chownSync(`${host.home}/.config/bt`, 4242, 4242);
    expect(() => readLogins(host)).toThrow(`${file} is not used: other users can replace it`);
  });
});

test("concurrent logins are all stored", async () => {
  const host = machine({ sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 50)) });
  const origins = Array.from({ length: 30 }, (_, n) => `https://bugs-${n}.example.org`);
  await Promise.all(origins.map((origin) => changeLogins(host, (entries) => [...entries, { ...ENTRY, origin }])));
  expect(new Set(readLogins(host).map(({ origin }) => origin))).toEqual(new Set(origins));
});

test.each([
  ["{", "it is not JSON"],
  ["{}", "entries is missing"],
  ['{"entries":[{"origin":"nowhere"}]}', "entries[0]."],
  ['{"entries":[{"origin":"https://a.test","style":"constructor"}]}', "entries[0]."],
])("a broken file %s is an error and stays unchanged", async (content, why) => {
  const host = machine();
  mkdirSync(`${host.home}/.config/bt`, { recursive: true, mode: 0o700 });
  const file = credentialFile(host) ?? "";
  writeFileSync(file, content, { mode: 0o600 });
  expect(() => readLogins(host)).toThrow(`cannot use ${file}: ${why}`);
  await expect(changeLogins(host, () => [ENTRY])).rejects.toThrow(why);
  expect(readFileSync(file, "utf8")).toBe(content);
});

describe("D6 the login that applies to an address", () => {
  const entries = [
    "https://bugs.example.org",
    "https://host.test/bugzilla",
    "https://host.test/bugzilla/next",
    "http://127.0.0.1:8080",
  ].map((origin) => ({ ...ENTRY, origin }));

  test.each([
    ["https://bugs.example.org", "https://bugs.example.org"],
    ["https://bugs.example.org/bugzilla", "https://bugs.example.org"],
    ["https://host.test/bugzilla", "https://host.test/bugzilla"],
    ["https://host.test/bugzilla/next", "https://host.test/bugzilla/next"],
    ["https://host.test/bugzilla-old", undefined],
    ["https://host.test", undefined],
    ["http://bugs.example.org", undefined],
    ["https://bugs.example.org:8443", undefined],
    ["https://bugs.example.org.evil.test", undefined],
    ["https://evil.test/bugs.example.org", undefined],
    ["http://localhost:8080", undefined],
  ])("%s: %s", (baseUrl, origin) => {
    expect(loginFor(entries, baseUrl)?.origin).toBe(origin);
  });
});
