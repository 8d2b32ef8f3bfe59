import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createMirror, type NewMirror } from "../src/tracker/mirror/open.ts";
import type { Exchange } from "../src/wire/exchange.ts";
import type { MirrorFacts } from "../src/wire/mirror.ts";
import { receiveBugs, receiveMetadata } from "./tracker/mirror/received.ts";

/** Address of the tracker that mirrors of tests are of. */
export const MIRRORED = "https://bugs.example.org";

/** A mirror for a test: the data folder that it is put into, its name, and facts that differ from those of a complete one. */
export type TestMirror = {
  readonly home: string;
  readonly name: string;
  readonly login: string | null;
  readonly now: () => Date;
  readonly facts?: Partial<NewMirror & MirrorFacts>;
  readonly holds?: ((id: number) => boolean) | undefined;
};

/** Puts a mirror of all that an exchange shows into a home folder, as a sync that has just ended leaves it. */
export async function putMirror(exchange: Exchange, mirror: TestMirror): Promise<void> {
  const { home, name, login, now, facts = {} } = mirror;
  const file = join(home, "data", "bt", "mirrors", `${name}.db`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const criteria = { products: [], attachments: "all", publicOnly: false } as const;
  const runtime = { now, random: (count: number) => new Uint8Array(count) };
  const opened = createMirror(file, { tracker: MIRRORED, login, ...criteria, ...facts }, runtime);
  opened.mirror.keepMetadata(await receiveMetadata(exchange));
  const readTime = now().toISOString();
  const bugs = await receiveBugs(exchange, mirror.holds);
  await opened.mirror.keepBugs(bugs, readTime, { lastSync: readTime, ...facts });
  opened.close();
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
