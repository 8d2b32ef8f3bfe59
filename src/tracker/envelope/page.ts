import type { Reply } from "../../wire/exchange.ts";

type Page = { readonly status: number; readonly title: string; readonly text: string };

const NOT_FOUND: Page = { status: 404, title: "Not Found", text: "The requested URL was not found on this server." };
const FORBIDDEN: Page = {
  status: 403,
  title: "Forbidden",
  text: "You don't have permission to access this resource.",
};
const BAD_REQUEST: Page = {
  status: 400,
  title: "Bad Request",
  text: "Your browser sent a request that this server could not understand.<br />\n",
};

// What a web server in front refuses before the service sees it.
const REFUSED: readonly (readonly [RegExp, Page])[] = [
  [/%25/, BAD_REQUEST],
  [/%2f|%00/i, NOT_FOUND],
  [/%3f/i, FORBIDDEN],
];

/** The web page that a path gets which the service never answers with JSON; undefined for all others. */
export const refusedPath = (path: string): Reply | undefined => {
  const refusal = REFUSED.find(([pattern]) => pattern.test(path));
  if (refusal) {
    return page(refusal[1]);
  }
  return /^\/+rest(\.cgi)?\//.test(path) ? undefined : page(NOT_FOUND);
};

const page = ({ status, title, text }: Page): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=iso-8859-1" },
  body: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html><head>
<title>${status} ${title}</title>
</head><body>
<h1>${title}</h1>
<p>${text}</p>
</body></html>
`,
});

/** The page that everything is answered with while the tracker is shut down. */
export const shutdownPage = (text: string): Reply => ({
  status: 503,
  headers: { "content-type": "text/html; charset=UTF-8" },
  body: `<!DOCTYPE html>
<html lang="en"><head><title>The tracker is down</title></head><body>
<h1>The tracker is down</h1>
<p>${escapeHtml(text)}</p>
</body></html>
`,
});

/** JSON laid out for a person, for those who ask for a web page. */
export const jsonPage = (status: number, value: unknown): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=UTF-8" },
  body: `<!DOCTYPE html>
<html><head><title>The tracker's answer</title></head><body>
<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>
</body></html>
`,
});

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
