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
      details: `Criteria are those of bt bug search; without any, every bug counts. Hours come from the histories of bugs with hours worked;
bugs whose hours add up to 0 are left out. Hours that are not in a history, such as those of an import, have no person and
no week. Weeks are those of ISO 8601, from Monday, in your time zone.

Trackers show hours to members of their time-tracking group only; to others this is an error.`,
      args: [{ name: "term", many: true, optional: true, completes: "terms" }],
      get flags() {
        return [
          ...unlimitedCriteria(),
          { name: "since", value: "<time>", about: "only hours from this time on", group: "Criteria" },
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
      readsMirror: true,
      examples: [
        { line: "bt report time --since -4w", about: "hours of each person" },
        { line: "bt report time -p Lantern --by week,person --format csv", about: "for a spreadsheet" },
      ],
      run: async () => (await import("./time.ts")).reportTime,
    },
    {
      name: "flow",
      about: "Count the bugs opened and closed each week, and the ages of open ones.",
      details: `Criteria are those of bt bug search; without any, every bug counts. They are applied to the present values: a bug that was
moved out of a product is not counted there. A bug is closed when it gets a resolution, and reopened when it loses it. The
number of open bugs is that at the end of a week. Weeks are those of ISO 8601, from Monday, in your time zone; the last
one is not over.

JSON has the weeks and the ages; other formats have the weeks, with --ages the ages.`,
      args: [{ name: "term", many: true, optional: true, completes: "terms" }],
      get flags() {
        return [
          ...unlimitedCriteria(),
          { name: "weeks", value: "<number>", about: "number of weeks, with the present one (12)", group: "Result" },
          { name: "ages", about: "print the ages of open bugs, in formats other than JSON", group: "Result" },
        ];
      },
      mainFlags: ["weeks", "ages", ...CRITERIA],
      mainTopic: "query",
      output: "flow",
      readsMirror: true,
      examples: [
        { line: "bt report flow -p Lantern", about: "the last twelve weeks of a product" },
        { line: "bt report flow --weeks 4 --json --jq '.weeks[-1].open'", about: "number of open bugs" },
      ],
      run: async () => (await import("./flow.ts")).reportFlow,
    },
  ],
};
