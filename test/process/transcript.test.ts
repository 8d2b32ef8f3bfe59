import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runningClock } from "../clock.ts";
import { faultyTracker } from "../faults/faulty-tracker.ts";
import { talk } from "../faults/pty.ts";
import { freshFolder } from "../fresh-folder.ts";
import { screenText } from "./screen.ts";
import { HAS_TERMINAL } from "./terminal.ts";

/** A line of a shell, printed before it runs, and the keys that are typed once something is on the screen. */
type Line = { readonly line: string; readonly typing?: readonly (readonly [RegExp, string])[] };

const SESSION: readonly Line[] = [
  { line: "bt bug similar 29 --limit 3" },
  { line: "bt bug edit 44", typing: [[/edit again\? /, "y\r"]] },
  { line: "bt bug search --id 44,48 --format ids --limit 1 | bt bug edit -" },
  { line: "bt bug watch is:open component:Editor --once" },
  {
    line: "bt bug triage --id 40,41,44 --sort id",
    typing: [
      [/40 \(1 of 3\): $/, "o"],
      [/update 40 --status CONFIRMED.*\(1 of 3\): $/s, "n"],
      [/❯ @me\r*\n.*goes back/s, "\u001b[B\r"],
      [/question \(Enter for none\):/, "Since which version?\r"],
      [/update 40 .*--flags.*\(1 of 3\): $/s, "\r"],
      [/41 \(2 of 3\): $/, "d"],
      [/duplicate of bug:.*❯.*goes back/s, "\u001b[B\r"],
      [/update 41 --dupe-of.*\(2 of 3\): $/s, "u"],
      [/--dupe-of.*\(2 of 3\): .*\(2 of 3\): $/s, "q"],
    ],
  },
  { line: "bt bug import bugs.csv", typing: [[/bugs?\? /, "y\r"]] },
  { line: "bt bug update 46 --severity minor -m Twice." },
  { line: "bt bug watch is:open component:Editor --once" },
];

/** An editor with a terminal that mistypes a priority, and mends it when the document is opened again. */
const EDITOR = `test -t 0 && sed -i 's/^priority: Hihg/priority: High/;t;s/^priority: Normal/priority: Hihg/'`;

const BUGS = `id,summary,priority,product,component,version,description
46,,Low,,,,
,Import forgets the rating,,Lantern,Import & Export,3.2,It was there in 3.1.
`;

/** Text of the terminal after these lines, in a folder with these files. */
async function screenAfter(session: readonly Line[], files: Readonly<Record<string, string>>): Promise<string> {
  const tracker = await faultyTracker({ clock: runningClock() });
  const folder = freshFolder();
  mkdirSync(path.join(folder, ".git"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const lines = session.map(({ line }) => `printf '$ %s\\n' '${line.replaceAll("'", "'\\''")}'; ${line}`).join("; ");
  const typing = session.flatMap(({ typing }) => typing ?? []).map(([after, type]) => ({ after, type }));
  const seen = await talk(`cd ${folder}; ${lines}`, typing, { ...tracker.env, EDITOR, NO_COLOR: "1" });
  const shown = screenText(seen.out).replaceAll(tracker.url, "http://127.0.0.1:80");
  const printed = shown.split("\n").filter((line) => !/^(?:[✔$]|bt bug update)/.test(line)); // choices and command lines are whole
  expect(Math.max(...printed.map((line) => line.length))).toBeLessThanOrEqual(80);
  const job = /\b[0-9A-HJKMNP-TV-Z]{26}\b/g;
  return shown
    .replaceAll(/ 12:0\d UTC/g, " 12:00 UTC")
    .replaceAll(folder, "FOLDER")
    .replaceAll(job, "01KB3XQ8Z5T4M7W2N9P6R1S0VA");
}

test.skipIf(!HAS_TERMINAL)(
  "a session on a terminal of 80 columns",
  async () => {
    const shown = await screenAfter(SESSION, { "bugs.csv": BUGS });
    expect(shown).toMatchInlineSnapshot(`
      "$ bt bug similar 29 --limit 3
      ID   MATCH  STATUS       REASON         SUMMARY
      #33   15 %  UNCONFIRMED  first          Sorting by date puts photos without a d…
      #13   12 %  WONTFIX      nothing        The Windows installer asks for a restar…
      #4     6 %  DUPLICATE    import · sam…  Photos appear twice after import
      $ bt bug edit 44
      bt: unknown priority "Hihg"
      hint: did you mean High? others: Highest, Normal, Low, Lowest, ---
      ✔ edit again? [y/N] y
      #44  Import: "Ask me each time" asks once for all files
        Priority  Normal → High
      $ bt bug search --id 44,48 --format ids --limit 1 | bt bug edit -
      bt: the document is unchanged; nothing sent
      $ bt bug watch is:open component:Editor --once
      note: 6 bugs match; the next --once reports the changes from now on
      $ bt bug triage --id 40,41,44 --sort id

      #40  Album of a shared library shows the wrong owner after a sync

        All albums of my sister are shown as mine after the second sync. Her Lantern
        shows them rightly.

      UNCONFIRMED · Normal · normal · Lantern › Library · 3.2
      assignee Mei Tanaka · reporter Lucía Romero · 17 days ago · 1 comment
      needinfo? requested from lucia@example.org by lucia@example.org

      Enter next  s skip  q quit  m comment  c close  a assignee  ? all keys
      ? bug 40 (1 of 3):
      bt bug update 40 --status CONFIRMED
      Enter send  s skip  u undo  q quit  m comment  c close  a assignee  ? all keys
      ? bug 40 (1 of 3):
      ✔ information from: mei@example.org
      ✔ question (Enter for none): Since which version?
      bt bug update 40 --status CONFIRMED --flags '+needinfo?(mei@example.org)' -m 'Since which version?'
      Enter send  s skip  u undo  q quit  m comment  c close  a assignee  ? all keys
      ? bug 40 (1 of 3):
      #40  Album of a shared library shows the wrong owner after a sync (comment
           added)
        Status     UNCONFIRMED → CONFIRMED
        Confirmed  no → yes
        CC         + mei@example.org
        Flags      + needinfo?(mei@example.org)

      #41  Guide: how to bring photos from another program

        The four programs that people come from, each with its traps.

      CONFIRMED · Normal · enhancement · Handbook › Guides · current
      assignee Tomás Lind · reporter Sam Carter · 14 days ago

      Enter next  s skip  u undo #40  q quit  m comment  c close  ? all keys
      ? bug 41 (2 of 3):
      ✔ duplicate of bug: #25 The guide to moving a library speaks of a menu that is…
      bt bug update 41 --dupe-of 25
      Enter send  s skip  u undo  q quit  m comment  c close  a assignee  ? all keys
      ? bug 41 (2 of 3):
      Enter next  s skip  u undo #40  q quit  m comment  c close  ? all keys
      ? bug 41 (2 of 3):
      note: 1 applied, 2 left
      $ bt bug import bugs.csv
      note: no last_change_time column: newer changes by others are overwritten
      this would file 1 bug and change 1 bug:
          #46     Priority Normal → Low  A very long name of a preset is not cut and …
          line 3  new bug of Lantern, Import & Export  Import forgets the rating
      ✔ file 1 bug and change 1 bug? [y/N] y
      #46     Priority Normal → Low  A very long name of a preset is not cut and push…
      #51     created  Import forgets the rating
      note: 1 created, 1 applied
      note: undo: bt bug undo --job 01KB3XQ8Z5T4M7W2N9P6R1S0VA
      $ bt bug update 46 --severity minor -m Twice.
      #46  A very long name of a preset is not cut and pushes the buttons «Apply»,
           «Save as…» and «Cancel» out of the window, so that the dialogue can only be
           left with the Escape key (comment added)
        Severity  normal → minor
      $ bt bug watch is:open component:Editor --once
      2026-11-20 12:00 UTC #46 priority: Normal → Low · tomas@example.org · A very lo…
      2026-11-20 12:00 UTC #46 severity: normal → minor · tomas@example.org · A very …
      2026-11-20 12:00 UTC #46 comment 1: Twice. · tomas@example.org · A very long na…"
    `);
  },
  60_000,
);
