import { describe, expect, test } from "vitest";
import { FORMATS } from "../../src/view/view.ts";
import { demo } from "../commands/demo.ts";

const ESCAPE = "\u001b";
const LINES = [
  "bug search --status CONFIRMED --limit 3",
  "bug search --all --by status",
  "bug get 12",
  "bug history 12",
  "comment list 12",
  "field list",
  "field values status",
  "group get editors",
  "bug update 44 --priority High",
] as const;
const FOR_PROGRAMS = FORMATS.filter((format) => format !== "table");

const bt = demo(); // nothing here depends on what another line has changed

describe("color requested in a pipe", () => {
  test.each(LINES)("is never in machine-readable output: %s", async (line) => {
    for (const format of [...FOR_PROGRAMS, undefined]) {
      const wish = format === undefined ? "" : ` --format ${format}`;
      const asked = format === undefined ? { color: true } : {};
      const { out } = await bt(`${line}${wish} --color always`, asked);
      expect([format, out.includes(ESCAPE)]).toEqual([format, false]);
    }
  });
});
