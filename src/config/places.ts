import { isAbsolute, join } from "node:path";
import { BtError } from "../errors.ts";

/** What is kept, each kind in a folder of its own as the XDG rules say. */
export type Kept = keyof typeof FOLDERS;

const FOLDERS = {
  config: ["XDG_CONFIG_HOME", ".config"],
  cache: ["XDG_CACHE_HOME", ".cache"],
  state: ["XDG_STATE_HOME", ".local/state"],
  data: ["XDG_DATA_HOME", ".local/share"],
} as const;

/** The folder of `bt` for one kind of file; undefined when there is neither a variable for it nor a home directory. */
export function folderOf(kept: Kept, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const [variable, below] = FOLDERS[kept];
  const named = env[variable];
  if (named && isAbsolute(named)) return join(named, "bt");
  const home = env["HOME"] || env["USERPROFILE"];
  return home && isAbsolute(home) ? join(home, below, "bt") : undefined;
}

/** The same for writing, where a missing folder is an error. */
export function folderToWrite(kept: Kept, env: Readonly<Record<string, string | undefined>>): string {
  const folder = folderOf(kept, env);
  if (folder !== undefined) return folder;
  const hint = `set HOME, or ${FOLDERS[kept][0]} to a folder of your own`;
  throw new BtError("local", "there is no home directory to keep anything in", { hint, changed: "nothing" });
}
