import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder, surroundings } from "../process/real.ts";
import { answer, faultServer } from "../servers/fault-server.ts";
import { start } from "./child.ts";
import { FATES, faultyTracker, once } from "./faulty-tracker.ts";
import { CANARY, GOOD, rawRun, says } from "./raw.ts";

const WRITES = ["comment add 7 -m Hello --no-journal", "api PUT /rest/bug/7 -f summary=Hello --no-journal"];

function redirect(status: number, location: string): string {
  return answer("", { status: `${status} Elsewhere`, headers: { location } });
}

describe("D1 a read is not sent on to another host", () => {
  const keys = ["query", "header", "bearer"] as const;
  const cases = [302, 307].flatMap((status) =>
    ["", "?id=7"].flatMap((query) => keys.map((style) => [status, query, style] as const)),
  );
  test.each(cases)("%i with the query %j and the key as %s", async (status, query, style) => {
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

describe("D2 a write is not sent on at all", () => {
  const cases = [301, 302, 303, 307, 308].flatMap((status) => WRITES.map((line) => [status, line] as const));
  test.each(cases)("%i of %s", async (status, line) => {
    const other = await faultServer(says(GOOD));
    const run = await rawRun(
      {
        act: (socket, { head }) =>
          socket.write(
            head.startsWith("GET")
              ? answer('{"fields":[],"bugs":{"7":{"comments":[]}}}')
              : redirect(status, `${other.url}/rest/bug`),
          ),
      },
      line,
    );
    await other.close();
    expect({ code: run.code, out: run.out }).toEqual({ code: 13, out: "" });
    expect(other.connections()).toBe(0);
    expect(run.server.heard.filter(({ head }) => !head.startsWith("GET"))).toHaveLength(1);
  });

  test("nor within the tracker", async () => {
    const run = await rawRun(
      {
        act: (socket, { head }) =>
          socket.write(
            head.startsWith("GET") ? answer('{"fields":[],"bugs":{"7":{"comments":[]}}}') : redirect(307, "/rest/x"),
          ),
      },
      WRITES[0],
    );
    expect(run.code).toBe(13);
  });
});

test("D3 a redirect in a circle ends", async () => {
  const run = await rawRun({ act: says(redirect(302, "/rest/bug/7")) });
  expect(run).toMatchObject({ code: 7, err: expect.stringContaining("redirects in a circle") });
  expect(run.server.heard.length).toBeLessThanOrEqual(4);
});

test.each(["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "data:text/html,x"])(
  "D4 a redirect to %s is refused",
  async (location) => {
    expect(await rawRun({ act: says(redirect(302, location)) })).toMatchObject({ code: 13, out: "" });
  },
);

test("D5 the key of the environment is not shown to a tracker that a flag names", async () => {
  const other = await faultServer(
    says(answer('{"error":true,"code":102,"message":"not authorized"}', { status: "401 No" })),
  );
  const run = await rawRun({}, `bug get 7 --base-url ${other.url}`);
  await other.close();
  expect(run).toMatchObject({ code: 4, err: expect.stringContaining("BT_API_KEY is not shown to") });
  expect(JSON.stringify(other.heard)).not.toContain(CANARY);
});

describe("D6 a key is for its own tracker to the letter", () => {
  test.each([
    "https://bugs.example.org.evil.test",
    "https://evil.test/bugs.example.org",
    "https://bugs.example.org:8443",
    "http://bugs.example.org",
  ])("not for %s", async (url) => {
    const home = homeWithKey("https://bugs.example.org");
    const proxy = await faultServer(says(GOOD));
    const run = await btConnected(`auth status --base-url ${url} --proxy ${proxy.url} --retry 0`, {
      env: { HOME: home },
    });
    await proxy.close();
    expect(run.code).not.toBe(0);
    expect(JSON.stringify([proxy.heard, run.out, run.err])).not.toContain(CANARY);
  });

  test("not for one that hides behind a login", async () => {
    const env = { HOME: homeWithKey("https://bugs.example.org") };
    expect(await btConnected("auth status --base-url https://bugs.example.org@evil.test/", { env })).toMatchObject({
      code: 2,
    });
  });
});

function homeWithKey(origin: string, mode = 0o600): string {
  const home = freshFolder();
  const folder = join(home, ".config/bt");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entries = [{ origin, user: "me@example.org", style: "query", key: CANARY, added: "2026-11-20T00:00:00Z" }];
  const file = join(folder, "credentials.json");
  writeFileSync(file, JSON.stringify({ version: 1, entries }), { mode });
  chmodSync(file, mode);
  return home;
}

test("D7 a key does not travel in clear to another machine", async () => {
  const run = await rawRun({ url: () => "http://bugs.example.org" });
  expect(run).toMatchObject({ code: 13, err: expect.stringMatching(/unencrypted[\s\S]*--allow-http/) });
});

test.each(["--api-key=VALUE", "--api-key VALUE"])(
  "D8 %s is refused, and the ways to give a key are told",
  async (flag) => {
    const run = await rawRun({}, `bug get 7 ${flag.replace("VALUE", "k3y-in-the-history")}`);
    expect(run).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/--api-key-file|BT_API_KEY|bt auth login/),
    });
    expect(run.err).not.toContain("k3y-in-the-history");
    expect(run.server.heard).toEqual([]);
  },
);

describe("D9 the key is nowhere but in the requests", () => {
  const lines = [
    "bug get 43 --debug",
    "bug search --status CONFIRMED --debug",
    "bug create -p Lantern -c Library --bug-version 3.1 -t T --op-sys Linux --platform PC --debug",
    "bug update 43 --priority Highest --debug",
    "comment add 43 -m Hello --debug",
    "comment list 43 --debug",
    "tag update 5 --add spam --debug",
    "group list --debug",
    "api /rest/whoami --debug",
    "api /rest/nothing --debug",
    "auth status --debug",
    "jobs --debug",
  ];
  test.each(lines)("bt %s", async (line) => {
    const tracker = await faultyTracker({ write: once(FATES.resetAfter) });
    const home = freshFolder();
    const run = await btConnected(line, { env: { ...tracker.env, HOME: home } });
    expect(nowhere(tracker.key, [run.out, run.err, ...filesIn(home)])).toBe(true);
  });

  test("nor in what children are given", async () => {
    const tracker = await faultyTracker();
    const env = { ...surroundings(), ...tracker.env };
    const pager = join(env["HOME"] ?? "", "pager");
    writeFileSync(pager, "#!/bin/sh\nenv; tr '\\0' ' ' < /proc/$PPID/cmdline\n", { mode: 0o700 });
    const { onTerminal } = await import("../process/terminal.ts");
    const shown = await onTerminal("bt bug search --all --debug 2>/dev/null", {
      env: { ...env, BT_PAGER: pager },
      rows: 5,
    });
    expect(shown.out).toContain("HOME=");
    expect(nowhere(tracker.key, [shown.out])).toBe(true);
  });

  test("nor in what a tracker says that repeats its requests", async () => {
    const echo = (socket: { write: (text: string) => unknown }, heard: { head: string; body: string }) =>
      socket.write(
        answer(JSON.stringify({ error: true, code: 999, message: `${heard.head} ${heard.body}` }), {
          status: "400 No",
        }),
      );
    const read = await rawRun({ act: (socket, heard) => void echo(socket, heard) }, "bug get 7 --debug");
    const raw = await rawRun({ act: (socket, heard) => void echo(socket, heard) }, "api /rest/bug/7");
    expect(read.server.heard[0]?.head).toContain(CANARY);
    expect(nowhere(CANARY, [read.out, read.err, raw.out, raw.err])).toBe(true);
  });
});

/** Whether a key stands in none of these texts, as it is, percent-encoded, in JSON or in base64. */
function nowhere(key: string, texts: readonly string[]): boolean {
  const core = Buffer.from(key).toString("base64").slice(4, -4);
  const percent = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
  return texts.every((text) => ![key, core, percent, encodeURIComponent(key)].some((form) => text.includes(form)));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

describe("D10 the key stands in no message of a failed connection", () => {
  test.each(["http://127.0.0.1:1", "http://no-such-host.invalid", "https://127.0.0.1:1"])("%s", async (url) => {
    const run = await rawRun({ url: () => url }, "bug get 7 --allow-http --debug");
    expect(run.code).toBe(6);
    expect(nowhere(CANARY, [run.out, run.err])).toBe(true);
  });
});

describe("D11 the file of keys", () => {
  test("is not used when others can read it", async () => {
    const { url, close, heard } = await faultServer(says(GOOD));
    const env = { HOME: homeWithKey(url, 0o644), BT_BASE_URL: url };
    const run = await btConnected("bug get 7", { env });
    expect(run).toMatchObject({
      code: 13,
      out: "",
      err: expect.stringMatching(/other users can read it[\s\S]*chmod 600/),
    });
    expect(heard).toEqual([]);
    await close();
  });

  test.each(["000", "022"])("is written for the owner alone under the mask %s", async (mask) => {
    const tracker = await faultyTracker();
    const env: Record<string, string> = { ...surroundings(), BT_BASE_URL: tracker.url };
    const key = join(env["HOME"] ?? "", "key");
    writeFileSync(key, tracker.key);
    const { execa } = await import("execa");
    const line = `umask ${mask}; bt auth login --api-key-file ${key}`;
    const run = await execa("bash", ["-c", line], { env, extendEnv: false, reject: false });
    expect(run.exitCode).toBe(0);
    const folder = join(env["XDG_CONFIG_HOME"] ?? "", "bt");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "credentials.json")).mode & 0o777).toBe(0o600);
  });
});

test("D12 a file of keys that is a symbolic link is not used", async () => {
  const { url, close, heard } = await faultServer(says(GOOD));
  const home = homeWithKey(url);
  const linked = freshFolder();
  mkdirSync(join(linked, ".config/bt"), { recursive: true, mode: 0o700 });
  symlinkSync(join(home, ".config/bt/credentials.json"), join(linked, ".config/bt/credentials.json"));
  const run = await btConnected("bug get 7", { env: { HOME: linked, BT_BASE_URL: url } });
  expect(run).toMatchObject({ code: 13, err: expect.stringContaining("symbolic link") });
  expect(heard).toEqual([]);
  await close();
});

describe("D13 odd keys", () => {
  test.each(["a%b&c=d", " leading", "x".repeat(4000)])("%j is sent exactly", async (key) => {
    const run = await rawRun({ act: says(GOOD), env: { BT_API_KEY: key } });
    const target = run.server.heard[0]?.head.split(" ")[1] ?? "";
    expect({ code: run.code, key: new URL(target, "http://x").searchParams.get("Bugzilla_api_key") }).toEqual({
      code: 0,
      key,
    });
  });

  test.each(["a\nb", "a\rb", "a\0b"])("%j is refused", async (key) => {
    const run = await rawRun({ act: says(GOOD), env: { BT_API_KEY: key } });
    expect(run).toMatchObject({ code: 2, out: "" });
    expect(run.server.heard).toEqual([]);
  });
});

test("D14 a keyring that hangs does not hold it up", async () => {
  const { url, close } = await faultServer(says(GOOD));
  const env: Record<string, string> = { ...surroundings(), BT_BASE_URL: url };
  const folder = join(env["XDG_CONFIG_HOME"] ?? "", "bt");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entries = [{ origin: url, style: "query", added: "2026-11-20T00:00:00Z" }];
  writeFileSync(join(folder, "credentials.json"), JSON.stringify({ version: 1, entries }), { mode: 0o600 });
  writeFileSync(join(env["PATH"]?.split(":")[0] ?? "", "secret-tool"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o700 });
  const started = performance.now();
  const run = await start(["bug", "get", "7"], env).end;
  await close();
  expect(run.code).toBe(4);
  expect(performance.now() - started).toBeLessThan(6000);
}, 20_000);

test("D15 a file of settings in the current folder says nothing", async () => {
  const { url, close, heard } = await faultServer(says(GOOD));
  const folder = freshFolder();
  for (const name of [".bt.json", "bt.json", "config.json", ".btrc", ".bt/config.json"]) {
    mkdirSync(join(folder, ".bt"), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify({ base_url: url, pager: "touch pwned", editor: "touch pwned" }));
  }
  const { real } = await import("../process/real.ts");
  const run = await real(["bug", "get", "7"], { cwd: folder });
  await close();
  expect({ code: run.code, heard }).toEqual({ code: 2, heard: [] });
});

test("D16 programs planted in the current folder are not run", async () => {
  const folder = freshFolder();
  for (const name of ["less", "more", "vi", "git", "secret-tool", "xdg-open"]) {
    writeFileSync(join(folder, name), "#!/bin/sh\ntouch planted-was-run\n", { mode: 0o700 });
  }
  const { onTerminal } = await import("../process/terminal.ts");
  const env = surroundings();
  writeFileSync(join(env["PATH"]?.split(":")[0] ?? "", "less"), "#!/bin/sh\ncat\n", { mode: 0o700 });
  const shown = await onTerminal(
    `cd ${folder}; PATH=.:$PATH; export PATH; unset BT_PAGER; bt bug search --all < /dev/null`,
    {
      env: { ...env, BT_BASE_URL: "demo:" },
      rows: 5,
    },
  );
  expect(shown.out).toContain("CONFIRMED");
  expect(readdirSync(folder)).not.toContain("planted-was-run");
});
