import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { changeSettings, readSettings, settingsFile } from "../../src/config/settings.ts";
import { machine } from "./machine.ts";

/** A home with a configuration file of this content. */
function withFile(content: string | Buffer) {
  const host = machine();
  const folder = `${host.home}/.config/bt`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/config.json`, content);
  return { host, file: `${folder}/config.json` };
}

function refusal(file: string, why: string) {
  return `cannot use ${file}: ${why}`;
}

describe("stored data is read back", () => {
  test("settings and profiles, whatever the name of a profile", async () => {
    const { host } = withFile("{}");
    const profiles = {
      "bugs.example.org:8080": { base_url: "https://a.test" },
      "[::1]": { limit: 5 },
      constructor: { allow_http: true },
    };
    await changeSettings(host, () => ({ product: "Firefox", fields: ["id", "summary"], profiles }));
    expect(readSettings(host)).toEqual({
      product: "Firefox",
      fields: ["id", "summary"],
      profiles,
    });
  });

  test("nothing, without a file or a home folder", () => {
    expect(readSettings(machine())).toEqual({});
    expect(readSettings({ ...machine(), env: {} })).toEqual({});
  });

  test("G2 a file with a byte order mark and CRLF", async () => {
    const { host } = withFile('\ufeff{\r\n  "limit": 20\r\n}\r\n');
    expect(readSettings(host)).toEqual({ limit: 20 });
    await changeSettings(host, (settings) => ({ ...settings, allow_http: true }));
    expect(readSettings(host)).toEqual({ limit: 20, allow_http: true });
  });

  test("a setting of a newer bt is preserved", async () => {
    const { host, file } = withFile('{"color_depth": 24, "limit": 1}');
    await changeSettings(host, (settings) => ({ ...settings, limit: 2 }));
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ color_depth: 24, limit: 2 });
  });
});

test("the file is private to the owner under any umask", async () => {
  const mask = process.umask(0);
  try {
    const host = machine();
    await changeSettings(host, () => ({ limit: 1 }));
    expect(statSync(`${host.home}/.config/bt`).mode & 0o777).toBe(0o700);
    expect(statSync(settingsFile(host) ?? "").mode & 0o777).toBe(0o600);
    expect(readdirSync(`${host.home}/.config/bt`)).toEqual(["config.json"]);
  } finally {
    process.umask(mask);
  }
});

describe("G1 a broken file is an error with its path and stays unchanged", () => {
  test.each([
    ["truncated JSON", '{\n  "limit": 20,\n', "it is not JSON (line 3, column 1)"],
    ["an extra comma", '{\n  "limit": 20,\n}\n', "it is not JSON (line 3, column 1)"],
    ["noise", Buffer.from([0, 1, 2, 0xff]), "it is not JSON"],
    ["nothing", "", "it is not JSON (line 1, column 1)"],
    ["a list", "[]", "it must be a mapping"],
    ["a setting of the wrong type", '{"limit":"many"}', "limit must be an integer"],
    ["an invalid choice", '{"profiles":{"a":{"color":"blue"}}}', "profiles.a.color must be one of auto, always, never"],
    ["profiles as a list", '{"profiles":[]}', "profiles must be a mapping"],
    ["a profile as a text", '{"profiles":{"a":"b"}}', "profiles.a must be a mapping"],
  ])("%s", async (_, content, why) => {
    const { host, file } = withFile(content);
    const before = readFileSync(file);
    expect(() => readSettings(host)).toThrow(refusal(file, why));
    await expect(changeSettings(host, (settings) => settings)).rejects.toMatchObject({ kind: "local" });
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(`${host.home}/.config/bt`)).toEqual(["config.json"]);
  });
});

describe("G8 locks", () => {
  test("the lock of a dead process is taken over", async () => {
    const { host, file } = withFile("{}");
    writeFileSync(`${file}.lock`, "999999 1200\n");
    await changeSettings({ ...host, startOf: (pid) => (pid === 999_999 ? undefined : "1200") }, () => ({ limit: 3 }));
    expect(readSettings(host).limit).toBe(3);
    expect(readdirSync(`${host.home}/.config/bt`)).toEqual(["config.json"]);
  });

  test("the lock of a running process is awaited for five seconds, then named", async () => {
    const { host, file } = withFile("{}");
    writeFileSync(`${file}.lock`, "4242 1200\n");
    let waited = 0;
    const sleep = async (ms: number) => {
      waited += ms;
    };
    await expect(changeSettings({ ...host, sleep }, () => ({}))).rejects.toThrow(
      `${file}.lock is locked by another bt (process 4242)`,
    );
    expect(waited).toBe(5000);
  });

  test("a lock that is a symbolic link is not followed", async () => {
    const { host, file } = withFile("{}");
    symlinkSync(`${host.home}/precious`, `${file}.lock`);
    await expect(changeSettings(host, () => ({}))).rejects.toMatchObject({ kind: "guard" });
    expect(lstatSync(`${file}.lock`).isSymbolicLink()).toBe(true);
    expect(readdirSync(host.home)).not.toContain("precious");
  });
});
