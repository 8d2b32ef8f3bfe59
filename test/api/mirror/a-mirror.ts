import { expect } from "vitest";
import { type SyncOptions, syncMirror } from "../../../src/api/mirror/sync.ts";
import { readResponse } from "../../../src/api/response/response.ts";
import type { Tracker } from "../../../src/tracker/http/tracker.ts";
import { createMirror, type NewMirror, type OpenedMirror } from "../../../src/tracker/mirror/open.ts";
import type { Exchange, Request } from "../../../src/wire/exchange.ts";
import { get, idsOf, type QueryValues } from "../../tracker/mirror/received.ts";

/** A mirror that a test synchronizes, and the requests of its last sync. */
export type TestMirror = OpenedMirror & {
  readonly sync: (options?: Partial<SyncOptions>) => Promise<readonly Request[]>;
};

/** What a test mirror is of. */
export type Mirrored = { readonly exchange: Exchange; readonly login: string | null; readonly now: () => Date };

/** A mirror in memory, or in a file. */
export function aMirror(
  { exchange, login, now }: Mirrored,
  facts: Partial<NewMirror> = {},
  file = ":memory:",
): TestMirror {
  const runtime = { now, random: (bytes: number) => new Uint8Array(bytes) };
  const opened = createMirror(
    file,
    {
      ...{ tracker: "https://bugs.example.org", login, criteria: "", compiled: "[]" },
      ...{ attachments: "none", publicOnly: false },
      ...facts,
    },
    runtime,
  );
  return { ...opened, sync: (options) => syncOnce(opened, { exchange, login, now }, options) };
}

/** Synchronizes a mirror; returns the requests. */
async function syncOnce(
  { mirror }: Pick<OpenedMirror, "mirror">,
  { exchange, now }: Mirrored,
  options: Partial<SyncOptions> = {},
): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const ask = async (request: Request) => {
    requests.push(request);
    return readResponse(await exchange(request), request);
  };
  await syncMirror({ ask, mirror, now, ticks: () => 0, ...options });
  return requests;
}

/** Exchange of a tracker for one of its users. */
export function asUser(tracker: Tracker, userId: number | undefined): Exchange {
  return (request) => tracker(request, { address: "127.0.0.1", ...(userId === undefined ? {} : { userId }) });
}

const PARTS = [
  ["", { exclude_fields: "update_token" }],
  ["/comment", {}],
  ["/history", {}],
  ["/attachment", { exclude_fields: "data" }],
] as const;

/** Expects that a mirror has the same bugs as its login sees, field by field: all of them, or those that meet criteria. */
export async function expectSame(mirror: Exchange, tracker: Exchange, criteria: QueryValues = {}): Promise<void> {
  const ids = await idsOf(tracker, criteria);
  expect(await idsOf(mirror, criteria)).toEqual(ids);
  const [first = ""] = ids;
  for (const [part, query] of PARTS) {
    const path = `/bug/${first}${part}`;
    const [mirrored, original] = [
      await get(mirror, path, { ...query, ids }),
      await get(tracker, path, { ...query, ids }),
    ];
    expect(mirrored, path).toEqual(original);
  }
}
