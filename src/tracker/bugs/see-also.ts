import { parsedUrl } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { uniqueBy } from "../values.ts";
import { type UpdateStep, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { readListEdit } from "./list-edit.ts";

/** Update of See Also URLs. */
export const updateSeeAlso: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "see_also", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const { see_also, id } = draft.after;
  const { urlbase } = call.parameters;
  const list = [...see_also, ...edit.add.map((text) => readSeeAlsoUrl(call, text, id))];
  const removed = edit.remove.map((text) => (/^\d+$/.test(text) ? bugUrl(urlbase, Number(text)) : text).toLowerCase());
  const left = uniqueBy(list, (url) => url.toLowerCase()).filter((url) => !removed.includes(url.toLowerCase()));
  return withBug(draft, { see_also: left });
};

/**
 * URL of a See Also entry: number, alias (letters, digits and _) or URL of a bug of this tracker, or a known kind of URL
 * elsewhere.
 * @throws Fault bug_url_invalid if it is no known kind of bug URL, or the bug itself
 * @see Bugzilla/BugUrl.pm and Bugzilla/BugUrl/
 */
function readSeeAlsoUrl(call: Call, text: string, bugId: number): string {
  const { urlbase } = call.parameters;
  const entry = text.trim();
  const url = /^\w+$/.test(entry) ? undefined : readUrl(entry);
  const own = url === undefined ? entry : ownBugNumber(url, urlbase);
  if (url !== undefined && own === undefined) return url;
  const id = findBugId(call, own ?? "");
  if (id === bugId) throw new Fault("bug_url_invalid", "You cannot add a bug to its own See Also field.");
  return bugUrl(urlbase, id);
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

const MAX_URL_LENGTH = 255;

const KNOWN_SITES =
  "See Also URLs should point to one of: show_bug.cgi in a Bugzilla installation. A bug on launchpad.net An issue on code.google.com. A bug on bugs.debian.org. An issue in a JIRA installation. A ticket in a Trac installation. A bug in a MantisBT installation. A bug on sourceforge.net. An issue/pull request on github.com.";

/** The canonical form of the URL of a bug. */
function readUrl(entry: string): string {
  const hasScheme = /^https?:\/\//i.test(entry);
  const isPage = !/\s/.test(entry) && (hasScheme || /^[\w-]+\.[\w.-]+\//.test(entry));
  const page = isPage ? parsedUrl(hasScheme ? entry : `http://${entry}`) : undefined;
  const url = page && BUG_URL_KINDS.map((kind) => canonicalUrl(kind, page)).find((form) => form !== undefined);
  if (!page || url === undefined)
    throw new Fault("bug_url_invalid", `${entry} is not a valid URL to a bug. ${KNOWN_SITES}`);
  if (url.length > MAX_URL_LENGTH)
    throw new Fault(
      "bug_url_invalid",
      `Bug URLs cannot be longer than ${MAX_URL_LENGTH} characters long. ${page.pathname} is too long.`,
    );
  return url;
}

/** A kind of bug URL by host and path. The number of the bug is that of the parameter, else the group of the path. */
type BugUrlKind = {
  readonly host?: RegExp;
  readonly path: RegExp;
  readonly parameter?: "id" | "bug";
  readonly base?: string; // the canonical URL is this and the number
  readonly isHttps?: boolean; // the canonical URL is
};

const DEBIAN = { host: /^bugs\.debian\.org$/, base: "https://bugs.debian.org/" } as const;

const BUG_URL_KINDS: readonly BugUrlKind[] = [
  { path: /\/show_bug\.cgi$/, parameter: "id" },
  { host: /(^|\.)launchpad\.net$/, path: /bugs?\/(\d+)$/, base: "https://launchpad.net/bugs/" },
  { host: /^code\.google\.com$/, path: /^\/p\/[^/]+\/issues\/detail$/, parameter: "id", isHttps: true },
  { ...DEBIAN, path: /^\/(\d+)$/ },
  { ...DEBIAN, path: /\/bugreport\.cgi$/, parameter: "bug" },
  { path: /\/browse\/[A-Z][A-Z0-9_]*-\d+$/ },
  { path: /\/ticket\/\d+$/ },
  { path: /\/view\.php$/, parameter: "id" },
  { host: /^sourceforge\.net$/, path: /^\/p\/[^/]+\/[^/]+\/\d+\/?$/, isHttps: true },
  { host: /^github\.com$/, path: /^\/[^/]+\/[^/]+\/(?:issues|pull)\/\d+$/, isHttps: true },
];

function canonicalUrl({ host = /./, path, parameter, base, isHttps }: BugUrlKind, page: URL): string | undefined {
  const match = host.test(page.hostname) ? path.exec(page.pathname) : null;
  if (!match) return undefined;
  const sent = parameter ? (page.searchParams.get(parameter) ?? "") : match[1];
  const number = sent === undefined || /^\d+$/.test(sent) ? sent : "";
  if (number === "") return undefined;
  if (base !== undefined) return `${base}${number}`;
  const address = `${isHttps ? "https:" : page.protocol}//${page.host}${page.pathname}`;
  if (parameter) return `${address}?${parameter}=${number}`;
  return page.hostname === "sourceforge.net" ? address.replace(/\/?$/, "/") : address;
}
