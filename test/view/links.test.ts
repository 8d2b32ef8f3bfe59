import { describe, expect, test } from "vitest";
import { commentsText } from "../../src/view/comments.ts";
import { withLinks } from "../../src/view/links.ts";
import { viewOf } from "./samples.ts";

const view = { web: "https://bugs.example.org", isLinked: true };

/** Links of the terminal as `[text](target)`. */
function shown(text: string): string {
  return text.replace(/\p{Cc}\]8;;(.*?)\p{Cc}\\(.*?)\p{Cc}\]8;;\p{Cc}\\/gu, "[$2]($1)");
}

describe("links of the terminal", () => {
  test.each([
    ["see bug 12.", "see [bug 12](https://bugs.example.org/show_bug.cgi?id=12)."],
    ["Comment #3 says", "[Comment #3](https://bugs.example.org/show_bug.cgi?id=44#c3) says"],
    ["bug #12 comment 3", "[bug #12 comment 3](https://bugs.example.org/show_bug.cgi?id=12#c3)"],
    ["(http://x.org/a_(b)).", "([http://x.org/a_(b)](http://x.org/a_(b)))."],
    ["<https://x.org/?a=1&b>", "<[https://x.org/?a=1&b](https://x.org/?a=1&b)>"],
    ["debug 12, bug 12b, x/bug 12, bug", "debug 12, bug 12b, x/bug 12, bug"],
    ["javascript:alert(1) file:///etc/passwd", "javascript:alert(1) file:///etc/passwd"],
  ])("%j", (text, links) => {
    expect(shown(withLinks(text, view, 44))).toBe(links);
  });

  test("are not made without a terminal that shows them, and need pages to link to", () => {
    const text = "bug 12, comment 3, https://x.org";
    expect(withLinks(text, { ...view, isLinked: false }, 44)).toBe(text);
    expect(shown(withLinks(text, { isLinked: true }, 44))).toBe("bug 12, comment 3, [https://x.org](https://x.org)");
    expect(shown(withLinks("comment 3", view))).toBe("comment 3");
  });

  test("cannot be forged by a comment", () => {
    const text = "\u001b]8;;http://evil.org\u001b\\https://good.org\u0007/x\u001b]8;;\u001b\\ \u202ehttps://y.org";
    const comment = { bug_id: 44, count: 1, creator: "a@b.c", creation_time: "2026-11-17T10:58:07Z", text };
    const links = [
      ...commentsText({ comments: [comment] }, viewOf(view)).matchAll(/\p{Cc}\]8;;(.*?)\p{Cc}\\(.*?)\p{Cc}/gu),
    ];
    expect(links.map(([, target]) => target).filter(Boolean)).not.toContain("http://evil.org");
    for (const [, target, label] of links) if (target) expect(label).toBe(target);
  });
});

test("code between fences keeps its lines, items of lists their indentation", () => {
  const code = "x".repeat(60);
  const text = `\`\`\`\n> ${code}\n\`\`\`\n- one two three four five six seven eight nine\n10. one two three four five six seven`;
  const shownText = commentsText({ comments: [{ text }] }, viewOf({ width: 34 }));
  expect(shownText.split("\n").slice(1, -1)).toEqual([
    "  ```",
    `  > ${code}`,
    "  ```",
    "  - one two three four five six",
    "    seven eight nine",
    "  10. one two three four five six",
    "      seven",
  ]);
});
