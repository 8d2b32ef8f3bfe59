import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { shell } from "./real.ts";
import { HAS_TERMINAL, onTerminal } from "./terminal.ts";

const ESCAPE = "\x1b";
const SEARCH = "bt bug search --id 1,2 --sort id";

describe.skipIf(!HAS_TERMINAL)("on a terminal", () => {
  test("there are colours and headings, fitted to the width", async () => {
    const { code, out } = await onTerminal(SEARCH, { columns: 100 });
    expect(code).toBe(0);
    expect(out).toContain(ESCAPE);
    expect(out).toMatch(/ID/);
  });

  test.each([{ NO_COLOR: "1" }, { TERM: "dumb" }, { NO_COLOR: "1", FORCE_COLOR: "1" }])(
    "E10 no escape code is printed with %o",
    async (env) => {
      const { out } = await onTerminal(SEARCH, { env });
      expect(out).not.toContain(ESCAPE);
      expect(out).toContain("ID");
    },
  );

  test("--color always overrides NO_COLOR, --color never overrides FORCE_COLOR", async () => {
    expect((await onTerminal(`${SEARCH} --color always`, { env: { NO_COLOR: "1" } })).out).toContain(ESCAPE);
    expect((await onTerminal(`${SEARCH} --color never`, { env: { FORCE_COLOR: "1" } })).out).not.toContain(ESCAPE);
  });

  test("a notice shows that a search was limited on a terminal", async () => {
    const { out } = await onTerminal("bt bug search --status @all", { env: { NO_COLOR: "1" }, rows: 20 });
    expect(out).toMatch(/first 30 of 48 bugs; use --limit N or --all for more/);
  });
});

test.skipIf(!HAS_TERMINAL)("Ctrl-D at a prompt ends the command without any change", async () => {
  const { code, out } = await onTerminal("bt bug create -t x", {
    typed: { at: "product:", keys: "\u0004" },
    env: { NO_COLOR: "1" },
  });
  expect(code).toBe(2);
  expect(stripVTControlCharacters(out)).toMatch(/\? product:[\s\S]*bt: prompt cancelled\n$/);
});

test.skipIf(!HAS_TERMINAL).each(["2>/dev/null", "| cat", "</dev/null"])(
  "no prompt if it would be invisible or its input is redirected: %s",
  async (elsewhere) => {
    const { code } = await onTerminal(`set -o pipefail; bt bug create -t x ${elsewhere}`);
    expect(code).toBe(2);
  },
);

test.skipIf(!HAS_TERMINAL).each(["bt bug search --all", "bt todo"])(
  "%s is paged if it is longer than the screen, but not on a dumb terminal",
  async (line) => {
    const screen = { rows: 12, env: { BT_PAGER: "sed s/^/PAGED/" } };
    expect((await onTerminal(line, screen)).out).toContain("PAGED");
    expect((await onTerminal(line, { ...screen, rows: 60 })).out).not.toContain("PAGED");
    expect((await onTerminal(line, { ...screen, env: { ...screen.env, TERM: "dumb" } })).out).not.toContain("PAGED");
  },
);

describe("without a terminal", () => {
  test("there is no colour, pager or heading", async () => {
    const { out } = await shell(SEARCH, { env: { BT_PAGER: "echo paged" } });
    expect(out.split("\n").map((line) => line.split("\t")[0])).toEqual(["1", "2", ""]);
    expect(out).not.toContain(ESCAPE);
  });

  test("FORCE_COLOR colours an explicit table", async () => {
    expect((await shell(`${SEARCH} --format table`, { env: { FORCE_COLOR: "1" } })).out).toContain(ESCAPE);
  });

  test("there is no prompt: an editor without a terminal is rejected", async () => {
    const { code, err } = await shell("bt comment add 12 --editor", { env: { EDITOR: "touch /tmp/never" } });
    expect(code).toBe(2);
    expect(err).toMatch(/terminal|editor/);
  });
});

test.skipIf(!HAS_TERMINAL)("a confirmation is read from the terminal when stdin is the list of ids", async () => {
  const line = "seq 1 30 | grep -v 17 | grep -v 28 | bt bug update - --priority High | tail -1";
  for (const [input, said] of [
    ["y\n", "14 applied, 14 unchanged"],
    ["n\n", "no changes made"],
  ] as const) {
    expect((await onTerminal(line, { input, env: { NO_COLOR: "1" } })).out).toContain(said);
  }
  expect(await shell(`${line.split(" | tail")[0]}`)).toMatchObject({ code: 13, err: expect.stringContaining("--yes") });
});
