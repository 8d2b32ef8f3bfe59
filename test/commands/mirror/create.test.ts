import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";

test("criteria for which a server returns too many bugs to those who see no private comments are refused", async () => {
  const tracker = await faultyTracker();
  const env = { ...tracker.env, HOME: freshFolder() };
  const create = (name: string, where: string) => btConnected(`mirror create ${name} --where '${where}'`, { env });
  const changes = "product:Harbor not comment changed since 2026-11-01";
  expect(await create("insider", changes)).toMatchObject({ code: 0 });
  tracker.store.exec("INSERT OR REPLACE INTO parameters (name, value) VALUES ('insidergroup', '')");
  for (const where of [changes, "product:Harbor or not comment changed since 2026-11-01"])
    expect(await create("outsider", where)).toMatchObject({
      ...{ code: 2, out: "" },
      err: expect.stringContaining('servers return too many bugs for "not" with this condition on changes'),
    });
  expect(await create("outsider", "product:Harbor comment changed since 2026-11-01")).toMatchObject({ code: 0 });
});
