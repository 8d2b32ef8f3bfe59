import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

const ADA = "users: [{ login: ada@example.org }]";

/** Logins in a file. */
async function loginsIn(file: string, home: string): Promise<readonly string[]> {
  const { out } = await btConnected(`admin export --json --data ${file}`, { env: { HOME: home } });
  return JSON.parse(out).users.map(({ login }: { login: string }) => login);
}

describe("bt admin sets up the tracker that is named", () => {
  type Way = readonly [string, (address: string) => [line: string, env: object]];

  test.each<Way>([
    ["--base-url ahead", (address: string) => [`--base-url ${address} admin apply -`, {}]],
    ["--base-url behind", (address: string) => [`admin apply - --base-url ${address}`, {}]],
    ["--profile", () => ["admin apply - --profile team", {}]],
    ["--profile ahead", () => ["--profile team admin apply -", {}]],
    ["BT_BASE_URL", (address: string) => ["admin apply -", { BT_BASE_URL: address }]],
    ["BT_PROFILE", () => ["admin apply -", { BT_PROFILE: "team" }]],
  ])("by %s", async (_, how) => {
    const home = freshFolder();
    const file = `${home}/team.db`;
    const [line, named] = how(`local:${file}`);
    const env = { HOME: home, ...named };
    await btConnected(`config set base_url local:${file} --profile team`, { env: { HOME: home } });
    expect((await btConnected(line, { env, stdin: ADA })).code).toBe(0);
    expect(await loginsIn(file, home)).toEqual(["owner@localhost", "ada@example.org"]);
    expect(existsSync(`${home}/.local/share/bt/tracker.db`)).toBe(false);
  });

  test("a tracker on the network and a second place are refused", async () => {
    const home = freshFolder();
    const run = (line: string, env = {}) => btConnected(line, { env: { HOME: home, ...env }, stdin: ADA });
    const hint = "hint: add --base-url local: for the default file, or --data /path/to/file.db\n";
    expect(await run("--base-url https://bugs.example.org admin apply -")).toEqual({
      code: 2,
      out: "",
      err: `bt: bt admin needs a tracker in a file, not https://bugs.example.org\n${hint}`,
    });
    expect(await run("admin export", { BT_BASE_URL: "http://127.0.0.1:8090" })).toMatchObject({ code: 2, out: "" });
    expect((await run(`admin export --data ${home}/a.db --base-url local:`)).err).toContain(
      "--data and --base-url cannot be used together",
    );
    expect(existsSync(`${home}/.local`)).toBe(false);
  });
});

describe("a path without a tracker", () => {
  const at = (home: string) => ({ file: `${home}/typo.db`, env: { HOME: home, BT_BASE_URL: `local:${home}/typo.db` } });

  test.each([
    ...["bug search --all", "bug get 1", "bug export --all", "product list", "field list", "todo", "auth status"],
    ...["api /rest/bug -f id=1", "bug watch is:open --once", "mirror create copy"],
  ])("is refused by what only reads: %s", async (line) => {
    const { env, file } = at(freshFolder());
    const { code, out, err } = await btConnected(line, { env });
    expect([code, out, existsSync(file)]).toEqual([2, "", false]);
    expect(err).toMatch(/^bt: no tracker in \S+typo.db\nhint: check the path; bt bug create, bt bug import, /);
  });

  const CREATE = "bug create -p Project -c General --bug-version unspecified -t Crash -d Steps";

  test("is refused by --dry-run, and created by the write itself", async () => {
    const { env, file } = at(freshFolder());
    expect((await btConnected(`${CREATE} --dry-run`, { env })).code).toBe(2);
    expect(existsSync(file)).toBe(false);
    expect(await btConnected(CREATE, { env })).toMatchObject({
      code: 0,
      err: expect.stringContaining(`note: created a tracker in ${file}\n`),
    });
    expect(await btConnected("bug search is:open --format ids", { env })).toEqual({ code: 0, out: "1\n", err: "" });
  });

  test("is not created by completion", async () => {
    const home = freshFolder();
    const { env, file } = at(home);
    expect(await btConnected("complete -- bug create --product P", { env })).toMatchObject({ code: 0, err: "" });
    expect(existsSync(file)).toBe(false);
    const byDefault = { HOME: home, BT_BASE_URL: "local:" };
    expect((await btConnected("complete -- bug create --product P", { env: byDefault })).code).toBe(0);
    expect(existsSync(`${home}/.local`)).toBe(false);
  });
});
