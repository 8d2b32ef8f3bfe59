/**
 * The name under which an attachment is saved: the last part of the one that its creator chose, without what a file
 * system, a shell or a terminal could take for something else.
 * @see https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file (reserved names)
 */
export function savedName(fileName: string | null | undefined, id: number): string {
  const last = (fileName ?? "").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(/\p{C}/gu, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/[\s.]+$/, "")
    .replace(/^\s+/, "")
    .replace(/^[.~-]/, "_");
  if (clean === "") return `attachment-${id}`;
  return shortened(RESERVED.test(clean) ? `_${clean}` : clean);
}

const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;

const MAX_BYTES = 200; // file systems allow 255, of which a temporary name needs some

/** The name with its middle left out, so that its extension stays. */
function shortened(name: string): string {
  const extension = /\.[\w-]{1,16}$/.exec(name)?.[0] ?? "";
  let stem = [...name.slice(0, name.length - extension.length)];
  while (Buffer.byteLength(stem.join("")) + extension.length > MAX_BYTES) stem = stem.slice(0, -1);
  return stem.join("") + extension;
}
