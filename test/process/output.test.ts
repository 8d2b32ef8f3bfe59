import { describe, expect, test } from "vitest";
import { faultyTracker } from "../faults/faulty-tracker.ts";
import { sampled } from "../sampling.ts";
import { crowd, demoServer } from "../servers/demo-server.ts";
import { shell } from "./real.ts";

const NO_SPACE = "bt: cannot write the output: no space left on device\n";

test.each(["--json", "--format json", "--format=ndjson"])(
  "with %s an error is one JSON object on stderr, and stdout stays empty",
  async (flags) => {
    const { code, out, err } = await shell(`bt bug search --status NOSUCH ${flags}`);
    expect([code, out]).toEqual([2, ""]);
    expect(err.split("\n")).toHaveLength(2);
    expect(JSON.parse(err)).toEqual({
      error: {
        kind: "usage",
        exit_code: 2,
        message: 'unknown status "NOSUCH"',
        hint: "valid values: UNCONFIRMED, CONFIRMED, IN_PROGRESS, RESOLVED, VERIFIED",
      },
    });
  },
);

describe("an applied write is reported even if stdout cannot be written", () => {
  const CREATE = "bt bug create -p Project -c General --version unspecified -t first -d x";

  test.each([
    [CREATE, "already applied: the new bug, 2"],
    ["bt comment add 1 -m more", "already applied: the comment on bug 1, 2"],
    ["bt bug update 1 --priority High", "already applied: 1 applied"],
    ["bt tag update 1 --add obsolete", "already applied: the tags of comment 1"],
  ])("%s", async (line, told) => {
    const { code, out, err } = await shell(`${CREATE} 2> /dev/null; ${line} > /dev/full`, {
      env: { BT_BASE_URL: "local:" },
    });
    expect([code, out]).toEqual([12, "1\n"]);
    expect(err).toBe(`${NO_SPACE}    ${told}\n`);
  });
});

test("an applied bulk update is named if stdout is full, regardless of the journal", async () => {
  const { env } = await faultyTracker({});
  const line = "bt bug search --all --format ids | head -25 | bt bug update - --whiteboard x --yes > /dev/full";
  const { code, out, err } = await shell(line, { env });
  const [undo = "", ...others] = err.split(/^(?=bt: )/m);
  expect([code, out, undo]).toEqual([12, "", expect.stringMatching(/^note: undo: bt bug undo --job \w{26}\n$/)]);
  expect(others.join("")).toBe(`${NO_SPACE}    already applied: 25 applied\n`);
});

test.each([
  [
    "bt bug create -p Lantern -c Library --bug-version 3.1 -t Title -d Text",
    /^ {4}already applied: the new bug, \d+$/m,
  ],
  [
    "bt bug search --all --format ids | head -25 | bt bug update - --whiteboard x --yes",
    /^ {4}already applied: 25 applied$/m,
  ],
])("E3 a reader that left before the result of a write: it is on stderr, exit code 12: %s", async (line, applied) => {
  const { env } = await faultyTracker({});
  const { out, err } = await shell(`{ sleep 0.2; ${line}; echo "$?" >&2; } | true`, { env });
  expect([out, err.split("\n").at(-2)]).toEqual(["", "12"]);
  expect(err).toMatch(/^bt: cannot write the output: its reader closed the pipe$/m);
  expect(err).toMatch(applied);
});

describe("E3 a reader that closes the pipe ends a command silently", () => {
  test.each(sampled(["tsv", "csv", "json", "ndjson", "table", "ids"], 2))(
    "after the first of 5,000 lines of %s",
    async (format) => {
      const server = await demoServer();
      crowd(server, 5_000);
      const line = `bt bug search --status CONFIRMED --all --format ${format} | head -1; echo "\${PIPESTATUS[*]}"`;
      const { out, err } = await shell(line, { env: { BT_BASE_URL: server.url } });
      const [first = "", codes] = out.split("\n");
      expect(first.length).toBeGreaterThan(0);
      expect([codes, err]).toEqual(["0 0", ""]);
    },
  );
});

describe("E4 an unwritable output is a local error", () => {
  const lines = [
    ...["bt bug search --status CONFIRMED", "bt bug search --status CONFIRMED --format ids", "bt bug get 12"],
    ...["bt bug history 12", "bt field list", "bt api /rest/version", "bt completion bash"],
    ...["bt --help", "bt help exit-codes", "bt --version"],
  ];
  test.each(sampled(lines, 2))("%s", async (line) => {
    expect(await shell(`${line} >/dev/full`)).toEqual({ code: 12, out: "", err: NO_SPACE });
  });

  test("as JSON with --json", async () => {
    const { code, err } = await shell("bt bug get 12 --json >/dev/full");
    expect([code, JSON.parse(err).error.kind]).toEqual([12, "local"]);
  });

  // Node has put /dev/null there before anything of bt runs, open as Python's DEVNULL and Node's own "ignore" are.
  test.each([">&-", ">/dev/null", "1<>/dev/null"])(
    "E5 a closed stdout is like one that nobody reads: %s",
    async (redirection) => {
      expect(await shell(`bt bug get 12 ${redirection}`)).toEqual({ code: 0, out: "", err: "" });
    },
  );
});

describe("E6 an unwritable stderr has no effect", () => {
  test.each(["2>&-", "2>/dev/full"])("%s", async (redirection) => {
    expect(await shell(`bt bug get 1 --format ids ${redirection}`)).toMatchObject({ code: 0, out: "1\n" });
    expect(await shell(`bt bug get 99999 ${redirection}`)).toMatchObject({ code: 5, out: "" });
    expect(await shell(`bt bug search --status CONFIRMED -v --format ids ${redirection} | wc -l`)).toMatchObject({
      code: 0,
    });
  });
});
