import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Facts, type MirroredBug, openStore, type Store } from "../src/mirror/store.ts";
import type { Exchange, JsonObject } from "../src/wire/exchange.ts";

/** Address of the tracker that mirrors of tests are of. */
const MIRRORED = "https://bugs.example.org";

/** A mirror for a test: the data folder that it is put into, its name, and facts that differ from those of a complete one. */
export type TestMirror = {
  readonly home: string;
  readonly name: string;
  readonly login: string | null;
  readonly now: () => Date;
  readonly facts?: Partial<Facts>;
  readonly holds?: ((id: number) => boolean) | undefined;
};

/** Puts a mirror of all that an exchange shows into a home folder, as a sync that has just ended leaves it. */
export async function putMirror(
  exchange: Exchange,
  { home, name, login, now, facts, holds }: TestMirror,
): Promise<void> {
  const file = join(home, "data", "bt", "mirrors", `${name}.db`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "wx", 0o600));
  const store = await filledStore(file, exchange, { login, lastSync: now().toISOString(), ...facts }, holds);
  store.close();
}

/** The store of a mirror, in memory or in a file, with all that an exchange shows. */
export async function filledStore(
  file: string,
  exchange: Exchange,
  facts: Partial<Facts>,
  holds: (id: number) => boolean = () => true,
): Promise<Store> {
  const store = openStore(file, { tracker: MIRRORED, attachments: "all", ...facts });
  const [fields, products] = await Promise.all([
    get(exchange, "/field/bug"),
    get(exchange, "/product", { type: "accessible" }),
  ]);
  store.keepMetadata({ fields: fields["fields"] ?? [], products: products["products"] ?? [], groups: [] });
  store.keepBugs((await receiveBugs(exchange)).filter(({ id }) => holds(id)));
  for (const { id, data } of await receiveContents(exchange, store)) store.keepContent(id, data);
  return store;
}

/** Parameters of a request; lists repeat the parameter. */
type QueryValues = Readonly<Record<string, string | readonly string[]>>;

/** The JSON of a GET. */
async function get(exchange: Exchange, path: string, query: QueryValues = {}): Promise<JsonObject> {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  return JSON.parse((await exchange({ method: "GET", path: `/rest${path}`, query: pairs })).body);
}

/** Everything that an exchange shows of each bug. */
export async function receiveBugs(exchange: Exchange): Promise<readonly MirroredBug[]> {
  const found = await get(exchange, "/bug", { include_fields: "id", limit: "0", order: "bug_id" });
  const ids = (found["bugs"] as readonly JsonObject[]).map(({ id }) => String(id));
  const path = `/bug/${ids[0] ?? "0"}`;
  const bugs = (await get(exchange, path, { ids, include_fields: "_all" }))[
    "bugs"
  ] as unknown as readonly MirroredBug["bug"][];
  const comments = (await get(exchange, `${path}/comment`, { ids }))["bugs"] as JsonObject;
  const history = (await get(exchange, `${path}/history`, { ids }))["bugs"] as readonly JsonObject[];
  const attachments = (await get(exchange, `${path}/attachment`, { ids, exclude_fields: "data" }))[
    "bugs"
  ] as JsonObject;
  return ids.map((id) => {
    const own = { ...(comments[id] as JsonObject), attachments: attachments[id] ?? [] };
    const entries = history.find((one) => String(one["id"]) === id)?.["history"];
    const bug = bugs.find((one) => String(one.id) === id);
    return { id: Number(id), bug, history: entries, ...own } as unknown as MirroredBug;
  });
}

async function receiveContents(exchange: Exchange, store: Store) {
  const ids = [...store.changeTimes().keys()].map(String);
  const { bugs } = await get(exchange, `/bug/${ids[0] ?? "0"}/attachment`, { ids, include_fields: "id,data" });
  return Object.values(bugs ?? {}).flat() as unknown as readonly { readonly id: number; readonly data: string }[];
}

/** Variables of a process whose folders are below a home. */
export function homeFolders(home: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_DATA_HOME: `${home}/data`,
    XDG_STATE_HOME: `${home}/state`,
  };
}
