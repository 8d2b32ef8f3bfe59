import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { openCache } from "../../src/config/cache.ts";
import { PLATFORMS } from "../../src/platform.ts";
import { keepLogin } from "../../src/session/memory/own-login.ts";
import type { FactStore } from "../../src/session/session.ts";
import { openDemoStore } from "../../src/tracker/open.ts";
import { sha256 } from "../../src/tracker/users/passwords.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders, putMirror } from "../mirrored.ts";
import { decent } from "./defaults.ts";
import type { FaultyTracker } from "./faulty-tracker.ts";

type Said = Awaited<ReturnType<typeof btConnected>>;

/** Somebody with a mirror of a tracker on a machine of their own. */
export type OfflineDesk = {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly bt: (line: string, terminal?: boolean) => Promise<Said>;
  readonly btAs: (line: string, key: string) => Promise<Said>; // with another key
  readonly jobs: () => Promise<readonly { readonly job: string; readonly status: string; readonly what: string }[]>;
  readonly sync: () => Promise<void>;
};

/** Who sits at a desk, unless it is the owner of the tracker's key, and the bugs of their mirror, unless it is of all they see. */
type Seat = { readonly login?: string; readonly bugs?: readonly number[] | undefined };

/** Seats a person of the demo, who has a key, before a fresh mirror. */
export async function offlineDesk(tracker: FaultyTracker, seat: Seat = {}): Promise<OfflineDesk> {
  const { login = tracker.login, bugs } = seat;
  const home = freshFolder();
  const { store, clock } = tracker;
  const userId = Number(store.get("SELECT id FROM users WHERE login = ?", [login])?.["id"]);
  const key = login === tracker.login ? tracker.key : login.padEnd(40, "k").replaceAll(/\W/g, "k");
  if (key !== tracker.key)
    store.run(
      "INSERT OR IGNORE INTO api_keys (user_id, key_sha256, description, creation_time) VALUES (?, ?, '', '2026-01-01T00:00:00Z')",
      [userId, sha256(key)],
    );
  const opened = openDemoStore(store, { now: clock.now, random: (count) => new Uint8Array(count) });
  const env = { ...tracker.env, ...homeFolders(home), BT_API_KEY: key };
  const bt = async (line: string, terminal = false) =>
    decent(await btConnected(line, { env, terminal, columns: 160 }), { keys: [key], home });
  const sync = async () => {
    rmSync(`${home}/data/bt/mirrors`, { recursive: true, force: true });
    await putMirror((request) => opened.tracker(request, { address: "127.0.0.1", userId }), {
      ...{ home, name: "work", login, now: clock.now },
      facts: { tracker: tracker.url },
      holds: bugs && ((id) => bugs.includes(id)),
    });
  };
  await sync();
  await keepLogin(login, memoryOfKey(key, { address: tracker.url, env }));
  const btAs = (line: string, other: string) => btConnected(line, { env: { ...env, BT_API_KEY: other } });
  return { home, env, bt, btAs, jobs: async () => JSON.parse((await bt("job list --json")).out), sync };
}

type Machine = { readonly address: string; readonly env: OfflineDesk["env"] };

/** The cache of the account of a key that is sent in the query, as a sync leaves it. */
function memoryOfKey(key: string, { address, env }: Machine): FactStore {
  const account = `query key:${createHash("sha256").update(`bt account\0${key}`).digest("hex").slice(0, 16)}`;
  const host = { env, platform: PLATFORMS.linux, now: () => new Date(0), hide: (text: string) => text };
  const cache = openCache({ address, account }, host);
  return { read: async (name) => (await cache.read(name))?.value, write: cache.write };
}
