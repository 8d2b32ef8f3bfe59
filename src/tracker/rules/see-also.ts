import { Fault } from "../fault.ts";

/** Where a See Also entry leads: to a bug of this tracker, or to a page of another one, in its usual form. */
export type SeeAlso = { readonly bug: string } | { readonly url: string };

const LONGEST = 255;

/**
 * Reads a See Also entry: the number, the alias (letters, digits and _ only) or the page of a bug of this tracker (at
 * `base`), or a known kind of page elsewhere.
 * @see Bugzilla::BugUrl::Bugzilla::Local
 */
export function readSeeAlso(text: string, base: string): SeeAlso {
  const said = text.trim();
  if (/^\w+$/.test(said)) return { bug: said };
  const page = toUrl(said);
  const url = page && KINDS.map((kind) => usualForm(kind, page)).find((form) => form !== undefined);
  if (!page || url === undefined) throw new Fault(400, 112, `${said} is not a valid URL to a bug. ${KNOWN}`);
  if (url.length > LONGEST) {
    throw new Fault(
      400,
      112,
      `Bug URLs cannot be longer than ${LONGEST} characters long. ${page.pathname} is too long.`,
    );
  }
  const own = ownBug(url, base);
  return own === undefined ? { url } : { bug: own };
}

/** The page of a bug of this tracker. */
export function bugPage(base: string, id: number): string {
  return `${base}show_bug.cgi?id=${id}`;
}

/** The number of the bug of this tracker that a page is of, if it is one. */
export function ownBug(url: string, base: string): string | undefined {
  const start = `${base}show_bug.cgi?id=`;
  return url.startsWith(start) ? url.slice(start.length) : undefined;
}

const KNOWN =
  "See Also URLs should point to one of: show_bug.cgi in a Bugzilla installation. A bug on launchpad.net An issue on code.google.com. A bug on bugs.debian.org. An issue in a JIRA installation. A ticket in a Trac installation. A bug in a MantisBT installation. A bug on sourceforge.net. An issue/pull request on github.com.";

function toUrl(text: string): URL | undefined {
  const hasScheme = /^https?:\/\//i.test(text);
  const address = hasScheme ? text : `http://${text}`;
  const isPage = !/\s/.test(text) && (hasScheme || /^[\w-]+\.[\w.-]+\//.test(text)) && URL.canParse(address);
  return isPage ? new URL(address) : undefined;
}

// A kind of bug page: which host and path it has, and the form it is kept in. `form` gets what the path's brackets hold.
type Kind = {
  readonly host?: RegExp;
  readonly path: RegExp;
  readonly form: (url: URL, parts: readonly string[]) => string | undefined;
};

function usualForm({ host = /./, path, form }: Kind, url: URL): string | undefined {
  const match = host.test(url.hostname) ? path.exec(url.pathname) : null;
  return match ? form(url, match.slice(1)) : undefined;
}

const KINDS: readonly Kind[] = [
  { path: /\/show_bug\.cgi$/, form: (url) => withNumber(url, "id") },
  {
    host: /(^|\.)launchpad\.net$/,
    path: /bugs?\/(\d+)$/,
    form: (_url, [id]) => `https://launchpad.net/bugs/${id}`,
  },
  {
    host: /^code\.google\.com$/,
    path: /^\/p\/[^/]+\/issues\/detail$/,
    form: (url) => withNumber(secure(url), "id"),
  },
  { host: /^bugs\.debian\.org$/, path: /^\/(\d+)$/, form: (_url, [id]) => `https://bugs.debian.org/${id}` },
  {
    host: /^bugs\.debian\.org$/,
    path: /\/bugreport\.cgi$/,
    form: (url) => (number(url, "bug") ? `https://bugs.debian.org/${number(url, "bug")}` : undefined),
  },
  { path: /\/browse\/[A-Z][A-Z0-9_]*-\d+$/, form: bare },
  { path: /\/ticket\/\d+$/, form: bare },
  { path: /\/view\.php$/, form: (url) => withNumber(url, "id") },
  {
    host: /^sourceforge\.net$/,
    path: /^\/p\/[^/]+\/[^/]+\/\d+\/?$/,
    form: (url) => bare(secure(url)).replace(/\/?$/, "/"),
  },
  { host: /^github\.com$/, path: /^\/[^/]+\/[^/]+\/(issues|pull)\/\d+$/, form: (url) => bare(secure(url)) },
];

function bare(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function secure(url: URL): URL {
  return new URL(url.href.replace(/^http:/, "https:"));
}

function number(url: URL, name: string): string | undefined {
  return /^\d+$/.exec(url.searchParams.get(name) ?? "")?.[0];
}

function withNumber(url: URL, name: string): string | undefined {
  return number(url, name) === undefined ? undefined : `${bare(url)}?${name}=${number(url, name)}`;
}
