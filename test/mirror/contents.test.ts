import { expect, test } from "vitest";
import type { Request } from "../../src/wire/exchange.ts";
import { get } from "../tracker/mirror/received.ts";
import { aMirror, asUser } from "./a-mirror.ts";
import { type WrittenTracker, writtenTracker } from "./writers.ts";

const MINUTE = 60_000;

/** Ids of the attachments whose contents are requested one by one. */
function contentsIn(requests: readonly Request[]): readonly number[] {
  const alone = requests.filter(({ operation }) => operation === "Get Attachments");
  return alone.map(({ path }) => Number(path.split("/").at(-1)));
}

async function attach({ write, wait }: WrittenTracker, id: number, data: string): Promise<void> {
  const body = { file_name: "a.bin", content_type: "application/octet-stream", data, summary: "Data" };
  await write(async ({ tracker }) => {
    const reply = await asUser(tracker, 1)({ method: "POST", path: `/rest/bug/${id}/attachment`, query: [], body });
    expect(JSON.parse(reply.body)).toHaveProperty("ids");
  });
  await wait(MINUTE);
}

test("a mirror with contents has those of all attachments, and requests each once", async () => {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  const mirror = aMirror(tracker, { attachments: "all" });
  const first = contentsIn(await mirror.sync());
  expect(first.length).toBeGreaterThan(1);
  await attach(tracker, 16, "AP+A/w==");
  const [added = 0, ...others] = contentsIn(await mirror.sync());
  expect([others, first.includes(added)]).toEqual([[], false]);
  await tracker.write(({ store }) =>
    Promise.resolve(void store.run("UPDATE bugs SET last_change_time = '2026-11-20T12:01:30Z'")),
  );
  await tracker.wait(MINUTE);
  expect((await mirror.sync()).length).toBeGreaterThan(3);
  expect(contentsIn(await mirror.sync())).toEqual([]);
  for (const id of [...first, added]) {
    const content = await get(mirror.exchange, `/bug/attachment/${id}`);
    expect(content).toEqual(await get(tracker.exchange, `/bug/attachment/${id}`));
    expect(JSON.stringify(content)).toContain('"data":"');
  }
});

test("an attachment with the number of one that the tracker lost has its own content", async () => {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  const mirror = aMirror(tracker, { attachments: "all" });
  await attach(tracker, 16, "AAAA");
  await mirror.sync();
  await tracker.write(async ({ store }) => {
    const { id } = store.get<{ id: number }>("SELECT max(id) AS id FROM attachments") ?? { id: 0 };
    store.run("DELETE FROM attachments WHERE id = ?", [id]); // as in the backup that it is restored from
    store.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'attachments'", [id - 1]);
  });
  await attach(tracker, 16, "BBBB");
  const [again = 0] = contentsIn(await mirror.sync());
  const content = await get(mirror.exchange, `/bug/attachment/${again}`);
  expect(content).toEqual(await get(tracker.exchange, `/bug/attachment/${again}`));
  expect(JSON.stringify(content)).toContain('"data":"BBBB"');
});

test("a mirror without contents requests none", async () => {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  const mirror = aMirror(tracker);
  expect(contentsIn(await mirror.sync())).toEqual([]);
  expect(mirror.store.all("SELECT id FROM attachments WHERE data <> ''")).toEqual([]);
});
