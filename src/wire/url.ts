/**
 * The address that a text is, relative to a base; undefined if it is none. `URL.canParse` of Node 20 misreads letters such as
 * ü once it has been called some thousand times.
 */
export function parsedUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Address of the page of a bug; `web` is that of the tracker's pages. */
export function bugPage(web: string, id: number | string): string {
  return `${web}/show_bug.cgi?id=${id}`;
}
