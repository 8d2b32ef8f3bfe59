import { expect, test } from "vitest";
import { demo } from "../commands/demo.ts";

const NEW_BUG = "bug create --version 3.2 -t Crash -d Twice.";

test.each([
  [`${NEW_BUG} -c Editor`, { product: "Foo" }, 'unknown product "Foo"', '"Foo" is the setting product'],
  [
    `${NEW_BUG} -p Lantern`,
    { component: "Foo" },
    'unknown component "Foo" in Lantern',
    '"Foo" is the setting component',
  ],
  ["bug search is:open", { sort: "foo:desc" }, 'the tracker cannot sort by "foo"', '"foo" is the setting sort'],
  ["bug search is:open", { fields: ["id", "foo"] }, 'unknown field "foo"', '"foo" is the setting fields'],
])("%s: a refused value of a setting names the setting", async (line, settings, message, source) => {
  const { code, err } = await demo()(line, { settings });
  expect([code, err]).toEqual([2, expect.stringContaining(`bt: ${message}\n    ${source}: bt config list\nhint: `)]);
});

test("a value that was typed is not the setting's", async () => {
  const { code, err } = await demo()(`${NEW_BUG} -c Editor -p Foo`, { settings: { product: "Foo" } });
  expect([code, err]).toEqual([2, expect.stringMatching(/^bt: unknown product "Foo"\nhint: /)]);
});
