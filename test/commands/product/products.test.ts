import { describe, expect, test } from "vitest";
import { demo } from "../demo.ts";

const bt = demo(); // nothing here changes anything

describe("bt product list", () => {
  test("is in the order of names, in whatever order the tracker returns them", async () => {
    const products = ["Photo", "Archive", "Zoom"].map((name, at) => ({ id: at + 1, name }));
    const exchange = async () => ({ status: 200, headers: {}, body: JSON.stringify({ products }) });
    expect((await bt("product list --fields name", { exchange })).out).toBe("Archive\nPhoto\nZoom\n");
  });
});

describe("bt product get", () => {
  test("shows a card with versions, milestones and components", async () => {
    const { out } = await bt("product get lantern", { terminal: true, columns: 100 });
    expect(out).toMatch(/^Lantern {2}The photo organiser for the desktop\n/);
    expect(out).toMatch(/^Versions +2\.9 \(inactive\), 3\.0/m);
    expect(out).toMatch(/^COMPONENT +ASSIGNEE/m);
    expect(out).toMatch(/^Slideshow +ada@example.org +no /m);
  });

  test("a product that the tracker leaves out is missing", async () => {
    expect(await bt("product get Lamp")).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining("product Lamp was not found, or is not visible to you\n"),
    });
    const some = await bt("product get Lamp Harbor --fields name");
    expect(some).toMatchObject({ code: 10, out: "Harbor\n" });
  });

  test("a product without a name in the response is an invalid response", async () => {
    const exchange = async () => ({ status: 200, headers: {}, body: '{"products":[{"id":1}]}' });
    expect(await bt("product get 1", { exchange })).toMatchObject({ code: 7, out: "" });
  });
});
