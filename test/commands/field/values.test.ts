import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("a field without legal values is an error with the command that shows its type", async () => {
  const err =
    "bt: summary has no list of legal values\nhint: bt bug search has:summary --fields id,summary shows those in use\n";
  expect(await demo()("field values summary")).toMatchObject({ code: 2, out: "", err });
});
