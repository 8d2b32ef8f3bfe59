import { describe, expect, test } from "vitest";
import { attachmentCard } from "../../src/view/attachments.ts";
import { commentsText } from "../../src/view/comments.ts";
import { fieldCard } from "../../src/view/fields.ts";
import type { Comment } from "../../src/wire/resources.ts";
import { viewOf } from "./samples.ts";

const first: Comment = {
  id: 60002,
  bug_id: 20002,
  attachment_id: null,
  count: 0,
  text: "Steps to reproduce:\n1. Open the browser\n2. Use the flicker\n\n    at main (file.c:12)\n",
  creator: "alice@example.org",
  time: "2026-11-17T10:58:07Z",
  creation_time: "2026-11-17T10:58:07Z",
  is_private: false,
  tags: [],
};
const reply: Comment = {
  ...first,
  id: 60007,
  count: 3,
  creator: "bob@example.org",
  text: "(In reply to Alice from comment #0)\n> Steps to reproduce:\n> > an older quote that is long enough to be wrapped at the end of the line of a terminal\n\nFor insiders only: 画面が黒くなる",
  is_private: true,
  tags: ["spam", "obsolete"],
  attachment_id: 5,
};

describe("comments", () => {
  test("at 80 columns", () => {
    expect(commentsText([first, reply], viewOf())).toMatchInlineSnapshot(`
      "20002.0  alice@example.org  3 days ago · 2026-11-17 10:58 UTC
        Steps to reproduce:
        1. Open the browser
        2. Use the flicker

            at main (file.c:12)

      20002.3  bob@example.org  3 days ago · 2026-11-17 10:58 UTC  private
        attachment 5  tags: spam, obsolete
      ┃ (In reply to Alice from comment #0)
      ┃ > Steps to reproduce:
      ┃ > > an older quote that is long enough to be wrapped at the end of the line of
      ┃ > > a terminal
      ┃
      ┃ For insiders only: 画面が黒くなる
      "
    `);
  });

  test("that are empty are reported", () => {
    expect(commentsText([], viewOf())).toBe("no comments\n");
    expect(commentsText([{ ...first, text: "" }], viewOf()).split("\n")).toContain("  (no text)");
  });
});

test("a comment without a known number is named by its id", () => {
  const { count: _, ...unnumbered } = reply;
  const text = commentsText([unnumbered], viewOf({ width: 120 }));
  expect(text.split("\n")[0]).toBe(
    "c:60007  on #20002  bob@example.org  3 days ago · 2026-11-17 10:58 UTC  private  attachment 5  tags: spam, obsolete",
  );
  const { bug_id: __, ...lone } = reply;
  expect(commentsText([lone], viewOf())).toMatch(/^c:60007 {2}bob@/);
});

test("null members are empty, not crashes or values", () => {
  const hidden = { size: null, content_type: null, bug_id: null, count: null };
  expect(attachmentCard({ id: 2, ...hidden } as never, viewOf())).not.toMatch(/null|Type|Size/);
  expect(commentsText([{ id: 3, ...hidden } as never], viewOf())).toMatch(/^c:3 /);
  expect(fieldCard({ name: "cf_x", type: null, values: null } as never, viewOf())).not.toContain("null");
});
