import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { readResponse } from "../../src/api/response/response.ts";
import { type SyncOptions, syncMirror } from "../../src/mirror/sync.ts";
import { createMirror, type NewMirror, type OpenedMirror, openMirror } from "../../src/tracker/mirror/open.ts";
import type { Tracker } from "../../src/tracker/tracker.ts";
import type { Exchange, Request } from "../../src/wire/exchange.ts";
import { openCopy } from "../copied-store.ts";
import { get, idsOf, type QueryValues } from "../tracker/mirror/received.ts";

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
  const opened = createMirror(
    file,
    {
      ...{ tracker: "https://bugs.example.org", login, products: [] },
      ...{ attachments: "none", publicOnly: false },
      ...facts,
    },
    runtimeAt(now),
  );
  return testMirror(opened, { exchange, login, now });
}

function runtimeAt(now: () => Date) {
  return { now, random: (bytes: number) => new Uint8Array(bytes) };
}

function testMirror(opened: OpenedMirror, mirrored: Mirrored): TestMirror {
  return { ...opened, sync: (options) => syncOnce(opened, mirrored, options) };
}

/** A mirror of a tracker that was just opened, after its first sync, which is done once for each name and then copied. */
export async function syncedMirror(name: string, mirrored: Mirrored, facts: Partial<NewMirror>): Promise<TestMirror> {
  const first = synced.get(name) ?? firstSync(mirrored, facts);
  synced.set(name, first);
  const { store } = await first;
  const open = (file: string) => openMirror(file, runtimeAt(mirrored.now));
  return testMirror(
    openCopy(name, () => store, open),
    mirrored,
  );
}

const synced = new Map<string, Promise<TestMirror>>();

async function firstSync(mirrored: Mirrored, facts: Partial<NewMirror>): Promise<TestMirror> {
  const mirror = aMirror(mirrored, facts);
  await mirror.sync();
  return mirror;
}

/** Synchronizes a mirror; returns the requests. */
async function syncOnce(
  { mirror }: Pick<OpenedMirror, "mirror">,
  { exchange, now }: Mirrored,
  options: Partial<SyncOptions> = {},
): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const send = async (request: Request) => {
    requests.push(request);
    return readResponse(await exchange(request), request);
  };
  await syncMirror({ send, account: accountOf(mirror), mirror, now, ticks: () => 0, ...options });
  return requests;
}

/** The account whose mirror it is. */
export function accountOf(mirror: OpenedMirror["mirror"]): SyncOptions["account"] {
  const { login } = mirror.facts();
  return async () => (login === null ? { state: "anonymous" } : { state: "logged in", login });
}

/** Requests of a sync beside those for the login and the settings, by operation. */
export function aboutBugs(requests: readonly Request[]): readonly (string | undefined)[] {
  return requests.map(({ operation }) => operation).filter((name) => !SETUP.has(name ?? ""));
}

/** The proof of the login, and the time of settings. */
const SETUP: ReadonlySet<string> = new Set(["Get Users", "Last Audit Time"]);

/** Exchange of a tracker for one of its users. */
export function asUser(tracker: Tracker, userId: number | undefined): Exchange {
  return (request) => tracker(request, { address: "127.0.0.1", ...(userId === undefined ? {} : { userId }) });
}

/** A tracker that returns at most so many bugs. */
export function shortPages(exchange: Exchange, most: number): Exchange {
  return (request) => {
    const query = request.query.map(([name, value]) =>
      name === "limit" ? ([name, String(Math.min(most, Number(value) || most))] as const) : ([name, value] as const),
    );
    return exchange({ ...request, query });
  };
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
    if (!isDeepStrictEqual(mirrored, original)) expect(mirrored, path).toEqual(original);
  }
}
