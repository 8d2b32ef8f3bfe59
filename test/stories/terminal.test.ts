import { expect, test } from "vitest";
import { width } from "../../src/view/wrap.ts";
import { WAYS } from "./scene.ts";

const SESSION = [
  ["ada", "bug needinfo 48 --from mei@example.org -m 'Which disk?'"],
  ["mei", "bug answer 48 -m 'A small one.'"],
  ["mei", "todo"],
  ["mei", "bug update 44 --priority High --whiteboard [beta]"],
  ["mei", "bug undo 44"],
  ["mei", "bug clone 44 -t 'Import asks twice'"],
  ["mei", "bug tree 48"],
  ["mei", "bug history 38 --field status"],
  ["mei", "bug search is:open severity:blocker --max 0"],
  ["mei", "bug wait 44 is:closed --within 1s"],
  ["mei", "bug export is:open -c Editor --format tsv -f id,status,keywords"],
  ["mei", "auth status"],
] as const;

/** A text without the version of bt and Node. */
function sameEverywhere(text: string): string {
  const named = text.replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "01KB3XQ8Z5T4M7W2N9P6R1S0VA");
  return named.replace(/\d+\.\d+\.\d+ on Node\.js v?[\d.]+/, "VERSION on Node.js VERSION");
}

test.each(WAYS.slice(0, 1))("a session on a terminal of 80 columns %s", async (_, open) => {
  const scene = await open();
  let shown = "";
  for (const [person, line] of SESSION) {
    const { code, out, err } = await scene.say(person, line, { columns: 80 });
    shown += `$ bt ${line}\n${sameEverywhere(out)}${sameEverywhere(err)}${code === 0 ? "" : `(exit code ${code})\n`}`;
  }
  expect(shown).toMatchInlineSnapshot(`
    "$ bt bug needinfo 48 --from mei@example.org -m 'Which disk?'
    #48  Crash on start after the catalogue is converted on a full disk (comment
         added)
      CC     + mei@example.org
      Flags  + needinfo?(mei@example.org)
    $ bt bug answer 48 -m 'A small one.'
    #48  Crash on start after the catalogue is converted on a full disk (comment
         added)
      Flags  - needinfo?(mei@example.org)
    $ bt todo
    Requested of you (1)
    ID  FLAG       BY     TIME     SUMMARY
    #2  needinfo?  tomas  3mo ago  Search finds photos of deleted albums

    Assigned to you (15)
    ID   STATUS       PRIORITY  DEADLINE    CHANGED  SUMMARY
    #48  IN_PROGRESS  Highest               1m ago   Crash on start after the catal…
    #21  IN_PROGRESS  High      2027-01-04  2d ago   A new catalogue: photos and al…
    #46  UNCONFIRMED  Normal                4d ago   A very long name of a preset i…
    #5   IN_PROGRESS  High      2026-12-08  12d ago  Opening a library of 90,000 ph…
    #40  UNCONFIRMED  Normal                16d ago  Album of a shared library show…
    #39  UNCONFIRMED  Normal                18d ago  Crash in the editor when the g…
    #37  CONFIRMED    Highest               27d ago  Sync of photos with equal name…
    #33  UNCONFIRMED  Normal                1mo ago  Sorting by date puts photos wi…
    #11  CONFIRMED    Low                   1mo ago  Colours look washed out on wid…
    #27  IN_PROGRESS  High                  1mo ago  Editing a photo in a shared al…
    #31  CONFIRMED    Normal                1mo ago  Red-eye removal finds strawber…
    #23  CONFIRMED    Low                   2mo ago  Sync never ends when the clock…
    #15  CONFIRMED    High                  2mo ago  The crop frame cannot be moved…
    #2   CONFIRMED    Low                   3mo ago  Search finds photos of deleted…
    #19  CONFIRMED    High                  4mo ago  Faces: two people with one nam…

    Requested by you, unanswered (3)
    ID   FLAG         OF    TIME     SUMMARY
    #23  needinfo?    ilse  2mo ago  Sync never ends when the clock of a machine go…
    #31  screenshot?  sam   1mo ago  Red-eye removal finds strawberries
    #21  review?      seun  9d ago   A new catalogue: photos and albums have ids of…

    Changed since you read them (6)
    ID   CHANGES  LAST BY  TIME     SUMMARY
    #48        2  ada      2m ago   Crash on start after the catalogue is converted…
    #21        2  jonas    2d ago   A new catalogue: photos and albums have ids of …
    #46        1  lucia    4d ago   A very long name of a preset is not cut and pus…
    #40        2  tomas    16d ago  Album of a shared library shows the wrong owner…
    #39        2  jonas    18d ago  Crash in the editor when the graphics driver is…
    #37        2  tomas    27d ago  Sync of photos with equal names overwrites the …
    $ bt bug update 44 --priority High --whiteboard [beta]
    #44  Import: "Ask me each time" asks once for all files
      Priority    Normal → High
      Whiteboard  + [beta]
    $ bt bug undo 44
    #44  Import: "Ask me each time" asks once for all files
      Priority    High → Normal
      Whiteboard  - [beta]
    $ bt bug clone 44 -t 'Import asks twice'
    51
    created bug 51
    $ bt bug tree 48
    #48 IN_PROGRESS  Crash on start after the catalogue is converted on a full disk
    depends on
    └─ #21 IN_PROGRESS  A new catalogue: photos and albums have ids of their own
       └─ #5 IN_PROGRESS  Opening a library of 90,000 photos takes four minutes
    $ bt bug history 38 --field status
    #38  Pictures have no text for those who cannot see them

    no changes
    $ bt bug search is:open severity:blocker --max 0
    ID   STATUS       PRIORITY  ASSIGNEE  CHANGED  SUMMARY
    #48  IN_PROGRESS  Highest   mei       7m ago   Crash on start after the catalog…
    bt: 1 bug matches, at most 0 allowed
    (exit code 1)
    $ bt bug wait 44 is:closed --within 1s
    bt: no match within 1 s: bug 44
    (exit code 1)
    $ bt bug export is:open -c Editor --format tsv -f id,status,keywords
    id	status	keywords
    46	UNCONFIRMED	
    39	UNCONFIRMED	crash
    31	CONFIRMED	
    27	IN_PROGRESS	
    15	CONFIRMED	a11y,good-first-bug
    11	CONFIRMED	
    $ bt auth status
    logged in to demo: as mei@example.org

    Version  5.2+
    Rights   editbugs, canconfirm
    "
  `);
  expect(Math.max(...shown.split("\n").map(width))).toBeLessThanOrEqual(80);
});
