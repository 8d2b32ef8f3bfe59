import { beforeEach, describe, expect, test } from "vitest";
import { file, type Talk, talk } from "../talk.ts";

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

test("an attachment without a file name is rejected with 603", async () => {
  const id = await file(here, "alice");
  const whole = { data: "YQ==", summary: "a", content_type: "text/plain" };
  for (const file_name of [undefined, "", " "]) {
    const { body } = await here.post(
      "alice",
      `/rest/bug/${id}/attachment`,
      file_name === undefined ? whole : { ...whole, file_name },
    );
    expect(body).toMatchObject({ code: 603 });
  }
});
