import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { type Typing, talk } from "../faults/pty.ts";
import { jobIn } from "../faults/ran.ts";
import { freshFolder } from "../fresh-folder.ts";
import { shell } from "./real.ts";
import { HAS_TERMINAL } from "./terminal.ts";

const DOWN = "\u001b[B";

/** Types once the screen, without colours and movements of the cursor, has shown something. */
function once(shown: RegExp, type: Typing["type"]): Typing {
  return { after: { test: (out: string) => shown.test(plainly(out)) } as RegExp, type };
}

function plainly(out: string): string {
  return stripVTControlCharacters(out).replace(/\r+\n/g, "\n");
}

/** Text that a user saw; the exit code at its end. */
async function seen(line: string, typing: readonly Typing[], env: Readonly<Record<string, string>> = {}) {
  const { out } = await talk(`${line}; echo "code $?"`, typing, { LANG: "C.UTF-8", HOME: freshFolder(), ...env });
  return out;
}

describe.skipIf(!HAS_TERMINAL)("on a terminal of 80 columns and 24 lines", () => {
  test("a bug is created by prompts", async () => {
    const typing = [
      once(/product:\n[\s\S]*Harbor/, "lant"),
      once(/product: lant\n❯ Lantern\n/, "\r"),
      once(/component:\n❯ Editor/, "imp"),
      once(/component: imp\n❯ Import & Export\n/, "\r"),
      once(/version:\n❯ 3\.0/, DOWN),
      once(/version:\n {2}3\.0\n❯ 3\.1/, "\r"),
      once(/\? summary:/, "Prompted\r"),
      once(/\? description \([^)]*\):$/, "Steps: none\r"),
      once(/❯ Submit/, "\r"),
    ];
    const out = plainly(await seen("bt bug create --op-sys All --platform All", typing));
    expect(out).toMatch(/\nproduct +Lantern\ncomponent +Import & Export\nsummary +Prompted\nversion +3\.1\n/);
    expect(out).toMatch(/created bug \d+\n[\s\S]*code 0\n$/);
  });

  test("Ctrl-C keeps a draft, with the line that was being typed", async () => {
    const env = { XDG_STATE_HOME: freshFolder() };
    const typing = [
      once(/component:\n❯ Editor/, "\r"),
      once(/version:\n❯ 3\.0/, "\r"),
      once(/\? summary:/, "A cra"),
      once(/\? summary: A cra$/, "\u0003"),
    ];
    const out = plainly(await seen("bt bug create -p Lantern", typing, env));
    expect(out).toContain("code 130");
    const listed = await shell("bt job list --json", { env });
    expect(JSON.parse(listed.out)).toEqual([expect.objectContaining({ job: jobIn(out), status: "draft" })]);
    const shown = await shell(`bt job show ${jobIn(out)} --json`, { env });
    expect(JSON.parse(shown.out)).toMatchObject([
      { writes: [{ request: { body: { component: "Editor", summary: "A cra" } } }] },
    ]);
  });

  test("Ctrl-Z leaves triage to the shell, and fg shows the keys again; Ctrl-C leaves a list, then triage, which shows what was not sent", async () => {
    const typing = [
      once(/bug 44 \(1 of 1\): $/, "\u001a"),
      once(/Stopped[\s\S]*bug 44 \(1 of 1\): $/, "e"),
      once(/\? severity:\n❯ normal/, "min"),
      once(/\? severity: min\n❯ minor/, "\r"),
      once(/--severity minor\n[\s\S]*bug 44 \(1 of 1\): $/, "p"),
      once(/\? priority:\n❯ Normal/, "\u0003"),
      once(/\? priority:\n❯ Normal[\s\S]*bug 44 \(1 of 1\): $/, "\u0003"),
    ];
    const out = plainly(await seen("set -m; bt bug triage --id 44; fg >/dev/null", typing));
    expect(out).toContain("not sent: bt bug update 44 --severity minor\nnote: 0 applied, 1 left\n");
    expect(out).toMatch(/code 130\n$/);
  });

  test("keys behind the one that sends a change are for no bug that is not shown yet", async () => {
    const typing = [
      once(/bug 44 \(1 of 2\): $/, "o"),
      once(/o confirms a bug that is UNCONFIRMED[\s\S]*bug 44 \(1 of 2\): $/, "p"),
      once(/\? priority:\n❯ Normal/, "low"),
      once(/\? priority: low\n❯ Low/, "\r"),
      once(/--priority Low\n[\s\S]*bug 44 \(1 of 2\): $/, "\rsss"),
      once(/bug 46 \(2 of 2\): $/, "q"),
    ];
    const out = plainly(await seen("bt bug triage --id 44,46 --sort id", typing));
    expect(out).toMatch(/\nnote: 1 applied, 1 left/);
  });

  test("keys are lines on a dumb terminal", async () => {
    const typing = [
      once(/bug 44 \(1 of 1\), \? lists the keys: $/, "?\n"),
      once(/ {2}q {2}quit\n[\s\S]*: $/, "p\n"),
      once(/priority: $/, "low\n"),
      once(/--priority Low\nbug 44.*: $/, "\n"),
    ];
    const out = await seen("bt bug triage --id 44", typing, { TERM: "dumb" });
    expect(out).toContain("note: 1 applied\ncode 0\n");
    expect(out).not.toContain("\u001b");
  });
});
