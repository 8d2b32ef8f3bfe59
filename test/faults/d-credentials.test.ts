import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { real, surroundings } from "../process/real.ts";
import { onTerminal } from "../process/terminal.ts";
import { answer, faultServer } from "../servers/fault-server.ts";
import { start } from "./child.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { CANARY, GOOD, homeWithLogin, rawRun, says } from "./raw.ts";

const WRITES = ["comment add 7 -m Hello", "api PUT /rest/bug/7 -f summary=Hello"];

function redirect(status: number, location: string): string {
  return answer("", { status: `${status} Elsewhere`, headers: { location } });
}

describe("D1 a read is not redirected to another host", () => {
  test.each([
    [302, "", "query"],
    [307, "?id=7", "header"],
    [302, "?id=7", "bearer"],
  ])("%i with the query %j and the key as %s", async (status, query, style) => {
    const other = await faultServer(says(GOOD));
    const env = { BT_AUTH_STYLE: style };
    const run = await rawRun({ act: says(redirect(status, `${other.url}/rest/bug/7${query}`)), env });
    await other.close();
    expect(run).toMatchObject({
      code: 13,
      out: "",
      err: expect.stringContaining(`redirects to ${other.url}/rest/bug/7`),
    });
    expect(other.connections()).toBe(0);
  });
});

describe("D2 a write is not redirected at all", () => {
  const cases = WRITES.flatMap((line) => ["another host", "the same tracker"].map((target) => [line, target] as const));
  test.each(cases.flatMap(([line, target]) => [301, 302].map((status) => [status, line, target] as const)))(
    "%i of bt %s to %s",
    async (status, line, target) => {
      const other = await faultServer(says(GOOD));
      const location = `${target === "another host" ? other.url : ""}/rest/bug/7`;
      const run = await rawRun(
        {
          act: (socket, { head }) =>
            socket.write(head.startsWith("GET") ? answer(STANDING) : redirect(status, location)),
        },
        line,
      );
      await other.close();
      const mayHaveActed = [302, 303].includes(status);
      expect(run).toMatchObject({
        code: 13,
        out: "",
        err: expect.stringMatching(/redirects to .*not followed/),
      });
      expect(run.err).toContain(mayHaveActed ? "unknown whether changes were made" : "no changes made");
      expect(other.connections()).toBe(0);
      expect(run.server.heard.filter(({ head }) => !head.startsWith("GET"))).toHaveLength(1);
    },
  );
});

const STANDING = '{"fields":[],"bugs":{"7":{"comments":[]}}}';

describe("D6 a key belongs to one exact origin", () => {
  test.each(["another port", "another scheme", "another name for this machine"])("not to %s", async (what) => {
    const says401 = says(answer('{"error":true,"code":410,"message":"log in first"}', { status: "401 No" }));
    const [own, other] = [await faultServer(says(GOOD)), await faultServer(says401)];
    const bound = {
      "another port": own.url,
      "another scheme": other.url.replace("http:", "https:"),
      "another name for this machine": other.url.replace("127.0.0.1", "localhost"),
    }[what];
    const env = { HOME: homeWithLogin(bound ?? ""), BT_BASE_URL: other.url };
    const run = await btConnected("bug get 7", { env });
    await Promise.all([own.close(), other.close()]);
    expect(run).toMatchObject({ code: 4, out: "" });
    expect(other.heard).toHaveLength(1);
    expect(JSON.stringify([own.heard, other.heard, run.err])).not.toContain(CANARY);
  });
});

test.each(["query", "header", "bearer", "token"])(
  "D7 a key in the style %s is not sent unencrypted to another machine",
  async (style) => {
    for (const line of ["bug get 7", "comment add 7 -m Hello"]) {
      const run = await rawRun({ url: () => "http://bugs.example.org", env: { BT_AUTH_STYLE: style } }, line);
      expect(run).toMatchObject({ code: 13, out: "", err: expect.stringMatching(/unencrypted[\s\S]*--allow-http/) });
    }
  },
);

test.each(["--api-key=VALUE", "--api-key VALUE"])("D8 %s is rejected with the ways to pass a key", async (flag) => {
  const run = await rawRun({}, `bug get 7 ${flag.replace("VALUE", "k3y-in-the-history")}`);
  expect(run).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(/your shell history[\s\S]*bt auth login[\s\S]*--api-key-file[\s\S]*BT_API_KEY/),
  });
  expect(run.err).not.toContain("k3y-in-the-history");
  expect(run.server.heard).toEqual([]);
});

test("D9 a text containing the key is not sent", async () => {
  const tracker = await faultyTracker();
  const env = { ...tracker.env, HOME: freshFolder() };
  const run = await btConnected(`comment add 43 -m 'my key is ${tracker.key}'`, { env });
  expect(run).toMatchObject({ code: 13, out: "", err: expect.stringContaining("the text contains your API key") });
  expect(tracker.writes()).toEqual([]);
});

describe("D11 the credentials file", () => {
  test("is rejected if others can read it", async () => {
    const { url, close, heard } = await faultServer(says(GOOD));
    const env = { HOME: homeWithLogin(url, { mode: 0o644 }), BT_BASE_URL: url };
    const run = await btConnected("bug get 7", { env });
    expect(run).toMatchObject({
      code: 13,
      out: "",
      err: expect.stringMatching(/other users can read it[\s\S]*chmod 600/),
    });
    expect(heard).toEqual([]);
    expect(await btConnected("bug get 7 --insecure-files", { env })).toMatchObject({ code: 0 });
    expect(heard).toHaveLength(1);
    await close();
  });
});

test("D12 a credentials file that is a symbolic link is rejected", async () => {
  const { url, close, heard } = await faultServer(says(GOOD));
  const home = homeWithLogin(url);
  const linked = freshFolder();
  mkdirSync(join(linked, ".config/bt"), { recursive: true, mode: 0o700 });
  symlinkSync(join(home, ".config/bt/credentials.json"), join(linked, ".config/bt/credentials.json"));
  const run = await btConnected("bug get 7", { env: { HOME: linked, BT_BASE_URL: url } });
  expect(run).toMatchObject({ code: 13, err: expect.stringContaining("symbolic link") });
  expect(heard).toEqual([]);
  await close();
});

/** The comments of a bug, and a new one. */
const ANY = '{"bugs":{"7":{"comments":[]}},"id":1}';

describe("D13 unusual keys", () => {
  const keys = ["a%b&c=d", " leading", "x".repeat(10_000)];
  test.each(keys)("%.20s is sent exactly in the URL of a read and the body of a write", async (key) => {
    const server = await faultServer(says(answer(ANY)));
    const env = { HOME: homeWithLogin(server.url, { key }), BT_BASE_URL: server.url };
    const read = await btConnected("api GET /rest/bug/7", { env });
    const write = await btConnected("api POST /rest/bug/7/comment -f comment=Hello", { env });
    await server.close();
    const [got, posted] = ["GET", "POST"].map((method) => server.heard.find(({ head }) => head.startsWith(method)));
    const sent = new URL(got?.head.split(" ")[1] ?? "", "http://x").searchParams.get("Bugzilla_api_key");
    expect([read.code, sent, write.code, JSON.parse(posted?.body ?? "{}").Bugzilla_api_key]).toEqual([0, key, 0, key]);
  });
});

test.each([
  ["there is none", undefined],
  ["it is locked", "exit 1"],
  ["it takes a key and does not return it", "cat > /dev/null"],
  ["it hangs", "exec sleep 60"],
])("D14 without a working keyring a login is stored in the file: %s", async (_, keyring) => {
  const tracker = await faultyTracker();
  const unreachable = { BT_BASE_URL: tracker.url, DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" };
  const env: Record<string, string> = { ...surroundings(), ...unreachable };
  const [bin = "", home = ""] = [env["PATH"]?.split(":")[0], env["HOME"]];
  if (keyring) writeFileSync(join(bin, "secret-tool"), `#!/bin/sh\n${keyring}\n`, { mode: 0o700 });
  writeFileSync(join(home, "key"), tracker.key, { mode: 0o600 });
  const file = join(env["XDG_CONFIG_HOME"] ?? "", "bt/credentials.json");
  const login = await start(["auth", "login", "--api-key-file", `${home}/key`], env).end;
  expect(login).toMatchObject({ code: 0, out: "", err: expect.stringContaining(`stored in ${file}`) });
  expect(JSON.parse(readFileSync(file, "utf8")).entries[0].key).toBe(tracker.key);
  expect(await start(["auth", "status"], env).end).toMatchObject({ code: 0, err: "" });
});

test("D15 a settings file in the current folder is ignored", async () => {
  const [own, other] = [await faultyTracker(), await faultServer(says(GOOD))];
  const folder = freshFolder();
  const harm = "touch planted-was-run";
  for (const name of [
    ".bt.json",
    "bt.json",
    "config.json",
    ".btrc",
    ".bt/config.json",
    "bt/config.json",
    ".bugzillarc",
  ]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(
      join(folder, name),
      JSON.stringify({ base_url: other.url, pager: harm, editor: harm, auth_helper: harm }),
    );
  }
  const env = { ...surroundings(), BT_BASE_URL: "" };
  expect(await real(["bug", "get", "7"], { cwd: folder, env })).toMatchObject({ code: 2, out: "" });
  const shown = await onTerminal(`cd ${folder}; unset BT_PAGER; bt bug get 43; echo code $?`, {
    env: { ...env, BT_BASE_URL: own.url, PAGER: "cat" },
    rows: 2,
  });
  await other.close();
  expect(shown.out).toContain("code 0");
  expect(own.heard.length).toBeGreaterThan(0);
  expect(other.heard).toEqual([]);
  expect(readdirSync(folder)).not.toContain("planted-was-run");
});

test.each([
  ["a pager", "bt bug search --all < /dev/null"],
  ["a browser", "bt bug get 1 --web"],
  ["an editor", "bt comment add 1 --editor"],
  ["a keyring", "bt auth status --base-url http://127.0.0.1:1"],
  ["a key helper", "bt config set auth_helper git; bt auth status --base-url http://127.0.0.1:1"],
])("D16 programs in the current folder are never run: %s", async (_, line) => {
  const folder = freshFolder();
  const env: Record<string, string> = { ...surroundings(), DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" };
  const program = (file: string, does: string) => writeFileSync(file, `#!/bin/sh\n${does}\n`, { mode: 0o700 });
  for (const name of "less more vi editor git secret-tool xdg-open open sensible-browser sh".split(" "))
    program(join(folder, name), "touch planted-was-run");
  for (const name of ["less", "vi"]) program(join(env["PATH"]?.split(":")[0] ?? "", name), "cat");
  const typed = `cd ${folder}; PATH=.:$PATH:; export PATH; unset BT_PAGER; ${line}; echo code $?`;
  expect((await onTerminal(typed, { env, rows: 5 })).out).toMatch(/code \d+\n$/);
  expect(readdirSync(folder)).not.toContain("planted-was-run");
});
