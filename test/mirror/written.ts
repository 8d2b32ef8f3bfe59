import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { openStore } from "../../src/mirror/store.ts";
import { createTracker } from "../../src/tracker/tracker.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import type { Exchange, JsonObject } from "../../src/wire/exchange.ts";
import { machineClock } from "../clock.ts";
import { receiveBugs } from "../mirrored.ts";
import type { Chance } from "../reliability/random.ts";
import type { DemoServer } from "../servers/demo-server.ts";

type Demo = Pick<DemoServer, "store">;

/** A tracker's exchange for the login that the mirrors of these tests are of. */
export function ownExchange({ store }: Demo, userId = 2): Exchange {
  const tracker = createTracker(store, { now: machineClock.now, random: (count) => new Uint8Array(count) });
  return (request) => tracker(request, userId);
}

/** Expects that a mirror has what its login sees, member by member. */
export async function expectSame(file: string, exchange: Exchange): Promise<void> {
  const store = openStore(file);
  const expected = (await receiveBugs(exchange)).map(({ bug, ...parts }) => ({ bug: withoutToken(bug), ...parts }));
  const own = store.bugs([...store.changeTimes().keys()], ["comments", "history", "attachments"]);
  const kept = own.map(({ id, bug, comments, history, attachments }) => ({ id, bug, comments, history, attachments }));
  store.close();
  const byId = <One extends { readonly id: number }>(list: readonly One[]) => list.toSorted((a, b) => a.id - b.id);
  if (!isDeepStrictEqual(byId(kept), byId(expected))) expect(byId(kept)).toEqual(byId(expected));
}

function withoutToken(bug: Bug) {
  const { update_token: _, ...rest } = bug as Bug & { readonly update_token?: string };
  return rest;
}

const PEOPLE = ["priya@example.org", "seun@example.org"];

/** A random write; refusals are part of the game. */
export async function write(luck: Chance, server: Demo): Promise<void> {
  const send = async (method: "PUT" | "POST", path: string, body: JsonObject) =>
    ownExchange(server, 1)({ method, path: `/rest${path}`, query: [], body });
  const ids = server.store.all<{ id: number }>("SELECT id FROM bugs").map(({ id }) => id);
  const [id, other] = [luck.one(ids), luck.one(ids)];
  const text = `text ${luck.below(1000)}`;
  const place = { product: "Lantern", component: "Editor", version: "main" };
  const changes: readonly JsonObject[] = [
    ...[{ summary: text, comment: { body: text } }, { status: "RESOLVED", resolution: "FIXED" }, { priority: "Low" }],
    ...[{ groups: { add: ["security"] } }, { groups: { remove: ["security"] } }, { depends_on: { add: [other] } }],
    ...[
      { assigned_to: luck.one(PEOPLE) },
      { product: "Harbor", component: "API", version: "main" },
      { dupe_of: other },
    ],
  ];
  const writes = [
    () => send("PUT", `/bug/${id}`, { ids: [id, other], ...luck.one(changes) }),
    () => send("PUT", `/bug/${id}`, luck.one(changes)),
    () => send("POST", `/bug/${id}/comment`, { comment: text, is_private: luck.below(3) === 0 }),
    () => send("POST", "/bug", { ...place, summary: text, description: text }),
    () =>
      send("POST", `/bug/${id}/attachment`, {
        file_name: "a.txt",
        summary: text,
        content_type: "text/plain",
        data: "aGk=",
      }),
    async () =>
      server.store.run(
        "DELETE FROM bugs WHERE id = ? AND NOT EXISTS (SELECT 1 FROM bug_dependencies WHERE ? IN (bug_id, depends_on_id))",
        [id, id],
      ),
  ];
  await luck.one(writes)();
}
