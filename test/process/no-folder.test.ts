import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { faultyTracker } from "../faults/faulty-tracker.ts";
import { real } from "./real.ts";

const NEW = ["-p", "Project", "-c", "General", "--version", "unspecified", "-t", "Title", "-d", "Text"];

test("a folder that cannot be created is an error at once", async () => {
  const local = await real(["--base-url", "local:/proc/x/y.db", "bug", "create", ...NEW]);
  expect([local.code, local.out]).toEqual([12, ""]);
  expect(local.err).toContain("/proc/x");
  const set = await real(["config", "set", "format", "json"], { env: { XDG_CONFIG_HOME: "/proc/x" } });
  expect([set.code, set.out]).toEqual([12, ""]);
});

test("reads work without writable folders", async () => {
  const env = { XDG_CACHE_HOME: "/proc/x", XDG_STATE_HOME: "/proc/x", BT_NO_CODE_CACHE: "" };
  const read = await real(["--base-url", "demo:", "bug", "get", "12", "--format", "ids"], { env });
  expect([read.code, read.out]).toEqual([0, "12\n"]);
});

/** Runs bt with PATH, the given variables and nothing else in its environment. */
async function homeless(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const run = await execa(process.execPath, [LAUNCHER, ...argv], {
    env: { PATH: process.env["PATH"], ...env },
    ...{ extendEnv: false, reject: false, stdin: "ignore", timeout: 60_000 },
  });
  return { code: run.exitCode, out: run.stdout, err: run.stderr };
}

describe("without HOME", () => {
  test.each([
    ["--base-url demo: bug get 12 --format ids", "12"],
    ["--base-url demo: comment add 12 -m Hello", "121"],
    ["config list", ""],
    ["job list", ""],
    ["complete -- bug hist", "history\tShow the change history of bugs."],
  ])("bt %s works", async (line, out) => {
    const run = await homeless(line.split(" "));
    const lost = line.includes("add")
      ? "note: the demo forgets this when the command ends: the cache folder is not writable"
      : "";
    expect(run).toEqual({ code: 0, out, err: lost });
  });

  test("a tracker on the network is read, but not written to", async () => {
    const tracker = await faultyTracker();
    expect(await homeless(["bug", "search", "--id", "43", "--format", "ids"], tracker.env)).toMatchObject({
      out: "43",
    });
    const comment = ["comment", "add", "43", "-m", "Hello"];
    const refused = await homeless(comment, tracker.env);
    expect(refused).toMatchObject({ code: 12, out: "" });
    expect(refused.err).toMatch(/no home directory.*nothing was sent.*HOME, or XDG_STATE_HOME /s);
    expect(tracker.writes()).toEqual([]);
    const many = ["bug", "update", ...Array.from({ length: 25 }, (_, at) => `${at + 1}`), "--priority", "High", "-y"];
    expect((await homeless(many, tracker.env)).err).toMatch(/XDG_STATE_HOME /);
    expect(tracker.writes()).toEqual([]);
  });
});
