import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { file, type Talk, talk } from "./talk.ts";

let here: Talk;
beforeEach(async () => {
  here = talk();
  const bug = await file(here, "admin");
  const attachment = { data: "aGk=", file_name: "a.txt", summary: "a", content_type: "text/plain" };
  for (const summary of ["one", "two"]) {
    await here.post("admin", `/rest/bug/${bug}/attachment`, { ...attachment, summary });
  }
});

/** Two objects of each class, an unknown one, and a change; ids are read from the store. */
const CLASSES = [
  { name: "Group", path: "group", list: "groups", table: "groups", unknown: 51, change: { description: "x" } },
  {
    ...{ name: "Attachment", path: "bug/attachment", list: "attachments", table: "attachments", unknown: 32000 },
    change: { summary: "x" },
  },
] as const;

type Class = (typeof CLASSES)[number];

const newestIds = ({ table }: Class) =>
  here.store.all<{ id: number }>(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 2`).map(({ id }) => id) as [
    number,
    number,
  ];
const put = async (of: Class, body: JsonObject, id: number | string = newestIds(of)[0], as = "admin") =>
  (await here.put(as, `/rest/${of.path}/${id}`, body)).body as JsonObject;

describe.each(CLASSES)("Update $name", (of) => {
  test("an unknown object is told before an unknown parameter", async () => {
    expect(await put(of, { nonsense: 1 }, 9999)).toMatchObject({ code: of.unknown });
  });

  test("changes that leave an object as it is are none", async () => {
    await put(of, of.change);
    expect(await put(of, of.change)).toMatchObject({ [of.list]: [{ changes: {} }] });
  });
});
