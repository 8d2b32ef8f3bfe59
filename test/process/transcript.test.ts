import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { faultyTracker } from "../faults/faulty-tracker.ts";
import { talk } from "../faults/pty.ts";
import { freshFolder } from "../fresh-folder.ts";
import { screenText } from "./screen.ts";
import { HAS_TERMINAL } from "./terminal.ts";

/** Lines of a shell, each printed before it runs, and the keys that are typed once something is on the screen. */
const SESSION: readonly { readonly line: string; readonly typing?: readonly (readonly [RegExp, string])[] }[] = [
  { line: "bt bug similar 29 --limit 3" },
  { line: "bt bug edit 44" },
  { line: "bt bug search --id 44,48 --format ids | bt bug edit - --only priority" },
  { line: "bt bug watch is:open component:Editor --once" },
  {
    line: "bt bug triage --id 40,41,44 --sort id",
    typing: [
      [/40 \(1 of 3\): $/, "o"],
      [/update 40 --status CONFIRMED.*\(1 of 3\): $/s, "n"],
      [/❯ Mei Tanaka.*goes back/s, "\r"],
      [/update 40 .*--flags.*\(1 of 3\): $/s, "\r"],
      [/41 \(2 of 3\): $/, "d"],
      [/duplicate of bug:.*❯.*goes back/s, "\r"],
      [/update 41 --dupe-of.*\(2 of 3\): $/s, "u"],
      [/--dupe-of.*\(2 of 3\): .*\(2 of 3\): $/s, "q"],
    ],
  },
  { line: "bt bug import bugs.csv", typing: [[/import\? /, "y\r"]] },
  { line: "bt bug update 46 --severity minor -m Twice." },
  { line: "bt bug watch is:open component:Editor --once" },
];

/** An editor with a terminal that mistypes a priority, and mends it when the document is opened again. */
const EDITOR = `test -t 0 && sed -i 's/^priority: Hihg/priority: High/;t;s/^priority: Normal/priority: Hihg/'`;

const BUGS = `id,summary,priority,product,component,version,description
46,,Low,,,,
,Import forgets the rating,,Lantern,Import & Export,3.2,It was there in 3.1.
`;

test.skipIf(!HAS_TERMINAL)("a session on a terminal of 80 columns", async () => {
  const tracker = await faultyTracker();
  const folder = freshFolder();
  writeFileSync(path.join(folder, "bugs.csv"), BUGS);
  const lines = SESSION.map(({ line }) => `printf '$ %s\\n' "${line}"; ${line}`).join("; ");
  const typing = SESSION.flatMap(({ typing }) => typing ?? []).map(([after, type]) => ({ after, type }));
  const seen = await talk(`cd ${folder}; ${lines}`, typing, { ...tracker.env, EDITOR, NO_COLOR: "1" });
  const shown = screenText(seen.out).replaceAll(tracker.url, "http://127.0.0.1:80");
  expect(shown).toMatchInlineSnapshot(`
    "$ bt bug similar 29 --limit 3
    ID   MATCH  STATUS       REASON                   SUMMARY
    #44   11 %  CONFIRMED    import · same component  Import: "Ask me each time" as…
    #33   11 %  UNCONFIRMED  first                    Sorting by date puts photos w…
    #13    8 %  WONTFIX      nothing                  The Windows installer asks fo…
    $ bt bug edit 44
    bt: line 13 of the document: unknown priority "Hihg" (did you mean High? others:
        Highest, Normal, Low, Lowest, ---); the editor opens again
    #44  Import: "Ask me each time" asks once for all files
      Priority  Normal → High
    $ bt bug search --id 44,48 --format ids | bt bug edit - --only priority
    bt: the document is unchanged; nothing sent
    $ bt bug watch is:open component:Editor --once
    6 bugs match; the next --once reports what happens
    $ bt bug triage --id 40,41,44 --sort id

    #40  Album of a shared library shows the wrong owner after a sync
    UNCONFIRMED · Normal · normal

    Product     Lantern › Library
    Version     3.2
    Platform    All
    Assignee    Mei Tanaka <mei@example.org>
    QA contact  Jonas Weber <jonas@example.org>
    Reporter    Lucía Romero <lucia@example.org>
    CC          Lucía Romero, Tomás Lind
    Created     17 days ago · 2026-11-03 12:00 UTC
    Changed     16 days ago · 2026-11-04 12:00 UTC
    Flags       needinfo? from lucia@example.org, requested by lucia@example.org 17
                days ago
    Impact      one person
    Last seen   17 days ago · 2026-11-03 12:00 UTC
    Address     http://127.0.0.1:80/show_bug.cgi?id=40
    ... 6 more lines; v shows all

    a assign  p priority  e severity  t component  n needinfo  o confirm
    d duplicate  c close  m comment  r reply  u take back a key  s skip
    v all comments  w browser  q leave  Enter next bug
    ? bug 40 (1 of 3):
    bt bug update 40 --status CONFIRMED
    u take back a key  Enter send, next bug  ? all keys
    ? bug 40 (1 of 3):
    ✔ information from: Mei Tanaka <mei@example.org>
    bt bug update 40 --status CONFIRMED --flags '+needinfo?(mei@example.org)'
    u take back a key  Enter send, next bug  ? all keys
    ? bug 40 (1 of 3):
    #40  Album of a shared library shows the wrong owner after a sync
      Status     UNCONFIRMED → CONFIRMED
      Confirmed  no → yes
      CC         + mei@example.org
      Flags      + needinfo?(mei@example.org)

    #41  Guide: how to bring photos from another program
    CONFIRMED · Normal · enhancement

    Product   Handbook › Guides
    Version   current
    Platform  All
    Assignee  Tomás Lind <tomas@example.org>
    Reporter  Sam Carter <sam@example.org>
    Created   14 days ago · 2026-11-06 12:00 UTC
    Changed   14 days ago · 2026-11-06 12:00 UTC
    Address   http://127.0.0.1:80/show_bug.cgi?id=41

    41.0  sam@example.org  14 days ago · 2026-11-06 12:00 UTC
      The four programs that people come from, each with its traps.

    no comments

    a assign  p priority  e severity  t component  n needinfo  d duplicate
    c close  m comment  r reply  u take back a key  s skip  v all comments
    w browser  q leave  Enter next bug
    ? bug 41 (2 of 3):
    ✔ duplicate of bug: #25 The guide to moving a library speaks of a menu that is gone
    bt bug update 41 --dupe-of 25
    u take back a key  Enter send, next bug  ? all keys
    ? bug 41 (2 of 3):
    u take back a key  Enter next bug  ? all keys
    ? bug 41 (2 of 3):
    1 updated, 0 skipped, 2 left; the same criteria continue with them
    $ bt bug import bugs.csv
    1 bug to file, 1 to update:
        line 3: Import forgets the rating (Lantern, Import & Export)
        #46 A very long name of a preset is not cut and pushes the buttons «Apply»,
          «Save as…» and «Cancel» out of the window, so that the dialogue can only
          be left with the Escape key (priority Normal -> Low)
    ✔ import? Yes
    #46  A very long name of a preset is not cut and pushes the buttons «Apply»,
         «Save as…» and «Cancel» out of the window, so that the dialogue can only be
         left with the Escape key
      Priority  Normal → Low

    #51  created
    $ bt bug update 46 --severity minor -m Twice.
    #46  A very long name of a preset is not cut and pushes the buttons «Apply»,
         «Save as…» and «Cancel» out of the window, so that the dialogue can only be
         left with the Escape key (comment recorded)
      Severity  normal → minor
    $ bt bug watch is:open component:Editor --once
    2026-11-20 12:00 UTC #46 priority: Normal → Low · tomas@example.org · A very lo…
    2026-11-20 12:00 UTC #46 severity: normal → minor · tomas@example.org · A very …
    2026-11-20 12:00 UTC #46 comment 1: Twice. · tomas@example.org · A very long na…"
  `);
  const printed = shown.split("\n").filter((line) => !line.startsWith("✔")); // a choice is repeated whole
  expect(Math.max(...printed.map((line) => line.length))).toBeLessThanOrEqual(80);
});
