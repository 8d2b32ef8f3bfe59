import { expect, test } from "vitest";
import type { Exchange, JsonObject, Request } from "../../src/wire/exchange.ts";
import { get, idsOf } from "../tracker/mirror/received.ts";
import { aMirror, asUser } from "./a-mirror.ts";
import { type WrittenTracker, writtenTracker } from "./writers.ts";

const ADA = 1; // sees everything
const SAM = 8; // is no insider

async function write(tracker: WrittenTracker, user: number, request: Omit<Request, "query">): Promise<void> {
  await tracker.write(async (demo) => {
    const reply = await asUser(demo.tracker, user)({ query: [], ...request });
    expect(JSON.parse(reply.body)).not.toHaveProperty("error");
  });
  await tracker.wait(60_000);
}

/** The tracker as Bugzilla shows it to Sam: with his own private attachments, which no search of his finds. */
function asSam(tracker: WrittenTracker): Exchange {
  return async (request) => {
    const reply = await asUser(tracker.demo.tracker, SAM)(request);
    if (!/\/attachment$/.test(request.path)) return reply;
    const all = await asUser(tracker.demo.tracker, ADA)(request);
    const { bugs } = JSON.parse(all.body) as { bugs: Record<string, JsonObject[]> };
    const own = ({ is_private, creator }: JsonObject) => !is_private || creator === "sam@example.org";
    const seen = Object.entries(bugs).map(([id, attachments]) => [id, attachments.filter(own)]);
    return { ...reply, body: JSON.stringify({ bugs: Object.fromEntries(seen), attachments: {} }) };
  };
}

test("a mirror shows a user's own private attachments, but searches do not find them, as on the tracker", async () => {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  const file = { file_name: "own.txt", content_type: "text/plain", data: "aGVsbG8=", summary: "log of mine" };
  await write(tracker, SAM, { method: "POST", path: "/rest/bug/12/attachment", body: file });
  const attachment = tracker.demo.store.get("SELECT max(id) AS id FROM attachments")?.["id"];
  const hidden = { method: "PUT", path: `/rest/bug/attachment/${attachment}`, body: { is_private: true } } as const;
  await write(tracker, ADA, hidden);

  const exchange = asSam(tracker);
  const mirror = aMirror({ exchange, login: "sam@example.org", now: tracker.now });
  await mirror.sync();
  expect(mirror.facts().isInsider).toBe(false);
  const { bugs } = await get(mirror.exchange, "/bug/12/attachment");
  expect(JSON.stringify(bugs)).toContain("log of mine");
  for (const row of [
    { f1: "attachments.description", o1: "substring", v1: "log of mine" },
    { f1: "attachments.filename", o1: "changedafter", v1: "2026-11-20" },
    { f1: "attachments.isprivate", o1: "changedafter", v1: "2026-11-20" },
  ]) {
    expect(await idsOf(mirror.exchange, row), row.f1).toEqual(await idsOf(exchange, row));
  }
  expect(mirror.coverage().gaps.hasPrivate()).toBe(false);
});
