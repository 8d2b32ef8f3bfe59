import { beforeEach, describe, expect, test } from "vitest";
import { type Talk, talk } from "../talk.ts";

let here: Talk;
beforeEach(() => {
  here = talk();
});

describe("Get Product", () => {
  test("of an unknown type is rejected", async () => {
    expect(await here.get("alice", "/rest/product?type=nope")).toMatchObject({ status: 400, body: { code: 32000 } });
  });
});

describe("classifications", () => {
  beforeEach(() => {
    here.store.exec(`
      INSERT OR REPLACE INTO parameters VALUES ('useclassification', '1');
      INSERT INTO classifications (id, name) VALUES (50, 'Secrets'), (51, 'Empty');
      UPDATE products SET classification_id = 50 WHERE name = 'Internal'`);
  });

  const get = (as: string, name: string, more = "") => here.get(as, `/rest/classification/${name}${more}`);

  test("without products that the requester sees are unknown", async () => {
    expect((await get("carol", "Secrets")).body).toMatchObject({ code: 51 });
    expect((await get("carol", "50")).body).toMatchObject({ code: 51 });
  });
});

test("values of a field for a component of a hidden product are hidden", async () => {
  here.store.exec(`
    UPDATE components SET name = 'Vault' WHERE product_id = (SELECT id FROM products WHERE name = 'Internal');
    UPDATE fields SET value_field = 'component' WHERE name = 'cf_tracking';
    UPDATE field_values SET visible_for = 'Vault' WHERE name = 'yes'`);
  const values = async (as: string) => (await here.get(as, "/rest/field/bug/cf_tracking/values")).body;
  expect(await values("admin")).toMatchObject({ values: expect.arrayContaining(["yes"]) });
  expect(await values("carol")).not.toMatchObject({ values: expect.arrayContaining(["yes"]) });
});
