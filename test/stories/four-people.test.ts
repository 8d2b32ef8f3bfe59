import { describe, expect, test } from "vitest";
import { type Person, READING_WAYS, type Scene } from "./scene.ts";

/** Lines that several people type, one after the other; `tty` lines are on a terminal. */
async function played(scene: Scene, script: readonly (readonly [Person, string])[]): Promise<string> {
  const told: string[] = [];
  for (const [person, line] of script) {
    const { code, out, err } = await scene.say(person, line.replace("tty: ", ""), line.startsWith("tty: "));
    told.push(`${person}$ bt ${line}\n${err}${out}${code === 0 ? "" : `=> ${code}\n`}`);
  }
  return told.join("\n");
}

describe.each(READING_WAYS)("the life of a bug among four people %s", (_way, open) => {
  test("it is filed by a user without rights, and triaged", async () => {
    const scene = await open();
    const text = await played(scene, [
      [
        "sam",
        "bug create -p lantern -c Librar --bug-version 3.2 -t 'Albums lose their order' --op-sys Linux --platform PC -d Steps",
      ],
      [
        "sam",
        "bug create -p lantern -c Library --bug-version 3.2 -t 'Albums lose their order' --op-sys Linux --platform PC -d Steps",
      ],
      ["sam", "bug get 51 --fields status,product,assigned_to,creator,priority --format csv"],
      ["sam", "bug update 12 --priority Low"],
      ["sam", "bug confirm 51"],
      [
        "tomas",
        "bug update 51 -s CONFIRMED --priority High --severity major --add-keywords regression --add-cc priya@example.org -m 'I see it too.'",
      ],
      ["tomas", "tty: bug update 51 --priority Highest --whiteboard '[3.3]' --dry-run"],
      ["tomas", "bug update 51 --priority High"],
      ["tomas", "bug update 51"],
    ]);
    expect(text).toMatchInlineSnapshot(`
      "sam$ bt bug create -p lantern -c Librar --bug-version 3.2 -t 'Albums lose their order' --op-sys Linux --platform PC -d Steps
      bt: unknown component "Librar" in Lantern
      hint: did you mean Library? others: Editor, Import & Export, Installer
      => 2

      sam$ bt bug create -p lantern -c Library --bug-version 3.2 -t 'Albums lose their order' --op-sys Linux --platform PC -d Steps
      51

      sam$ bt bug get 51 --fields status,product,assigned_to,creator,priority --format csv
      status,product,assigned_to,creator,priority
      UNCONFIRMED,Lantern,mei@example.org,sam@example.org,---

      sam$ bt bug update 12 --priority Low
      bt: You tried to change the Priority field from High to Low, but only the assignee or reporter of the bug, or a user with the required permissions may change that field.
          no changes made
      hint: bt auth status shows which user you are authenticated as
      => 4

      sam$ bt bug confirm 51
      bt: You are not allowed to change the bug status from UNCONFIRMED to CONFIRMED.
          no changes made
      => 3

      tomas$ bt bug update 51 -s CONFIRMED --priority High --severity major --add-keywords regression --add-cc priya@example.org -m 'I see it too.'
      51	applied

      tomas$ bt tty: bug update 51 --priority Highest --whiteboard '[3.3]' --dry-run
      would send PUT /rest/bug/51
      {
        "priority": "Highest",
        "whiteboard": "[3.3]"
      }
      #51  Albums lose their order (would change)
        Priority    High → Highest
        Whiteboard  + [3.3]

      tomas$ bt bug update 51 --priority High
      51	unchanged

      tomas$ bt bug update 51
      bt: no changes given
      hint: --help lists the flags
      => 2
      "
    `);
  });

  test("it is discussed, partly in private, with a needinfo request", async () => {
    const scene = await open();
    const text = await played(scene, [
      ["tomas", "comment add 50 -m 'Only for us: the customer is Acme.' --private"],
      ["sam", "comment add 50 -m 'Any news?'"],
      ["sam", "comment list 50 --fields count,creator,text"],
      ["tomas", "comment list 50 --fields count,creator,is_private,text"],
      ["sam", "comment add 50 -m 'For insiders' --private"],
      ["mei", "bug update 50 --flag 'needinfo?(sam@example.org)' -m 'Which letters?'"],
      ["sam", "bug update 50 --flag needinfoX -m 'All of them.'"],
      ["sam", "comment add 50 --reply 3 -m 'And digits.' --dry-run"],
      ["tomas", "bug update 50 --comment-is-private 50#1=no --json=id,result,changes"],
      ["sam", "comment list 50 --fields count,text"],
      ["tomas", "tag update 121 --add obsolete"],
    ]);
    expect(text).toMatchInlineSnapshot(`
      "tomas$ bt comment add 50 -m 'Only for us: the customer is Acme.' --private
      121

      sam$ bt comment add 50 -m 'Any news?'
      122

      sam$ bt comment list 50 --fields count,creator,text
      0	seun@example.org	Harmless so far, because nobody looks at the result.
      2	sam@example.org	Any news?

      tomas$ bt comment list 50 --fields count,creator,is_private,text
      0	seun@example.org	false	Harmless so far, because nobody looks at the result.
      1	tomas@example.org	true	Only for us: the customer is Acme.
      2	sam@example.org	false	Any news?

      sam$ bt comment add 50 -m 'For insiders' --private
      bt: Sorry, but you are not allowed to (un)mark comments or attachments as private.
          no changes made
      hint: bt auth status shows which user you are authenticated as
      => 4

      mei$ bt bug update 50 --flag 'needinfo?(sam@example.org)' -m 'Which letters?'
      50	applied

      sam$ bt bug update 50 --flag needinfoX -m 'All of them.'
      50	applied

      sam$ bt comment add 50 --reply 3 -m 'And digits.' --dry-run
      would send POST /rest/bug/50/comment
      {
        "comment": "(In reply to mei@example.org from comment #3)\\n> Which letters?\\n\\nAnd digits."
      }

      tomas$ bt bug update 50 --comment-is-private 50#1=no --json=id,result,changes
      [{"id":50,"result":"applied","changes":{}}]

      sam$ bt comment list 50 --fields count,text
      0	Harmless so far, because nobody looks at the result.
      1	Only for us: the customer is Acme.
      2	Any news?
      3	Which letters?
      4	All of them.

      tomas$ bt tag update 121 --add obsolete
      obsolete
      "
    `);
  });

  test("it moves to another product, becomes a duplicate, is reopened, fixed and closed", async () => {
    const scene = await open();
    const text = await played(scene, [
      ["mei", "bug update 50 --product Lantern"],
      ["mei", "bug update 50 --product Lantern -c Library --version 3.2 --target-milestone 3.3"],
      ["tomas", "bug dup 50 2"],
      ["tomas", "bug get 50 --fields id,status,resolution,dupe_of --json"],
      ["tomas", "bug dup 2 50"],
      ["tomas", "bug reopen 50 -m 'Not the same at all.'"],
      ["tomas", "bug update 50 --resolution FIXED"],
      ["mei", "bug take 50 --start"],
      ["mei", "bug close 50 -m 'Done.'"],
      ["tomas", "bug update 50 --status VERIFIED"],
      ["tomas", "bug update 50 49 48 --status VERIFIED"],
      ["sam", "tty: bug history 50"],
    ]);
    expect(text).toMatchInlineSnapshot(`
      "mei$ bt bug update 50 --product Lantern
      bt: bug 50 cannot have component "Storage" in Lantern
      hint: valid values of --component: Editor, Import & Export, Installer, Library
      => 2

      mei$ bt bug update 50 --product Lantern -c Library --version 3.2 --target-milestone 3.3
      50	applied

      tomas$ bt bug dup 50 2
      50	applied

      tomas$ bt bug get 50 --fields id,status,resolution,dupe_of --json
      [{"id":50,"status":"RESOLVED","resolution":"DUPLICATE","dupe_of":2}]

      tomas$ bt bug dup 2 50
      bt: You cannot mark bug 2 as a duplicate of bug 50, because it would create a duplicate loop.
          no changes made
      => 3

      tomas$ bt bug reopen 50 -m 'Not the same at all.'
      50	applied

      tomas$ bt bug update 50 --resolution FIXED
      bt: bug 50 cannot have a resolution while open
      hint: add --status RESOLVED
      => 2

      mei$ bt bug take 50 --start
      50	applied

      mei$ bt bug close 50 -m 'Done.'
      50	applied

      tomas$ bt bug update 50 --status VERIFIED
      50	applied

      tomas$ bt bug update 50 49 48 --status VERIFIED
      bt: 0 applied, 1 unchanged, 2 refused
          bug 49: cannot change from CONFIRMED to VERIFIED (valid values: IN_PROGRESS, RESOLVED)
          bug 48: cannot change from IN_PROGRESS to VERIFIED (valid values: CONFIRMED, RESOLVED)
      50	unchanged
      49	refused
      48	refused
      => 10

      sam$ bt tty: bug history 50
      #50  Checksums of uploads are compared in different letter case

      mei@example.org  10 minutes ago · 2026-11-20 12:02 UTC
        Product     Harbor → Lantern
        Component   Storage → Library
        Version     main → 3.2
        Milestone   --- → 3.3

      tomas@example.org  9 minutes ago · 2026-11-20 12:03 UTC
        Status      CONFIRMED → RESOLVED
        Resolution  + DUPLICATE

      tomas@example.org  6 minutes ago · 2026-11-20 12:06 UTC
        Status      RESOLVED → CONFIRMED
        Resolution  - DUPLICATE

      mei@example.org  4 minutes ago · 2026-11-20 12:08 UTC
        Status      CONFIRMED → IN_PROGRESS
        Assignee    seun@example.org → mei@example.org

      mei@example.org  3 minutes ago · 2026-11-20 12:09 UTC
        Status      IN_PROGRESS → RESOLVED
        Resolution  + FIXED

      tomas@example.org  2 minutes ago · 2026-11-20 12:10 UTC
        Status      RESOLVED → VERIFIED
      "
    `);
  });
});
