import { expect, test } from "vitest";
import { movedTexts, type TextContext, withoutAttachmentLine } from "../../../src/api/migrate/texts.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { Comment } from "../../../src/wire/resources.ts";

const BUG = { id: 12, product: "Lantern" } as Bug;

const TO: TextContext = {
  source: "https://old.example.org",
  bug: (old) => old + 100,
  comment: (_, old) => old,
  attachment: (old) => old + 50,
  named: () => ({ people: [["assignee", ["ada@example.org"]]], flags: [] }),
};

function comment(count: number, text: string): Comment {
  const time = "2026-01-02T03:04:05Z";
  const rest = { id: 1, bug_id: 12, attachment_id: null, creator: "mei@example.org", is_private: false };
  return { ...rest, count, text, time, creation_time: time };
}

test("a text begins with its place, author and time; a description also names the people who are missing", () => {
  expect(movedTexts(comment(3, "see bug 7"), BUG, TO)).toEqual([
    "[https://old.example.org/show_bug.cgi?id=12#c3: mei@example.org, 2026-01-02 03:04:05 UTC]\n\nsee bug 107 (was 7)",
  ]);
  expect(movedTexts(comment(0, ""), BUG, TO)).toEqual([
    "[https://old.example.org/show_bug.cgi?id=12: reported by mei@example.org, 2026-01-02 03:04:05 UTC]\n[assignee: ada@example.org]",
  ]);
});

test("a text of a local tracker names no file", () => {
  const [text] = movedTexts(comment(3, "x"), BUG, { ...TO, source: "local:/home/ada/team.db" });
  expect(text).toMatch(/^\[local no\. 12\/3: /);
});

test("a text that is too long with its line becomes several, and nothing of it is lost", () => {
  const long = "é😀".repeat(32_767);
  const texts = movedTexts(comment(1, long), BUG, TO);
  expect(texts.map((text) => [...text].length <= 65_535)).toEqual([true, true]);
  const [first = "", second = ""] = texts;
  expect(first.split("\n\n")[1] + second.replace("[continued]\n\n", "")).toBe(long);
});

test("a comment of an attachment loses the sentence that the target writes again", () => {
  const text = (given: string) => withoutAttachmentLine(comment(2, given)).text;
  expect(text("Created attachment 5\npatch.diff\n\nfixes comment 1")).toBe("fixes comment 1");
  expect(text("Created attachment 5\npatch.diff")).toBe("");
});
