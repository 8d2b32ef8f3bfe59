import { expect, test } from "vitest";
import { demo } from "../demo.ts";

const bt = demo();

test("--paginate prints every page of a search, each as received", async () => {
  const all = (await bt("api /rest/bug -f product=Lantern -q .bugs[].id")).out;
  const { out, requests } = await bt("api /rest/bug --paginate -f product=Lantern -f limit=7");
  const pages = out.trimEnd().split("\n");
  expect(pages.length).toBe(requests.length);
  expect(pages.flatMap((page) => JSON.parse(page).bugs.map((bug: { id: number }) => `${bug.id}\n`)).join("")).toBe(all);
  expect((await bt("api /rest/bug --paginate -f product=Lantern -f limit=7 -q .bugs[].id")).out).toBe(all);
});

test("--paginate starts at an offset", async () => {
  const all = (await bt("api /rest/bug -f product=Lantern -q .bugs[].id")).out.split("\n");
  const { out } = await bt("api /rest/bug --paginate -f product=Lantern -f limit=7 -f offset=5 -q .bugs[].id");
  expect(out.split("\n")).toEqual(all.slice(5));
});

test.each([
  ["api /rest/group --paginate", "--paginate requires GET /rest/bug"],
  ["api POST /rest/bug --paginate", "--paginate requires GET /rest/bug"],
  ["api FROB /rest/bug/1", "bt api takes a method and a path"],
])("bt %s is refused", async (line, words) => {
  const { code, err, requests } = await bt(line);
  expect([code, requests]).toEqual([2, []]);
  expect(err).toContain(words);
});
