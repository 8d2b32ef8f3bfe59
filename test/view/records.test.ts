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
