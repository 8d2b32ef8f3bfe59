import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "../io.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { folderFor, readSmallFile, replaceFile, type Surroundings } from "./files.ts";

/** Tracker and account that cached data belongs to. Accounts see different products and groups. */
export type CacheOwner = { readonly address: string; readonly account: string };

/** The host; `hide` removes a key, which a tracker may repeat in its responses. */
type CacheHost = Surroundings & Pick<Io, "now" | "hide">;

/** Cache of one tracker and account. Damaged entries, other owners and future dates count as missing. */
export function openCache(ownerOf: () => Promise<CacheOwner>, host: CacheHost) {
  const folder = folderFor("cache", host);
  const fileOf = (name: string, owner: CacheOwner) => folder && join(folder, folderName(owner), `${name}.json`);
  return {
    /** `oldest` is the maximum age (ms). */
    async read(name: string, oldest = Number.POSITIVE_INFINITY): Promise<JsonObject | undefined> {
      const owner = await ownerOf();
      const file = fileOf(name, owner);
      const entry = file && readEntry(file, owner);
      const age = entry ? host.now().getTime() - entry.saved : Number.NaN;
      return entry && age >= 0 && age <= oldest ? entry.value : undefined;
    },
    async write(name: string, value: JsonObject): Promise<void> {
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
    const { version, address, account, saved, value } = entry;
    const isOwn = version === VERSION && address === owner.address && account === owner.account;
    return isOwn && Number.isFinite(saved) && isObject(value) ? { saved, value } : undefined;
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
