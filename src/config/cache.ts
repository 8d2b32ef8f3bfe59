import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "../io.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { fileIn, folderFor, readSmallFile, replaceFile, type Surroundings } from "./files.ts";

/** The host; `hide` removes a key, which a tracker may repeat in its responses. */
type CacheHost = Surroundings & Pick<Io, "now" | "hide">;

/**
 * Cache of one tracker and account, since accounts see different products and groups. Damaged entries and future dates count as
 * missing.
 */
export function openCache(address: string, accountOf: () => Promise<string>, host: CacheHost) {
  const fileOf = async (name: string) =>
    fileIn("cache", `${folderPrefix(address)}${namePart(await accountOf())}/${name}.json`, host);
  return {
    /** `oldest` is the maximum age (ms). */
    async read(name: string, oldest = Number.POSITIVE_INFINITY): Promise<JsonObject | undefined> {
      const file = (await fileOf(name)) ?? "";
      try {
        const text = readSmallFile(file, { follow: false, largest: LARGEST })?.text;
        const { saved, value } = JSON.parse(text ?? "{}");
        const age = host.now().getTime() - saved;
        return age >= 0 && age <= oldest && isObject(value) ? value : undefined;
      } catch {
        return undefined; // damaged
      }
    },
    async write(name: string, value: JsonObject): Promise<void> {
      const file = await fileOf(name);
      const entry = JSON.stringify({ saved: host.now().getTime(), value });
      try {
        if (file) replaceFile(file, host.hide(entry), false);
      } catch {} // an unwritable home only costs speed
    },
  };
}

const LARGEST = 64 * 1024 * 1024;

/** Removes one kind of data from all caches, or from the caches of one tracker. */
export function clearCaches(name: string, host: Surroundings, address?: string): void {
  const folder = folderFor("cache", host) ?? "";
  const start = address === undefined ? "" : folderPrefix(address);
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && entry.name.startsWith(start))
        rmSync(join(folder, entry.name, `${name}.json`), { force: true });
  } catch {} // no cache, nothing to clear
}

/** How the names of the folders of all accounts of a tracker begin. */
function folderPrefix(address: string): string {
  return `${namePart(address.replace(/^https:\/\//, ""))} `;
}

/** Part of a file name, without blanks. Letters are not encoded, since a name has at most 255 bytes. */
function namePart(text: string): string {
  return text.replace(/[/% ]/g, encodeURIComponent);
}
