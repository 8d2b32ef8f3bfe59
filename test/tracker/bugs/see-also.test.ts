import { describe, expect, test } from "vitest";
import { bugOf, file, talk } from "../talk.ts";

const here = talk({ urlbase: "https://bugs.example.org/" });

async function stored(text: string): Promise<unknown> {
  const id = await file(here, "alice");
  const { body } = await here.put("alice", `/rest/bug/${id}`, { see_also: { add: [text] } });
  const { code } = body as { code?: number };
  return code ?? bugOf(await here.get("alice", `/rest/bug/${id}`))["see_also"];
}

test.each([
  ["https://bugs.launchpad.net/ubuntu/+bug/1234", "https://launchpad.net/bugs/1234"],
  ["https://bugzilla.mozilla.org/show_bug.cgi?id=42#c3", "https://bugzilla.mozilla.org/show_bug.cgi?id=42"],
  ["5", "https://bugs.example.org/show_bug.cgi?id=5"],
])("%s is stored as %s", async (text, url) => {
  expect(await stored(text)).toEqual([url]);
});

test.each([
  "https://launchpad.net/bugs/1234",
  "https://code.google.com/p/chromium/issues/detail?id=9",
  "https://bugs.debian.org/555",
  "https://bugs.debian.org/cgi-bin/bugreport.cgi?bug=555",
  "https://jira.example.org/browse/ABC-12",
  "https://trac.example.org/project/ticket/8",
  "https://mantis.example.org/view.php?id=3",
  "https://sourceforge.net/p/sdcc/bugs/17/",
  "https://github.com/a/b/pull/9",
  "https://bugs.example.org/show_bug.cgi?id=5",
])("%s is stored as it is", async (url) => {
  expect(await stored(url)).toEqual([url]);
});

describe("a URL that is no bug page is rejected", () => {
  test.each([
    "no URL",
    "a nonsense word",
    "https://example.org/foo",
    "https://example.org/show_bug.cgi?id=alias",
    "https://github.com/a/b/issues/new",
    "https://github.com/a/b/commit/5",
    "ftp://example.org/show_bug.cgi?id=5",
    "javascript:alert(1)//show_bug.cgi?id=5",
    `https://github.com/a/b/issues/${"9".repeat(300)}`,
  ])("%s", async (text) => {
    expect(await stored(text)).toBe(112);
  });
});
