import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../wire/exchange.ts";
import { folderFor, type Host, readSmallFile, replaceFile } from "./files.ts";

/** The tracker and the account that cached data belongs to; metadata shows each account other products and groups. */
export type CacheOwner = { readonly address: string; readonly account: string };

/** The machine, and what is done to a text so that it holds no secret: a tracker may repeat a key in its answers. */
export type CacheHost = Pick<Host, "env" | "now"> & { readonly hide: (text: string) => string };

/** What was kept under a name, and how old it is in milliseconds. */
export type CachedFacts = { readonly age: number; readonly value: JsonObject };

/** Small facts about a tracker, kept from one run to the next. Reading may find nothing, and writing may be lost. */
export type Cache = {
  readonly read: (name: string) => Promise<CachedFacts | undefined>;
  readonly write: (name: string, value: JsonObject) => Promise<void>;
};

/** The cache for one tracker and one account. What is broken, of another owner or from the future counts as missing. */
export function openCache(owner: CacheOwner, host: CacheHost): Cache {
  const folder = folderFor("cache", host.env);
  const fileOf = (name: string) => folder && join(folder, folderName(owner), `${name}.json`);
  return {
    async read(name) {
      const file = fileOf(name);
      const kept = file && readKept(file, owner);
      const age = kept ? host.now().getTime() - kept.saved : Number.NaN;
      return kept && age >= 0 ? { age, value: kept.value } : undefined;
    },
    async write(name, value) {
      const file = fileOf(name);
      if (file === undefined) return;
      try {
        const kept = JSON.stringify({ version: VERSION, ...owner, saved: host.now().getTime(), value });
        replaceFile(file, host.hide(kept), { lasting: false });
      } catch {
        // a home that cannot be written to costs speed, nothing else
      }
    },
  };
}

/** Removes a kind of data from the caches of all trackers and accounts. */
export function clearCaches(name: string, env: Host["env"]): void {
  const folder = folderFor("cache", env);
  if (folder === undefined) return;
  try {
    for (const owner of readdirSync(folder)) rmSync(join(folder, owner, `${name}.json`), { force: true });
  } catch {
    // without a cache there is nothing to clear
  }
}

const VERSION = 2; // 1 did not tell accounts apart
const LARGEST = 64 * 1024 * 1024;

function readKept(file: string, owner: CacheOwner): { readonly saved: number; readonly value: JsonObject } | undefined {
  try {
    const kept = JSON.parse(readSmallFile(file, { follow: false, largest: LARGEST })?.text ?? "null");
    const { version, address, account, saved, value } = Object(kept);
    const mine = version === VERSION && address === owner.address && account === owner.account;
    return mine && Number.isFinite(saved) && typeof value === "object" && value !== null ? { saved, value } : undefined;
  } catch {
    return undefined;
  }
}

/** A name that a person can read and that no other owner has, but for a chance that reading checks. */
function folderName({ address, account }: CacheOwner): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (const byte of new TextEncoder().encode(`${address}\0${account}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  const readable = address.replace(/^https?:\/\//, "").replace(/[^\w.-]+/g, "_");
  return `${readable.slice(0, 100)}-${(hash >>> 0).toString(16).padStart(8, "0")}`;
}
