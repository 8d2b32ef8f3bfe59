import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clearCaches, openCache } from "../../src/config/cache.ts";
import { machine as bareMachine } from "./machine.ts";

const ADDRESS = "https://bugs.example.org:8080/bugzilla";
const ADA = async () => "header login:ada@example.org";

/** A machine on which a certain key is hidden. */
function machine() {
  return { ...bareMachine(), hide: (text: string) => text.replaceAll("s3cret", "***") };
}

test("a key repeated by a tracker is not stored", async () => {
  const host = machine();
  await openCache(ADDRESS, ADA, host).write("fields", { said: "your key is s3cret" });
  expect(await openCache(ADDRESS, ADA, host).read("fields")).toEqual({ said: "your key is ***" });
});

test("data is read back up to an age", async () => {
  const host = machine();
  await openCache(ADDRESS, ADA, host).write("fields", { fields: [{ name: "priority" }] });
  const later = { ...host, now: () => new Date("2026-11-20T10:01:00Z") };
  const cache = openCache(ADDRESS, ADA, later);
  expect(await cache.read("fields", 60_000)).toEqual({ fields: [{ name: "priority" }] });
  expect(await cache.read("fields", 59_999)).toBeUndefined();
  expect(await openCache(ADDRESS, ADA, later).read("other")).toBeUndefined();
});

test("each account of each tracker has its own cache, unreadable to others", async () => {
  const host = machine();
  await openCache(ADDRESS, ADA, host).write("fields", {});
  expect(await openCache(ADDRESS, async () => "anonymous", host).read("fields")).toBeUndefined();
  expect(await openCache("https://bugs.example.org", ADA, host).read("fields")).toBeUndefined();
  const [folder] = readdirSync(`${host.home}/.cache/bt`);
  expect(folder).toBe("bugs.example.org:8080%2Fbugzilla header%20login:ada@example.org");
  expect(statSync(`${host.home}/.cache/bt/${folder}`).mode & 0o777).toBe(0o700);
  expect(statSync(`${host.home}/.cache/bt/${folder}/fields.json`).mode & 0o777).toBe(0o600);
});

test("data of all trackers is removed, with other files beside the caches", async () => {
  const host = machine();
  await openCache(ADDRESS, ADA, host).write("fields", {});
  writeFileSync(`${host.home}/.cache/bt/a.db`, "");
  clearCaches("fields", host);
  expect(await openCache(ADDRESS, ADA, host).read("fields")).toBeUndefined();
});

test("a tracker in a file with a long path in any letters has a cache", async () => {
  const cache = openCache(`local:/home/${"バグ".repeat(30)}/t.db`, async () => "ada", machine());
  await cache.write("triage", { walks: [] });
  expect(await cache.read("triage")).toEqual({ walks: [] });
});

test.each([
  ["noise", () => "\u0000{"],
  ["cut", (text: string) => text.slice(0, -5)],
  ["from the future", (text: string) => text.replace(/"saved":\d+/, '"saved":9999999999999')],
  ["without a value", (text: string) => text.replace('"value":{}', '"value":7')],
])("a cache that is %s is missing", async (_, spoil) => {
  const host = machine();
  const cache = openCache(ADDRESS, ADA, host);
  await cache.write("fields", {});
  expect(await cache.read("fields")).toBeDefined();
  const file = `${host.home}/.cache/bt/${readdirSync(`${host.home}/.cache/bt`)[0]}/fields.json`;
  writeFileSync(file, spoil(readFileSync(file, "utf8")));
  expect(await cache.read("fields")).toBeUndefined();
});
