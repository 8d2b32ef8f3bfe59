import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/config/files.ts";
import { changeLogins, findKey, type KeyQuestion } from "../../src/config/keys.ts";
import { commandWords, findProgram, runProgram } from "../../src/platform.ts";
import { machine } from "./machine.ts";

const TRACKER = "https://bugs.example.org/bugzilla";

/** What is found by flags, the setting of a helper, and more; the key is in the clear. */
async function find(
  host: Host,
  {
    keyFile,
    helper,
    insecureFiles,
    ...more
  }: Partial<KeyQuestion> & { keyFile?: string; helper?: string; insecureFiles?: boolean } = {},
) {
  const found = await findKey(
    {
      baseUrl: TRACKER,
      flags: { apiKeyFile: keyFile, insecureFiles },
      settings: helper === undefined ? {} : { auth_helper: helper },
      configuration: { base_url: TRACKER },
      isOffline: false,
      ...more,
    },
    host,
  );
  return { ...found, key: found?.key.reveal() };
}

/** A program in the home of this machine; it may name the home as HOME. */
function program(host: { readonly home: string }, name: string, script: string): string {
  const file = `${host.home}/bin/${name}`;
  mkdirSync(`${host.home}/bin`, { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function store(host: Host, more: object = {}) {
  return changeLogins(host, () => [{ origin: TRACKER, user: "ada", style: "query", key: "stored", ...more }]);
}

test("the first source with a key wins", async () => {
  const host = machine({ env: { BT_API_KEY: "from-variable" } });
  await store(host);
  const helper = program(host, "helper", "echo key=from-helper");
  const file = `${host.home}/key`;
  writeFileSync(file, "from-file\n", { mode: 0o600 });
  const quiet = { ...host, env: { ...host.env, BT_API_KEY: undefined } };
  expect(await find(host, { keyFile: file, helper })).toMatchObject({ key: "from-file", source: `the file ${file}` });
  expect(await find(host, { keyFile: "-", helper })).toMatchObject({ key: "typed", source: "stdin" });
  expect(await find(host, { helper })).toMatchObject({ key: "from-variable", source: "BT_API_KEY" });
  expect(await find(quiet, { helper })).toMatchObject({ key: "from-helper", source: `the helper ${helper}` });
  expect(await find(quiet)).toMatchObject({ key: "stored", source: "the stored login", user: "ada", style: "query" });
  expect(await find(machine())).toEqual({ key: undefined });
});

describe("D5 BT_API_KEY is the key of one tracker, and no other is used in its place", () => {
  const host = machine({ env: { BT_API_KEY: "k3y" } });
  test.each(["https://bugs.example.org", "https://bugs.example.org.evil.test/bugzilla", "https://evil.test/"])(
    "for %s it is refused",
    async (baseUrl) => {
      await store(host, { origin: baseUrl });
      await expect(find(host, { baseUrl })).rejects.toMatchObject({
        kind: "guard",
        message: `BT_API_KEY is the key for ${TRACKER}, and the command is for ${baseUrl}`,
      });
      expect(await find(host, { baseUrl, isOffline: true })).toMatchObject({ key: "stored" });
    },
  );

  test("a tracker below its address, and any where none is configured, is its own", async () => {
    expect((await find(host, { baseUrl: `${TRACKER}/sub` })).key).toBe("k3y");
    expect((await find(host, { configuration: {} })).key).toBe("k3y");
  });
});

describe("D13 keys", () => {
  test("a trailing newline of a file is not part of the key", async () => {
    const host = machine();
    writeFileSync(`${host.home}/key`, "k3y\r\n", { mode: 0o600 });
    expect((await find(host, { keyFile: `${host.home}/key` })).key).toBe("k3y");
  });

  test.each(["a\nb", "a\rb", "a\0b", "\n", "ü"])("that no header can hold, or empty, are rejected", async (text) => {
    const host = machine();
    writeFileSync(`${host.home}/key`, text, { mode: 0o600 });
    await expect(find(host, { keyFile: `${host.home}/key` })).rejects.toMatchObject({ kind: "usage" });
  });
});

test("a key file that others can read is rejected", async () => {
  const host = machine();
  const file = `${host.home}/shared`;
  writeFileSync(file, "k3y", { mode: 0o600 });
  chmodSync(file, 0o644);
  await expect(find(host, { keyFile: file })).rejects.toMatchObject({
    kind: "guard",
    message: `${file} is not used: other users can read it`,
    facts: { hint: `chmod 600 ${file}, or --insecure-files to use it anyway` },
  });
  expect((await find(host, { keyFile: file, insecureFiles: true })).key).toBe("k3y");
});

describe("a credential helper", () => {
  test("is run as git runs its own, without the key in the environment", async () => {
    const host = machine({ env: { BT_API_KEY: "secret" } });
    const helper = program(
      host,
      "helper",
      `cat > "${host.home}/asked"; env > "${host.home}/env"; pwd > "${host.home}/pwd"; echo "key=k=1"`,
    );
    const options = { helper: `${helper} "two words"`, isOffline: true, configuration: { base_url: "demo:" } };
    expect((await find(host, options)).key).toBe("k=1");
    expect(readFileSync(`${host.home}/asked`, "utf8")).toBe("protocol=https\nhost=bugs.example.org\npath=bugzilla\n\n");
    expect(readFileSync(`${host.home}/env`, "utf8")).not.toContain("secret");
    expect(readFileSync(`${host.home}/pwd`, "utf8")).toBe("/\n");
  });

  test("without a key falls through to the next source", async () => {
    const host = machine();
    await store(host);
    expect((await find(host, { helper: program(host, "none", "exit 1") })).key).toBe("stored");
    expect((await find(host, { helper: program(host, "silent", "true") })).key).toBe("stored");
  });

  test("that does not exist is an error", async () => {
    await expect(find(machine(), { helper: "no-such-helper get" })).rejects.toThrow(
      "the key helper no-such-helper cannot be run, or takes more than 10 s",
    );
  });
});

describe("the keyring", () => {
  const session = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

  test("provides the key of an entry without one", async () => {
    const host = machine();
    program(
      host,
      "secret-tool",
      'test "$*" = "lookup service bt account https://bugs.example.org/bugzilla" && printf ringed',
    );
    await store(host, { key: undefined });
    const env = { ...host.env, ...session, PATH: `${host.home}/bin:${host.env["PATH"]}` };
    expect(await find({ ...host, env })).toMatchObject({ key: "ringed", source: "the keyring" });
  });
});

test("D14 a program that hangs, floods or fails to start is stopped", async () => {
  const host = machine();
  const codeOf = async (file: string, timeout: number) => (await runProgram(file, [], "", timeout, host.env)).code;
  expect(await codeOf(program(host, "hang", "sleep 60"), 50)).toBeNull();
  expect(await codeOf(program(host, "flood", "yes"), 5000)).toBeNull();
  expect(await codeOf(`${host.home}/nowhere`, 5000)).toBeNull();
});

describe("D16 programs", () => {
  test("are searched in absolute folders only", () => {
    const host = machine();
    const file = program(host, "tool", "true");
    const found = (name: string, path: string) => findProgram(name, { PATH: path });
    expect(found("tool", `${host.home}/bin`)).toBe(file);
    const fromHere = relative(process.cwd(), `${host.home}/bin`);
    expect(found("tool", `.:${fromHere}::${host.home}/nowhere`)).toBeUndefined();
    expect(found("./tool", `${host.home}/bin`)).toBeUndefined();
    expect(found(file, "")).toBe(file);
    expect(found(host.home, "")).toBeUndefined();
  });

  test("arguments are separated by blanks, and quotes keep blanks", () => {
    expect(commandWords(`pass show 'my key' "a b" c`)).toEqual(["pass", "show", "my key", "a b", "c"]);
    expect(commandWords(`--name="a b" it's`)).toEqual(["--name=a b", "it's"]);
  });
});
