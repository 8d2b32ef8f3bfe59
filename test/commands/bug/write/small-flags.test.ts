import { expect, test } from "vitest";
import { btConnected, updates } from "../../../bt.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

test("close --private makes the comment private, and requires one", async () => {
  const ran = await demo()("bug close 44 -m Fixed --private");
  expect(updates(ran)).toMatchObject([{ comment: { body: "Fixed", is_private: true } }]);
  expect(await demo()("bug close 44 --private")).toMatchObject({ code: 2, err: expect.stringContaining("--private") });
});

test("an empty value of a number field clears it", async () => {
  const run = demo({ fields: [{ name: "cf_score", type: "integer" }] });
  await run("bug update 44 --field cf_score=7");
  expect(updates(await run("bug update 44 --field cf_score="))).toMatchObject([{ cf_score: 0 }]);
});

test("config unset takes several settings", async () => {
  const env = { HOME: freshFolder() };
  await btConnected("config set product Lantern", { env });
  await btConnected("config set pager cat", { env });
  expect(await btConnected("config unset product pager", { env })).toMatchObject({ code: 0 });
  expect((await btConnected("config get product", { env })).code).toBe(1);
  expect((await btConnected("config get pager", { env })).code).toBe(1);
});
