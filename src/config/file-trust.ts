import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { BtError } from "../errors.ts";

/** Permits files that others can read or replace. */
export type FileTrust = { readonly insecureFiles?: boolean | undefined };

/** A private file, and what to do if it is not the user's own. */
export type PrivateFile = {
  readonly file: string;
  readonly stats: Stats;
  readonly pattern?: string; // default: the file; it and those beside it that have its content
  readonly ifForeign: string;
};

/** @throws BtError of kind guard if others can read or replace a file; nothing is checked where files have no owner */
export function checkPrivate(named: PrivateFile, uid: number | undefined, { insecureFiles }: FileTrust): void {
  const danger = insecureFiles || uid === undefined ? undefined : findDanger(named, uid);
  if (danger)
    throw new BtError("guard", `${named.file} is not used: ${danger.why}`, { hint: danger.hint, changed: "nothing" });
}

/** @throws BtError of kind guard if others can read a file whose owner and folder the user chose */
export function checkUnreadable(
  { file, stats }: { file: string; stats: Stats },
  uid: number | undefined,
  { insecureFiles }: FileTrust,
): void {
  if (insecureFiles || uid === undefined || !(stats.mode & 0o077)) return;
  throw new BtError("guard", `${file} is not used: it is readable by other users`, {
    hint: readableHint(file),
    changed: "nothing",
  });
}

function readableHint(pattern: string): string {
  return `chmod 600 ${pattern}, or --insecure-files to use it anyway`;
}

function findDanger({ file, stats, pattern = file, ifForeign }: PrivateFile, uid: number) {
  const folder = statSync(dirname(file));
  if (stats.uid !== uid) return { why: "it belongs to another user", hint: ifForeign };
  if (folder.uid !== uid) return { why: "its folder belongs to another user", hint: ifForeign };
  if (stats.mode & 0o077) return { why: "it is readable by other users", hint: readableHint(pattern) };
  if (folder.mode & 0o022)
    return {
      why: "it is replaceable by other users",
      hint: `chmod 700 ${dirname(file)}, or --insecure-files to use it anyway`,
    };
  return undefined;
}
