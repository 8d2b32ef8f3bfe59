import { expect, test } from "vitest";
import { type TopicPage, topicText } from "../../src/cli/topic-page.ts";

const PAGE: TopicPage = {
  title: "Lamps",
  parts: [
    { text: "A lamp gives light. It needs\noil, or a current.\n\nKeep it upright." },
    { points: ["oil is filled in from above;", "the wick is cut once a week."] },
    {
      heading: "Parts",
      rows: [
        ["wick", "burns slowly while oil rises in it"],
        ["glass", "keeps off the wind"],
      ],
    },
    { rows: [["lamp --light", "light it"]], isBelow: true },
  ],
};

function text(width: number) {
  return topicText(PAGE, { width, heading: (words) => words.toUpperCase() });
}

test("a topic at 24 columns: descriptions are below their terms", () => {
  expect(text(24)).toMatchInlineSnapshot(`
    "LAMPS:

    A lamp gives light. It
    needs oil, or a current.

    Keep it upright.

      - oil is filled in
        from above;
      - the wick is cut once
        a week.

    PARTS:
      wick
          burns slowly while
          oil rises in it
      glass
          keeps off the wind

      lamp --light
          light it
    "
  `);
});
