import { expect, test } from "vitest";
import { commentTagsText, TAG_COLUMNS } from "../../src/view/comments.ts";
import { listing, listText } from "../../src/view/listing.ts";
import { viewOf } from "./samples.ts";

test("tags are one per line for programs", () => {
  expect(listText(["spam", "obsolete"], listing("tsv", TAG_COLUMNS, viewOf({ terminal: false })))).toBe(
    "spam\nobsolete\n",
  );
});

test("an updated comment is shown with its tags", () => {
  expect(commentTagsText("20002.3", ["spam", "ob\u001bsolete"], viewOf())).toBe(
    "comment 20002.3  spam, ob\\x1bsolete\n",
  );
  expect(commentTagsText("20002.3", [], viewOf())).toBe("comment 20002.3  no tags\n");
});
