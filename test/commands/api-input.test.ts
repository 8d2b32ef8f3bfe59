import { expect, test } from "vitest";
import { demo } from "./demo.ts";

test.each(["PUT /bug/44", "POST /bug"])(
  "a body from standard input is JSON for the embedded tracker too: %s",
  async (to) => {
    const ran = await demo()(`api ${to} --input -`, { stdin: "{bad" });
    expect(ran.err).toContain("Could not parse");
  },
);

test("a body from standard input changes the bug that it is for", async () => {
  const bt = demo();
  expect((await bt("api PUT /bug/44 --input -", { stdin: '{"priority":"High"}' })).code).toBe(0);
  expect((await bt("bug get 44 --fields priority")).out).toBe("High\n");
});
