import { unlimitedCriteria } from "../shared-flags.ts";
import type { Noun } from "../verb.ts";

const CRITERIA = ["status", "product", "component", "assigned-to", "keywords", "target-milestone", "where"];

/** `bt report`. */
export const REPORT: Noun = {
  name: "report",
  about: "Report hours worked, and how many bugs are opened and closed.",
  verbs: [
    {
      name: "time",
      about: "Add up the hours worked on bugs, by person, bug or week.",
      details: `Criteria are those of bt bug search (default: all bugs). Hours come from the histories of bugs with hours worked; bugs
whose hours add up to 0 are omitted. Hours that are not in a history, such as imported ones, have no person and no
week. Weeks are ISO 8601 weeks, from Monday, in your time zone.

Trackers show hours only to members of their time-tracking group; for others this is an error.`,
      args: [{ name: "term", many: true, optional: true, completes: "terms" }],
      get flags() {
        return [
          ...unlimitedCriteria(),
          { name: "since", value: "<time>", about: "only hours since this time", group: "Criteria" },
          { name: "until", value: "<time>", about: "only hours before this time", group: "Criteria" },
          {
            name: "by",
            value: "<names>",
            about: "add up by person (default), bug, week, or several: week,person",
            group: "Result",
          },
        ];
      },
      mainFlags: ["since", "until", "by", ...CRITERIA],
      mainTopic: "query",
      output: "hours",
      examples: [
        { line: "bt report time --since -4w", about: "hours of each person" },
        { line: "bt report time -p Lantern --by week,person --format csv", about: "for a spreadsheet" },
      ],
      run: async () => (await import("./time.ts")).reportTime,
    },
    {
      name: "flow",
      about: "Count the bugs opened and closed each week, and the ages of open ones.",
      details: `Criteria are those of bt bug search (default: all bugs), and match current values: a bug that was moved to another
product counts there. A bug is closed when it gets a resolution, and reopened when it loses it. Open bugs are counted
at the end of each week. Weeks are ISO 8601 weeks, from Monday, in your time zone; the last one is incomplete.

JSON has weeks and ages; other formats have the weeks, or the ages with --ages.`,
      args: [{ name: "term", many: true, optional: true, completes: "terms" }],
      get flags() {
        return [
          ...unlimitedCriteria(),
          {
            name: "weeks",
            value: "<number>",
            about: "number of weeks, including the current one (12)",
            group: "Result",
          },
          { name: "ages", about: "print the ages of open bugs, in formats other than JSON", group: "Result" },
        ];
      },
      mainFlags: ["weeks", "ages", ...CRITERIA],
      mainTopic: "query",
      output: "flow",
      examples: [
        { line: "bt report flow -p Lantern", about: "the last twelve weeks of a product" },
        { line: "bt report flow --weeks 4 --json --jq '.weeks[-1].open'", about: "number of open bugs" },
      ],
      run: async () => (await import("./flow.ts")).reportFlow,
    },
  ],
};
