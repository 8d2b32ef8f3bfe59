import { beforeEach, describe, expect, test } from "vitest";
import { applyProducts } from "../../../src/tracker/setup/products.ts";
import { applyFlagTypes } from "../../../src/tracker/setup/setup.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { file, type Talk, talk } from "../talk.ts";

let here: Talk;
beforeEach(() => {
  here = talk();
});

const LONG = "p".repeat(65);

describe("Create Product", () => {
  const whole = { name: "Fresh", description: "new", version: "1" };

  test.each<[JsonObject, number]>([
    [{ name: "" }, 700],
    [{ name: LONG }, 701],
    [{ name: "Firefox" }, 702],
    [{ name: "firefox" }, 702],
    [{ description: " " }, 703],
    [{ version: "" }, 704],
    [{ version: LONG }, 32000],
    [{ default_milestone: LONG }, 32000],
  ])("rejects %j", async (part, code) => {
    expect(await here.post("admin", "/rest/product", { ...whole, ...part })).toMatchObject({
      status: 400,
      body: { code },
    });
  });
});

describe("Update Product", () => {
  const put = (body: JsonObject, name = "Toolkit", as = "admin") => here.put(as, `/rest/product/${name}`, body);

  test("changes the given values and reports them", async () => {
    const { body } = await put({
      name: "Kit",
      description: "Widgets",
      is_open: false,
      has_unconfirmed: true,
      default_milestone: "---",
    });
    expect(body).toEqual({
      products: [
        {
          id: 3,
          changes: {
            name: { removed: "Toolkit", added: "Kit" },
            description: { removed: "Shared widgets", added: "Widgets" },
            is_open: { removed: "1", added: "0" },
          },
        },
      ],
    });
    expect((await here.get("alice", "/rest/product/Kit?include_fields=id")).body).toEqual({ products: [{ id: 3 }] });
  });

  test.each<[JsonObject, number, number]>([
    [{ name: "Firefox" }, 400, 702],
    [{ name: "" }, 400, 700],
    [{ name: LONG }, 400, 701],
    [{ description: "" }, 400, 703],
    [{ default_milestone: "none such" }, 400, 32000],
    [{ classification: "x" }, 400, 67399],
    [{ name: "x", names: ["Firefox", "Toolkit"] }, 400, 32000],
    [{ description: "x", ids: [99] }, 401, 106],
  ])("rejects %j", async (body, status, code) => {
    expect(await put(body)).toMatchObject({ status, body: { code } });
  });

  test("requires editcomponents", async () => {
    expect((await put({ description: "x" }, "Toolkit", "alice")).body).toMatchObject({ code: 304 });
    expect((await put({ description: "x" }, "Toolkit", "anonymous")).body).toMatchObject({ code: 410 });
    expect((await put({ description: "x" }, "Nope")).body).toMatchObject({ code: 106 });
  });
});

describe("Update Flag Type", () => {
  const put = (body: JsonObject, name = "approval", as = "admin") => here.put(as, `/rest/flag_type/${name}`, body);

  test("changes the given values and reports them", async () => {
    const { body } = await put({
      name: "approved",
      description: "yes",
      is_active: false,
      sort_key: 7,
      grant_group: "editbugs",
    });
    expect(body).toMatchObject({
      flagtypes: [
        {
          id: 3,
          name: "approved",
          changes: {
            name: { removed: "approval", added: "approved" },
            description: { added: "yes" },
            is_active: { removed: "1", added: "0" },
            sort_key: { added: "7" },
            grant_group: { removed: null, added: "editbugs" },
          },
        },
      ],
    });
  });

  test("moves to the given products and components", async () => {
    await put({ inclusions: [{ Firefox: ["General"] }], exclusions: ["Toolkit"] });
    const types = async (path: string) => JSON.stringify((await here.get("alice", `/rest/flag_type/${path}`)).body);
    expect(await types("Firefox/General")).toContain('"approval"');
    expect(await types("Toolkit")).not.toContain('"approval"');
  });

  test.each<[JsonObject, number]>([
    [{ name: "two words" }, 1101],
    [{ name: "" }, 1101],
    [{ name: "p".repeat(51) }, 1101],
    [{ description: "" }, 1102],
    [{ grant_group: "nope" }, 51],
    [{ inclusions: ["nope"] }, 106],
    [{ sort_key: 40_000 }, 32000],
    [{ nonsense: 1 }, 67399],
  ])("rejects %j", async (body, code) => {
    expect((await put(body)).body).toMatchObject({ code });
  });

  test("a new one is checked likewise", async () => {
    const post = (body: JsonObject) => here.post("admin", "/rest/flag_type", { name: "a", description: "b", ...body });
    expect((await post({ name: "a,b" })).body).toMatchObject({ code: 1101 });
    expect((await post({ target_type: "nope" })).body).toMatchObject({ code: 68000 });
  });
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

  test("without products are unknown, except with editcomponents", async () => {
    expect((await get("carol", "Secrets")).body).toMatchObject({ code: 51 });
    expect((await get("carol", "50")).body).toMatchObject({ code: 51 });
    expect((await get("admin", "Empty")).body).toMatchObject({ classifications: [{ id: 51, products: [] }] });
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

describe("a user with editcomponents for one product only", () => {
  const component = { name: "Gears", description: "turn", default_assignee: "alice@example.org" };
  beforeEach(() => {
    const groups = [{ group: "editbugs", edit_components: true }];
    applyProducts(here.store, { products: [{ name: "Toolkit", groups }] });
    applyFlagTypes(here.store, [
      { name: "ours", description: "of one product", places: ["Toolkit"] },
      { name: "shared", description: "of two products", places: ["Toolkit", "Firefox"] },
    ]);
  });

  test("creates components there and nowhere else", async () => {
    const post = (as: string, product: string) => here.post(as, "/rest/component", { ...component, product });
    expect((await post("alice", "Toolkit")).status).toBe(201);
    expect(await post("alice", "Firefox")).toMatchObject({
      status: 400,
      body: { code: 32000, message: "You are not allowed to edit properties of product 'Firefox'." },
    });
    expect((await post("alice", "Nope")).body).toMatchObject({ code: 106 });
    expect((await post("carol", "Toolkit")).body).toMatchObject({ code: 304 });
    expect((await post("anonymous", "Toolkit")).body).toMatchObject({ code: 410 });
  });

  test("changes flag types of that product only", async () => {
    const put = (name: string, body: JsonObject) => here.put("alice", `/rest/flag_type/${name}`, body);
    expect((await put("ours", { description: "new" })).body).toMatchObject({ flagtypes: [{ name: "ours" }] });
    expect((await put("shared", { description: "new" })).body).toMatchObject({ code: 1105 });
    expect((await put("approval", { description: "new" })).body).toMatchObject({ code: 1105 });
    expect((await put("ours", { inclusions: ["Toolkit", "Firefox"] })).body).toMatchObject({ code: 106 });
  });

  test("cannot edit the product itself, nor create products and flag types", async () => {
    expect((await here.put("alice", "/rest/product/Toolkit", { description: "x" })).body).toMatchObject({ code: 304 });
    const type = { name: "a", description: "b" };
    expect((await here.post("alice", "/rest/flag_type", type)).body).toMatchObject({ code: 304 });
  });
});
