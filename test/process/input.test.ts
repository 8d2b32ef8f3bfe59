import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { crowd, demoServer } from "../servers/demo-server.ts";
import { real, shell } from "./real.ts";

const DEMO = ["--base-url", "demo:"];

test("a new bug without a description is refused where stdin is a pipe or a file, and filed from no stdin", async () => {
  const line = "bt bug create -p Lantern -c Editor --version 3.2 -t Crop";
  const loop = `printf '1\\n2\\n' | while read n; do ${line}; echo "$n $?"; done`;
  expect((await shell(loop)).out).toBe("1 2\n2 2\n");
  expect((await shell(`echo text > file; ${line} < file; echo $?`, { cwd: freshFolder() })).out).toBe("2\n");
  for (const none of ["< /dev/null", "<&-", "--description '' < /dev/null"])
    expect(await shell(`${line} ${none}`)).toMatchObject({ code: 0, out: "51\n" });
  expect((await shell(`echo text | ${line} --description ''`)).out).toBe("51\n");
});

describe("bugs on stdin", () => {
  test.each([
    ["lines", "1\n2\n3\n"],
    ["blanks and commas", " 1 2,3"],
    ["numbers after #", "#1\n#2\n#3"],
    ["lines that end in CRLF", "\ufeff1\r\n2\r\n3\r\n"],
  ])("may be given as %s", async (_how, input) => {
    const run = await real([...DEMO, "bug", "get", "-", "--format", "ids"], { input });
    expect(run).toEqual({ code: 0, out: "1\n2\n3\n", err: "" });
  });

  test("may come from a search through a pipe", async () => {
    const run = await shell("bt bug search --id 1,2,3 --sort id --format ids | bt bug get - --format ids");
    expect(run).toEqual({ code: 0, out: "1\n2\n3\n", err: "" });
  });

  test.each([
    ["nothing", ""],
    ["blanks only", " \n\n"],
  ])("may be none, as a search without results prints: %s", async (_what, input) => {
    const run = await real([...DEMO, "bug", "get", "-"], { input });
    expect(run).toEqual({ code: 0, out: "", err: "note: no bugs on stdin\n" });
  });

  test.each(["bug get -", "comment list -"])("of a read may be none: %s", async (line) => {
    const said = "note: no bugs on stdin\n";
    expect(await shell(`bt bug search summary:xyzzy --format ids | bt ${line}`)).toEqual({
      code: 0,
      out: "",
      err: expect.stringContaining(said),
    });
    expect(await shell(`bt ${line} --json < /dev/null`)).toEqual({ code: 0, out: "[]\n", err: said });
  });

  test.each(["update - --priority High", "undo -"])(
    "of a change may be none, as a search without results prints: bug %s",
    async (line) => {
      const said = "note: no bugs on stdin: nothing to do\n";
      expect(await shell(`bt bug search summary:xyzzy --format ids | bt bug ${line}`)).toEqual({
        code: 0,
        out: "",
        err: expect.stringContaining(said),
      });
      expect(await shell(`bt bug ${line} --json < /dev/null`)).toEqual({ code: 0, out: "[]\n", err: said });
    },
  );

  test("are rejected with the line if they are invalid UTF-8", async () => {
    const input = Uint8Array.from([0x31, 0x0a, 0x32, 0xff, 0x0a]);
    const run = await real([...DEMO, "bug", "get", "-"], { input });
    expect(run).toMatchObject({ code: 2, out: "", err: expect.stringContaining("stdin is not UTF-8 in line 2") });
  });

  test("may be 10,000: each is reported, in requests of bounded size", async () => {
    const server = await demoServer();
    crowd(server, 9_995);
    const input = Array.from({ length: 10_000 }, (_, at) => `${at + 1}`).join("\n");
    const run = await real(["--base-url", server.url, "bug", "get", "-", "--format", "ids"], { input });
    const missing = [...run.err.matchAll(/^ {4}(\d+): /gm)].map(([, id]) => Number(id));
    expect(run.code).toBe(10);
    expect(missing).toEqual([...PRIVATE, 9996, 9997, 9998, 9999, 10000]);
    const shown = run.out.trim().split("\n").map(Number);
    expect([...shown, ...missing].sort((one, other) => one - other)).toEqual(
      Array.from({ length: 10_000 }, (_, at) => at + 1),
    );
    const lengths = server.requests.map(
      ({ path: sent, query }) => `${sent}?${new URLSearchParams(query.map(([...pair]) => pair))}`.length,
    );
    expect(Math.max(...lengths)).toBeLessThan(8_000);
    expect(lengths.length).toBeLessThan(40);
  });
});

const PRIVATE = [17, 28]; // of the demo's bugs

describe("an empty variable never widens the scope of a command", () => {
  test.each([
    'bt bug search --status "$EMPTY"',
    "bt bug search $EMPTY",
    'bt bug get "$EMPTY"',
    'bt bug update "$EMPTY" --priority High',
    'bt --base-url "$EMPTY" bug get 1',
  ])("%s", async (line) => {
    const server = await demoServer();
    const { code, out, err } = await shell(line, { env: { BT_BASE_URL: server.url, EMPTY: "" } });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^bt: .+\n/);
    expect(server.requests.filter(({ path: asked }) => !asked.startsWith("/rest/field/"))).toEqual([]);
  });
});

describe("comment text", () => {
  test.each([
    ["a file", "-F"],
    ["a file by its long name", "--body-file"],
  ])("is read from %s, without the last newline", async (_from, flag) => {
    const file = path.join(freshFolder(), "text");
    writeFileSync(file, "one\ntwo\n");
    const { out } = await real([...DEMO, "comment", "add", "1", flag, file, "--dry-run", "--json"]);
    expect(out).toContain("one\\ntwo");
    expect(out).not.toContain("two\\n");
  });

  test("is rejected with the first line that is not UTF-8", async () => {
    const file = path.join(freshFolder(), "text");
    writeFileSync(file, Uint8Array.from([0x61, 0x62, 0xff, 0x28]));
    const { code, err } = await real([...DEMO, "comment", "add", "1", "-F", file, "--dry-run"]);
    expect([code, err]).toEqual([2, expect.stringContaining("not UTF-8 in line 1")]);
  });
});
