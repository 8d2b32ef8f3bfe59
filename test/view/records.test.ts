import { expect, test } from "vitest";
import { demo } from "../commands/demo.ts";

const ALL =
  "--fields id,summary,status,product,component,version,priority,severity,keywords,assigned_to,creator,cc,qa_contact";
const PEOPLE = "assigned_to_detail,creator_detail";

test("where table columns would be a letter or two wide, each field has a line", async () => {
  const { out } = await demo()(`bug get 44 48 ${ALL},${PEOPLE}`, { terminal: true, columns: 72 });
  expect(out).toMatchInlineSnapshot(`
    "ID          #44
    Summary     Import: "Ask me each time" asks once for all files
    Status      CONFIRMED
    Product     Lantern
    Component   Import & Export
    Version     3.2
    Priority    Normal
    Severity    normal
    Keywords    good-first-bug, regression
    Assignee    seun@example.org
    Reporter    jonas@example.org
    QA contact  jonas

    ────────────────────────────────────────────────────────────────────────

    ID          #48
    Summary     Crash on start after the catalogue is converted on a full
                disk
    Status      IN_PROGRESS
    Product     Lantern
    Component   Library
    Version     main
    Priority    Highest
    Severity    blocker
    Keywords    crash, data-loss
    Assignee    mei@example.org
    Reporter    jonas@example.org
    QA contact  jonas
    "
  `);
});

test("a search has a line for each field, page by page; a wider terminal and a pipe get a line for each bug", async () => {
  const line = `bug search --id 44,48 ${ALL},${PEOPLE}`;
  const narrow = await demo()(line, { terminal: true, columns: 100 });
  expect(narrow.out).toMatch(/^ID +#48\n/);
  expect(narrow.out.match(/^─+$/gm)).toHaveLength(1);
  expect((await demo()(line, { terminal: true, columns: 200 })).out.split("\n")).toHaveLength(4);
  expect((await demo()(`${line} --format table`)).out.split("\n")).toHaveLength(4);
});
