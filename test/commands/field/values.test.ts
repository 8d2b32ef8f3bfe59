import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("a field without legal values is an error with the command that shows its type", async () => {
  const err = "bt: summary has no list of legal values\nhint: bt field get summary shows its type\n";
  expect(await demo()("field values summary")).toMatchObject({ code: 2, out: "", err });
});
