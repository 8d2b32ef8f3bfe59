import type { Reply, Request } from "../../wire/exchange.ts";

type ErrorPage = { readonly status: number; readonly title: string; readonly text: string };

const NOT_FOUND: ErrorPage = {
  status: 404,
  title: "Not Found",
  text: "The requested URL was not found on this server.",
};
const FORBIDDEN: ErrorPage = {
  status: 403,
  title: "Forbidden",
  text: "You don't have permission to access this resource.",
};
const BAD_REQUEST: ErrorPage = {
  status: 400,
  title: "Bad Request",
  text: "Your browser sent a request that this server could not understand.<br />\n",
};

const TOO_LONG: ErrorPage = {
  status: 414,
  title: "Request-URI Too Long",
  text: "The requested URL's length exceeds the capacity\nlimit for this server.<br />\n",
};

const HEADER_TOO_LONG: ErrorPage = {
  ...BAD_REQUEST,
  text: `${BAD_REQUEST.text}Size of a request header field exceeds server limit.`,
};

const MAX_LINE_BYTES = 8191; // bytes of a request's first line, and of a header

// What a web server in front refuses before the service sees it: the first that applies.
const REFUSED: readonly (readonly [applies: (request: Request) => boolean, ErrorPage])[] = [
  [(request) => lineLength(request) > MAX_LINE_BYTES, TOO_LONG],
  [
    ({ headers = {} }) => Object.entries(headers).some((header) => header.join(": ").length > MAX_LINE_BYTES),
    HEADER_TOO_LONG,
  ],
  [({ path }) => path.includes("%25"), BAD_REQUEST],
  [({ path }) => /%2f|%00/i.test(path), NOT_FOUND],
  [({ path }) => /%3f/i.test(path), FORBIDDEN],
  [({ path }) => !/^\/+rest(\.cgi)?\//.test(path), NOT_FOUND],
];

/** The web page that a request gets which the service never answers with JSON; undefined for all others. */
export function webServerError(request: Request): Reply | undefined {
  const refusal = REFUSED.find(([applies]) => applies(request));
  return refusal ? page(refusal[1]) : undefined;
}

function lineLength({ method, path, query }: Request): number {
  const shortest = query.map(([name, value]) => `${name}=${value}`).join("&");
  return `${method} ${path}${shortest === "" ? "" : "?"} HTTP/1.1`.length + encodedLength(shortest);
}

// Percent-encoding makes three bytes of everything that is not a visible ASCII character.
function encodedLength(text: string): number {
  return Buffer.from(text).reduce((length, byte) => length + (byte > 0x20 && byte < 0x7f ? 1 : 3), 0);
}

function page({ status, title, text }: ErrorPage): Reply {
  return {
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
  };
}

/** The page that everything is answered with while the tracker is shut down. */
export function shutdownPage(text: string): Reply {
  return {
    status: 503,
    headers: { "content-type": "text/html; charset=UTF-8" },
    body: `<!DOCTYPE html>
<html lang="en"><head><title>The tracker is down</title></head><body>
<h1>The tracker is down</h1>
<p>${escapeHtml(text)}</p>
</body></html>
`,
  };
}

/** JSON laid out for a person, for those who ask for a web page. */
export function jsonPage(status: number, value: unknown): Reply {
  return {
    status,
    headers: { "content-type": "text/html; charset=UTF-8" },
    body: `<!DOCTYPE html>
<html><head><title>The tracker's answer</title></head><body>
<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>
</body></html>
`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
