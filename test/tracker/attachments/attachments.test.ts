import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { freshDemo } from "../../fresh-demo.ts";

/** A fresh demo in which people send requests; the clock goes on by a second with each. */
function demo() {
  let second = -1; // the demo is opened before the first request
  const now = () => new Date(Date.UTC(2026, 10, 21, 12, 0, second++));
  const { store, tracker } = freshDemo({ now, random: (count) => new Uint8Array(count) });
  store.exec(`
    INSERT INTO flag_types (id, name, description, target, sort_key, is_multiplicable) VALUES (90, 'ui', '', 'attachment', 9, 0);
    INSERT INTO flag_type_inclusions (type_id) VALUES (90);`);
  const send = async (as: string, what: string, body: JsonObject = {}) => {
    const user = store.get("SELECT id FROM users WHERE login = ?", [`${as}@example.org`]);
    const [method = "", path = "", query = ""] = what.split(/[ ?]/);
    const request = { method, path: `/rest/${path}`, query: [...new URLSearchParams(query)], body };
    const reply = await tracker(request, user && Number(user["id"]));
    return { status: reply.status, body: JSON.parse(reply.body) };
  };
  return { store, send };
}

const FILE = { data: "aGVsbG8K", file_name: "a.txt", summary: "A file", content_type: "text/plain" };

async function added(send: ReturnType<typeof demo>["send"], as: string, more: JsonObject = {}): Promise<number> {
  const { body } = await send(as, "POST bug/12/attachment", { ...FILE, ...more });
  return body.ids[0];
}

test("a file is stored under its cleaned name, with the type of a patch", async () => {
  const { send } = demo();
  const id = await added(send, "tomas", {
    file_name: "../x\u0007 y.diff",
    is_patch: true,
    content_type: "image/png",
    comment: "See there.",
  });
  const { body } = await send("sam", `GET bug/attachment/${id}`);
  expect(body.attachments[id]).toMatchObject({
    ...{ file_name: "x  y.diff", is_patch: 1, content_type: "text/plain", size: 6, data: "aGVsbG8K" },
    ...{ creator: "tomas@example.org", is_obsolete: 0, is_private: 0, flags: [], bug_id: 12 },
  });
  const comments = (await send("sam", "GET bug/12/comment")).body.bugs["12"].comments;
  expect(comments.at(-1)).toMatchObject({
    attachment_id: id,
    text: `Created attachment ${id}\nA file\n\nSee there.`,
  });
});

test.each([
  [{ summary: " " }, 604],
  [{ file_name: "x/" }, 603],
  [{ content_type: "text" }, 601],
  [{ data: "" }, 606],
  [{ flags: [{ name: "no-such", status: "?" }] }, 51],
])("a new attachment with %j is refused and leaves nothing", async (more, code) => {
  const { send, store } = demo();
  const count = () => store.get("SELECT count(*) AS n FROM attachments")?.["n"];
  const before = count();
  expect((await send("tomas", "POST bug/12/attachment", { ...FILE, ...more })).body).toMatchObject({ code });
  expect(count()).toBe(before);
});

test("an update tells what it changed, in the response and in the history", async () => {
  const { send } = demo();
  const id = await added(send, "tomas");
  const changed = await send("tomas", `PUT bug/attachment/${id}`, {
    ...{ ids: [id], summary: "B", file_name: "a/b.png", content_type: "image/png", is_obsolete: true },
    ...{ flags: [{ name: "ui", status: "+" }], comment: "New." },
  });
  const changes = {
    summary: { removed: "A file", added: "B" },
    file_name: { removed: "a.txt", added: "b.png" },
    content_type: { removed: "text/plain", added: "image/png" },
    is_obsolete: { removed: "0", added: "1" },
    "flagtypes.name": { removed: "", added: "ui+" },
  };
  expect(changed.body.attachments).toEqual([{ id, last_change_time: "2026-11-21T12:00:03Z", changes }]);
  const [history] = (await send("tomas", "GET bug/12/history")).body.bugs;
  const fields = history.history.at(-1).changes.map(({ field_name }: { field_name: string }) => field_name);
  expect(fields.sort()).toEqual([
    ...["attachments.description", "attachments.filename", "attachments.isobsolete", "attachments.mimetype"],
    "flagtypes.name",
  ]);
  const comments = (await send("tomas", "GET bug/12/comment")).body.bugs["12"].comments;
  expect(comments.at(-1).text).toBe(`Comment on attachment ${id}\nB\n\nNew.`);
});

test("an attachment is edited by its creator and by editors alone", async () => {
  const { send } = demo();
  const id = await added(send, "lucia");
  const obsolete = { is_obsolete: true };
  expect((await send("sam", `PUT bug/attachment/${id}`, obsolete)).body).toMatchObject({ code: 32000 });
  expect((await send("nobody", `PUT bug/attachment/${id}`, obsolete)).body).toMatchObject({ code: 410 });
  expect((await send("lucia", `PUT bug/attachment/${id}`, obsolete)).status).toBe(200);
  expect((await send("tomas", `PUT bug/attachment/${id}`, { is_obsolete: false })).status).toBe(200);
});

test("a private attachment is for insiders: reading and making it", async () => {
  const { send } = demo();
  expect((await send("sam", "POST bug/12/attachment", { ...FILE, is_private: true })).body.code).toBe(113);
  const id = await added(send, "ada", { is_private: true });
  expect((await send("sam", `GET bug/attachment/${id}`)).body.code).toBe(304);
  expect((await send("sam", "GET bug/12/attachment")).body.bugs["12"]).toEqual([]);
  expect((await send("sam", `PUT bug/attachment/${id}`, { summary: "x" })).body.code).toBe(32000);
  expect((await send("ada", `PUT bug/attachment/${id}`, { is_private: 0 })).status).toBe(200);
  expect((await send("sam", `GET bug/attachment/${id}`)).status).toBe(200);
});
