import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../wire/exchange.ts";
import { folderFor, readSmallFile, replaceFile, type Surroundings } from "./files.ts";

/** Tracker and account that cached data belongs to. Accounts see different products and groups. */
export type CacheOwner = { readonly address: string; readonly account: string };

/** The host, and a redactor: a tracker may repeat a key in its responses. */
export type CacheHost = Surroundings & {
  readonly now: () => Date;
  readonly hide: (text: string) => string;
};

/** Facts about a tracker kept between runs. Reads may find nothing, writes may be lost. */
export type Cache = {
  /** `oldest` is the maximum age (ms). */
  readonly read: (name: string, oldest?: number) => Promise<JsonObject | undefined>;
  readonly write: (name: string, value: JsonObject) => Promise<void>;
};

/** Cache of one tracker and account. Damaged entries, other owners and future dates count as missing. */
export function openCache(ownerOf: () => Promise<CacheOwner>, host: CacheHost): Cache {
  const folder = folderFor("cache", host);
  const fileOf = (name: string, owner: CacheOwner) => folder && join(folder, folderName(owner), `${name}.json`);
  return {
    async read(name, oldest = Number.POSITIVE_INFINITY) {
      const owner = await ownerOf();
      const file = fileOf(name, owner);
      const entry = file && readEntry(file, owner);
      const age = entry ? host.now().getTime() - entry.saved : Number.NaN;
      return entry && age >= 0 && age <= oldest ? entry.value : undefined;
    },
    async write(name, value) {
      const owner = await ownerOf();
      const file = fileOf(name, owner);
      if (file === undefined) return;
      try {
        const entry = JSON.stringify({ version: VERSION, ...owner, saved: host.now().getTime(), value });
        replaceFile(file, host.hide(entry), { lasting: false });
      } catch {
        // an unwritable home only costs speed
      }
    },
  };
}

/** Removes one kind of data from all caches, or from those of all accounts of a tracker. */
export function clearCaches(name: string, host: Surroundings, address = ""): void {
  const folder = folderFor("cache", host);
  if (folder === undefined) return;
  try {
    const owners = readdirSync(folder, { withFileTypes: true }).filter((owner) => owner.isDirectory()); // beside compiled code
    const named = owners.map((owner) => owner.name).filter((owner) => owner.startsWith(readableName(address)));
    for (const owner of named) rmSync(join(folder, owner, `${name}.json`), { force: true });
  } catch {
    // no cache, nothing to clear
  }
}

const VERSION = 1;
const LARGEST = 64 * 1024 * 1024;

function readEntry(file: string, owner: CacheOwner): { saved: number; value: JsonObject } | undefined {
  try {
    const entry = JSON.parse(readSmallFile(file, { follow: false, largest: LARGEST })?.text ?? "null");
    const { version, address, account, saved, value } = Object(entry);
    const mine = version === VERSION && address === owner.address && account === owner.account;
    return mine && Number.isFinite(saved) && typeof value === "object" && value !== null ? { saved, value } : undefined;
  } catch {
    return undefined;
  }
}

/** Readable name, unique up to hash collisions, which reads detect. */
function folderName({ address, account }: CacheOwner): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (const byte of new TextEncoder().encode(`${address}\0${account}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${readableName(address)}-${(hash >>> 0).toString(16).padStart(8, "0")}`;
}

function readableName(address: string): string {
  return address
    .replace(/^https?:\/\//, "")
    .replace(/[^\w.-]+/g, "_")
    .slice(0, 100);
}
