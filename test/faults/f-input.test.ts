import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { real, shell, surroundings } from "../process/real.ts";
import { much } from "../sampling.ts";
import { crowd } from "../servers/demo-server.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { UNDO_LINE } from "./ran.ts";

describe("F6 invalid UTF-8 is rejected with its position", () => {
  test.each([
    ["an argument", "bt comment add 12 -m $'caf\\xe9' --dry-run", "at byte 3"],
    ["an argument with multi-byte characters", "bt bug search --summary $'図\\xff' ", "at byte 3"],
    ["a file", "printf 'ab\\377(' > text; bt comment add 12 -F text --dry-run", "in line 1"],
    ["stdin", "printf 'line\\n\\300\\257' | bt comment add 12 -m - --dry-run", "in line 2"],
    ["a list of bugs", "printf '1\\n2\\377' | bt bug get -", "in line 2"],
    [
      "a JSON body",
      `printf '{"comment":"\\355\\240\\200"}' > text; bt api POST /rest/bug/12/comment --input text`,
      "in line 1",
    ],
  ])("in %s", async (_, line, place) => {
    const run = await shell(`cd "$HOME"; ${line}`);
    expect(run).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`is not UTF-8 ${place}`) });
  });
});

describe("F7 control characters are never sent by accident", () => {
  test.each(["a\0b", "a\u001bb", "a\u009bb", "half \ud83d"])("%j from stdin", async (input) => {
    const tracker = await faultyTracker();
    const run = await btConnected("comment add 43 -m -", {
      env: { ...tracker.env, HOME: freshFolder() },
      stdin: input,
    });
    const isText = input.includes("\ud83d"); // what cannot be UTF-8 has become U+FFFD before it came here
    expect({ code: run.code, writes: tracker.writes().length }).toEqual(
      isText ? { code: 0, writes: 1 } : { code: 2, writes: 0 },
    );
  });
});

test("F8 a comment over the length limit is rejected with the limit", async () => {
  const tracker = await faultyTracker();
  for (const line of ["comment add 43 -m -", "bug update 43 --comment -"]) {
    const around = { env: { ...tracker.env, HOME: freshFolder() }, stdin: "x".repeat(65_536) };
    const run = await btConnected(line, around);
    expect(run).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/65536 characters; the maximum is 65535/),
    });
    expect(await btConnected(line, { ...around, stdin: "図".repeat(65_535) })).toMatchObject({ code: 0 });
  }
  expect(tracker.writes()).toHaveLength(2);
});

const MANY = much(2000, 10_000); // a line of 2,000 numbers would be longer than 8,000 characters
const CHANGED = much(1000, 10_000);

describe("F9 thousands of bugs, each reported, in requests of bounded size", () => {
  async function crowded(count: number) {
    const tracker = await faultyTracker();
    crowd(tracker, 100 + count);
    const ids = Array.from({ length: count }, (_, at) => 101 + at);
    const env: Record<string, string> = { ...surroundings(), ...tracker.env };
    const longest = () => Math.max(...tracker.heard.map(({ head }) => head.indexOf("\r\n")));
    return { tracker, ids, env, longest };
  }

  test.each(["arguments", "stdin"])("to update, as %s", { timeout: 120_000 }, async (how) => {
    const { tracker, ids, env, longest } = await crowded(CHANGED);
    const named = how === "arguments" ? { argv: ids.map(String) } : { argv: ["-"], input: ids.join("\n") };
    const run = await real(["bug", "update", ...named.argv, "--priority", "Highest", "--yes"], { env, ...named });
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: expect.stringMatching(UNDO_LINE) });
    expect(run.out.match(/^\d+\tapplied$/gm)).toHaveLength(CHANGED);
    expect(tracker.count("SELECT count(*) FROM bugs WHERE priority = 'Highest' AND id > 100")).toBe(CHANGED);
    expect(tracker.count("SELECT count(*) FROM activity WHERE bug_id > 100")).toBe(CHANGED);
    expect(tracker.writes().length).toBe(CHANGED / 20);
    expect(longest()).toBeLessThan(8000);
  });

  test.each([
    ["bug get", " "],
    ["bug search --all --id", ","],
  ])("to read as arguments of bt %s", { timeout: 60_000 }, async (verb, between) => {
    const { tracker, ids, env, longest } = await crowded(MANY);
    const run = await real(`${verb} ${ids.join(between)} --format ids`.split(" "), { env });
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: "" });
    const shown = run.out.trim().split("\n").map(Number);
    expect(shown.sort((one, other) => one - other)).toEqual(ids);
    expect(longest()).toBeLessThan(8000);
    expect(tracker.writes()).toEqual([]);
  });
});

describe("F13 a JSON body", () => {
  async function sent(text: string) {
    const file = join(freshFolder(), "body.json");
    writeFileSync(file, text);
    const tracker = await faultyTracker();
    const run = await btConnected(`api POST /rest/bug/43/comment --input ${file}`, {
      env: { ...tracker.env, HOME: freshFolder() },
    });
    return { ...run, writes: tracker.writes().length };
  }

  test.each(['\ufeff{"comment":"Hello"}', '{\r\n"comment":\r\n"Hello"}\r\n'])("%j is sent", async (text) => {
    expect(await sent(text)).toMatchObject({ code: 0, writes: 1 });
  });

  test.each([
    ['{"comment":"a","comment":"b"}', 'duplicate key "comment"'],
    ['{"comment":"broken \\ud83d"}', "unpaired surrogate"],
    ['{\n"comment":"a",\n}', "line 3, column 1"],
  ])("%j is rejected: %s", async (text, why) => {
    expect(await sent(text)).toMatchObject({ code: 2, writes: 0, err: expect.stringContaining(why) });
  });
});
