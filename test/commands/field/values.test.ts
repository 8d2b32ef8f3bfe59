import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("a field without legal values is an error with the command that shows its type", async () => {
  const err = "bt: summary has no list of legal values\nhint: bt field get summary shows its type\n";
  expect(await demo()("field values summary")).toMatchObject({ code: 2, out: "", err });
});

test("the types of fields are named in plain text, and numbers in JSON", async () => {
  const run = demo();
  const lines = (await run("field list")).out.split("\n").map((line) => line.split("\t").slice(1, 4).join(" "));
  expect(lines).toEqual(
    expect.arrayContaining(["status Status select", "cf_points Points integer", "summary Summary "]),
  );
  const fields = JSON.parse((await run("field list --json --fields name,type")).out);
  expect(fields).toContainEqual({ name: "cf_points", type: 10 });
});
