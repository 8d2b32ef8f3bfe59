import { expect, test } from "vitest";
import type { Exchange, JsonObject, Request } from "../../src/wire/exchange.ts";
import { get, idsOf } from "../tracker/mirror/received.ts";
import { aMirror, asUser } from "./a-mirror.ts";
import { type WrittenTracker, writtenTracker } from "./writers.ts";

const MINUTE = 60_000;
const ADA = 1; // sees everything

const PUBLIC = { publicOnly: true };

async function write(tracker: WrittenTracker, [method, path]: readonly ["POST" | "PUT", string], body: JsonObject) {
  const request: Request = { method, path: `/rest/bug/${path}`, query: [], body };
  await tracker.write(async (demo) => {
    const reply = await asUser(demo.tracker, ADA)(request);
    expect(JSON.parse(reply.body)).not.toHaveProperty("error");
  });
  await tracker.wait(MINUTE);
}

/** A private comment and a private attachment on a bug, and a change of the latter; and a restricted bug. */
async function hide(tracker: WrittenTracker, [id, restricted]: readonly [number, number]): Promise<void> {
  await write(tracker, ["POST", `${id}/comment`], { comment: "for insiders", is_private: true });
  const file = {
    file_name: "a.txt",
    content_type: "text/plain",
    data: "aGVsbG8=",
    summary: "secret",
    is_private: true,
  };
  await write(tracker, ["POST", `${id}/attachment`], file);
  const attachment = tracker.demo.store.get("SELECT max(id) AS id FROM attachments")?.["id"];
  await write(tracker, ["PUT", `attachment/${attachment}`], { summary: "still secret" });
  await write(tracker, ["PUT", String(restricted)], { groups: { add: ["security"] } });
}

/** What an exchange shows of a bug, as text. */
async function shown(exchange: Exchange, id: number): Promise<string> {
  const parts = await Promise.all(
    ["", "/comment", "/history", "/attachment"].map((part) => get(exchange, `/bug/${id}${part}`)),
  );
  return JSON.stringify(parts);
}

test("a mirror of public bugs has nothing that is hidden from others, and loses what becomes hidden", async () => {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  const exchange = asUser(tracker.demo.tracker, ADA);
  await hide(tracker, [12, 13]);
  const mirror = aMirror({ exchange, login: "ada@example.org", now: tracker.now }, PUBLIC);
  for (const bugs of [
    [12, 13],
    [14, 15],
  ] as const) {
    if (bugs[0] === 14) await hide(tracker, bugs);
    await mirror.sync();
    const [id, restricted] = bugs;
    for (const secret of ["for insiders", "secret", "still secret"]) {
      expect(await shown(exchange, id)).toContain(secret);
      expect(await shown(mirror.exchange, id)).not.toContain(secret);
    }
    const isPublic = ({ groups }: JsonObject) => [groups ?? []].flat().length === 0;
    const { bugs: all } = await get(exchange, "/bug", { include_fields: "id,groups", limit: "0", order: "bug_id" });
    const open = (all as readonly JsonObject[]).filter(isPublic).map((bug) => String(bug["id"]));
    expect(await idsOf(mirror.exchange)).toEqual(open);
    expect(open).not.toContain(String(restricted));
    expect(mirror.mirror.counts()).toMatchObject({ restrictedBugs: 0, privateComments: 0 });
    expect(mirror.store.all("SELECT id FROM bugs WHERE id = ?", [restricted])).toEqual([]);
  }
});

test("a bug on which a public one depends is left out if it is restricted", async () => {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  const exchange = asUser(tracker.demo.tracker, ADA);
  await write(tracker, ["PUT", "13"], { groups: { add: ["security"] } });
  await write(tracker, ["PUT", "12"], { depends_on: { add: [13] } });
  const mirror = aMirror({ exchange, login: "ada@example.org", now: tracker.now }, PUBLIC);
  await mirror.sync();
  expect(mirror.store.all("SELECT id FROM bugs WHERE id = 13")).toEqual([]);
  expect(mirror.mirror.counts().restrictedBugs).toBe(0);
});
