import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("a body from stdin is JSON for the embedded tracker too, in a PUT", async () => {
  const bt = demo();
  expect((await bt("api PUT /bug/44 --input -", { stdin: '{"priority":"High"}' })).code).toBe(0);
  expect((await bt("bug get 44 --fields priority")).out).toBe("High\n");
});

test.each(["/rest/bug/44", "rest/bug/44", "/bug/44", "bug/44"])(
  "the prefix of a path may be left out: %s",
  async (path) => {
    expect((await demo()(`api ${path} -f include_fields=id`)).code).toBe(0);
  },
);

test.each([
  ["api GET", "bt api takes a method and a path"],
  ["api https://evil.example/rest/version", "invalid path https://evil.example/rest/version"],
  ["api '/rest/bug 1'", "invalid path /rest/bug 1"],
  ["api /rest/../admin", "invalid path /rest/../admin"],
])("an invalid path is not requested: bt %s", async (line, told) => {
  const ran = await demo()(line, { address: "https://bugs.example.org" });
  expect(ran).toMatchObject({ code: 2, out: "", requests: [] });
  expect(ran.err).toContain(`bt: ${told}\n`);
});
