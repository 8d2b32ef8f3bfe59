/** Why the system did not do what was asked of it with a file, in plain words. */
export function fileReason(cause: unknown): string {
  return REASONS.get(codeOf(cause)) ?? (cause instanceof Error ? cause.message : String(cause));
}

/** The code of an error of the system, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "no space left on the device"],
  ["EFBIG", "it would be larger than the system allows"],
  ["EDQUOT", "the disk quota is used up"],
  ["EISDIR", "it is a directory"],
  ["ELOOP", "it is a symbolic link"],
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a file is in the place of a folder"],
  ["EEXIST", "a file is in the place of a folder"],
  ["ENXIO", "it is not a file"],
]);
