import { expect, test } from "vitest";
import { demo } from "./demo.ts";

test("a body from standard input is JSON for the embedded tracker too, in a PUT", async () => {
  const bt = demo();
  expect((await bt("api PUT /bug/44 --input -", { stdin: '{"priority":"High"}' })).code).toBe(0);
  expect((await bt("bug get 44 --fields priority")).out).toBe("High\n");
});

test("and in a POST", async () => {
  const bt = demo();
  const ran = await bt("api POST /bug/44/comment --input -", { stdin: '{"comment":"Seen again."}' });
  expect(ran.code).toBe(0);
  expect((await bt("comment list 44 --fields text")).out).toContain("Seen again.");
});
