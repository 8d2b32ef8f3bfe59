import { expect, test } from "vitest";
import { updates } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const NEW_BUG = "bug create -p Lantern -c Library --version 3.2 -t x -d y";

test.each([
  ["bug update 44 --assignee mie@example.org --dry-run", 'unknown user "mie@example.org"'],
  ["bug update 44 --flags 'needinfo?(mie@example.org)' --dry-run", 'unknown user "mie@example.org"'],
  ["bug needinfo 44 --from mie@example.org -m x --dry-run", 'unknown user "mie@example.org"'],
  [`${NEW_BUG} --assignee mie@example.org --dry-run`, 'unknown user "mie@example.org"'],
  ["bug update 44 45 46 --assignee mie@example.org", 'unknown user "mie@example.org"'],
  ["bug update 44 --add-groups stuff --dry-run", 'unknown group "stuff"'],
  [`${NEW_BUG} --groups stuff --dry-run`, 'unknown group "stuff"'],
])("%s is refused before anything is sent", async (line, message) => {
  const ran = await demo()(line);
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toContain(`bt: ${message}`);
  expect(updates(ran)).toEqual([]);
});

test.each([
  ["bug update 44 --add-depends-on 9999 --dry-run", "Bug #9999 does not exist."],
  ["bug update 44 45 --add-blocks 46,9999", "Bug #9999 does not exist."],
  ["bug update 44 --add-blocks nope", "'nope' is not a valid bug number"],
  [`${NEW_BUG} --depends-on 9999 --dry-run`, "Bug #9999 does not exist."],
  [`${NEW_BUG} --depends-on nope`, "'nope' is not a valid bug number"],
])("%s: a bug that does not exist is exit code 5", async (line, message) => {
  const ran = await demo()(line);
  expect(ran).toMatchObject({ code: 5, out: "" });
  expect(ran.err).toContain(`bt: ${message}`);
  expect(updates(ran)).toEqual([]);
});

test.each([
  "bug update 44 --assignee mei@example.org --add-depends-on 46 --dry-run",
  "bug update 44 45 --assignee mei@example.org --remove-depends-on 9999 --add-keywords crash",
])("%s is not: everybody and every bug exists, and what is removed may be gone", async (line) => {
  expect(await demo()(line)).toMatchObject({ code: 0 });
});

test("a change of one bug costs no request for its people", async () => {
  const ran = await demo()("bug update 44 --assignee mei@example.org");
  expect(ran.requests.filter(({ operation }) => operation === "Get Users")).toEqual([]);
});
