import { parsedUrl } from "../../wire/url.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { uniqueBy } from "../unique-by.ts";
import { type UpdateStep, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { readListEdit } from "./list-edit.ts";

/** Update of See Also URLs. */
export const updateSeeAlso: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "see_also", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const { after } = draft;
  const added = edit.add.map((text) => readSeeAlsoUrl(call, text, after.id));
  const list = uniqueBy([...after.see_also, ...added], (url) => url.toLowerCase());
  const removed = new Set(edit.remove.map((text) => removedUrl(call, text).toLowerCase()));
  return withBug(draft, { see_also: list.filter((url) => !removed.has(url.toLowerCase())) });
};

/** URL of a See Also entry. @throws Fault bug_url_invalid if it is no known kind of bug URL, or the bug itself */
function readSeeAlsoUrl(call: Call, text: string, bugId: number): string {
  const target = parseSeeAlso(text, call.parameters.urlbase);
  if ("url" in target) return target.url;
  const id = findBugId(call, target.bug);
  if (id === bugId) throw new Fault("bug_url_invalid", "You cannot add a bug to its own See Also field.");
  return bugUrl(call.parameters.urlbase, id);
}

function removedUrl({ parameters }: Call, text: string): string {
  return /^\d+$/.test(text) ? bugUrl(parameters.urlbase, Number(text)) : text;
}

/** Target of a See Also entry: number or alias of a bug of this tracker, or the canonical URL of a bug elsewhere. */
export type SeeAlsoTarget = { bug: string } | { url: string };

const MAX_URL_LENGTH = 255;

/**
 * Target of a See Also entry: number, alias (letters, digits and _) or URL of a bug of this tracker, or a known kind of URL
 * elsewhere.
 * @throws Fault bug_url_invalid
 * @see Bugzilla/BugUrl.pm and Bugzilla/BugUrl/
 */
export function parseSeeAlso(text: string, urlbase: string): SeeAlsoTarget {
  const entry = text.trim();
  if (/^\w+$/.test(entry)) return { bug: entry };
  const page = toUrl(entry);
  const url = page && BUG_URL_KINDS.map((kind) => canonicalUrl(kind, page)).find((form) => form !== undefined);
  if (!page || url === undefined)
    throw new Fault("bug_url_invalid", `${entry} is not a valid URL to a bug. ${KNOWN_SITES}`);
  if (url.length > MAX_URL_LENGTH) {
    throw new Fault(
      "bug_url_invalid",
      `Bug URLs cannot be longer than ${MAX_URL_LENGTH} characters long. ${page.pathname} is too long.`,
    );
  }
  const ownId = ownBugNumber(url, urlbase);
  return ownId === undefined ? { url } : { bug: ownId };
}

/** URL of a bug of this tracker; `urlbase` ends with a slash. */
export function bugUrl(urlbase: string, id: number): string {
  return `${urlbase}show_bug.cgi?id=${id}`;
}

/** Number of the bug that a URL of this tracker shows; undefined for other URLs. */
export function ownBugNumber(url: string, urlbase: string): string | undefined {
  const start = `${urlbase}show_bug.cgi?id=`;
  return url.startsWith(start) ? url.slice(start.length) : undefined;
}

const KNOWN_SITES =
  "See Also URLs should point to one of: show_bug.cgi in a Bugzilla installation. A bug on launchpad.net An issue on code.google.com. A bug on bugs.debian.org. An issue in a JIRA installation. A ticket in a Trac installation. A bug in a MantisBT installation. A bug on sourceforge.net. An issue/pull request on github.com.";

function toUrl(text: string): URL | undefined {
  const hasScheme = /^https?:\/\//i.test(text);
  const address = hasScheme ? text : `http://${text}`;
  const isPage = !/\s/.test(text) && (hasScheme || /^[\w-]+\.[\w.-]+\//.test(text)) && parsedUrl(address) !== undefined;
  return isPage ? new URL(address) : undefined;
}

// A kind of bug URL by host and path; `form` returns the canonical URL and gets the groups of `path`.
type BugUrlKind = {
  host?: RegExp;
  path: RegExp;
  form: (url: URL, parts: string[]) => string | undefined;
};

function canonicalUrl({ host = /./, path, form }: BugUrlKind, url: URL): string | undefined {
  const match = host.test(url.hostname) ? path.exec(url.pathname) : null;
  return match ? form(url, match.slice(1)) : undefined;
}

const BUG_URL_KINDS: readonly BugUrlKind[] = [
  { path: /\/show_bug\.cgi$/, form: (url) => withNumber(url, "id") },
  {
    host: /(^|\.)launchpad\.net$/,
    path: /bugs?\/(\d+)$/,
    form: (_url, [id]) => `https://launchpad.net/bugs/${id}`,
  },
  {
    host: /^code\.google\.com$/,
    path: /^\/p\/[^/]+\/issues\/detail$/,
    form: (url) => withNumber(withHttps(url), "id"),
  },
  { host: /^bugs\.debian\.org$/, path: /^\/(\d+)$/, form: (_url, [id]) => `https://bugs.debian.org/${id}` },
  {
    host: /^bugs\.debian\.org$/,
    path: /\/bugreport\.cgi$/,
    form: (url) => (numberParameter(url, "bug") ? `https://bugs.debian.org/${numberParameter(url, "bug")}` : undefined),
  },
  { path: /\/browse\/[A-Z][A-Z0-9_]*-\d+$/, form: withoutQuery },
  { path: /\/ticket\/\d+$/, form: withoutQuery },
  { path: /\/view\.php$/, form: (url) => withNumber(url, "id") },
  {
    host: /^sourceforge\.net$/,
    path: /^\/p\/[^/]+\/[^/]+\/\d+\/?$/,
    form: (url) => withoutQuery(withHttps(url)).replace(/\/?$/, "/"),
  },
  { host: /^github\.com$/, path: /^\/[^/]+\/[^/]+\/(issues|pull)\/\d+$/, form: (url) => withoutQuery(withHttps(url)) },
];

function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function withHttps(url: URL): URL {
  return new URL(url.href.replace(/^http:/, "https:"));
}

function numberParameter(url: URL, name: string): string | undefined {
  return /^\d+$/.exec(url.searchParams.get(name) ?? "")?.[0];
}

function withNumber(url: URL, name: string): string | undefined {
  return numberParameter(url, name) === undefined
    ? undefined
    : `${withoutQuery(url)}?${name}=${numberParameter(url, name)}`;
}
