import { expect, test } from "vitest";
import { demo } from "../commands/demo.ts";

const NEW_BUG = "bug create --version 3.2 -t Crash -d Twice.";

test("a value that was typed is not the setting's", async () => {
  const { code, err } = await demo()(`${NEW_BUG} -c Editor -p Foo`, { settings: { product: "Foo" } });
  expect([code, err]).toEqual([2, expect.stringMatching(/^bt: unknown product "Foo"\nhint: /)]);
});
