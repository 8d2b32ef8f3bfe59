import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { SOURCES } from "./sources.ts";

/** Where paths of the interface are written; everywhere else an operation makes the request. */
const HOMES: readonly RegExp[] = [
  /^api\/operations\//,
  /^tracker\/server\//,
  /^tracker\/demo\//, // its events are requests to the tracker, which shares no operations with the client
  /^commands\/api\//, // a person gives the path
  /^transport\/address\.ts$/, // a base URL that ends in rest.cgi takes the place of /rest
];

const ROUTE = /\/rest(?![\w. ])/;

/** Lines that show how to use `bt api`. */
const EXAMPLE = /\bbt api\b/;

test("a path of the interface occurs in its operation only", () => {
  const elsewhere = [...SOURCES].filter(([file]) => !HOMES.some((home) => home.test(file)));
  expect(elsewhere.flatMap(([, text]) => routesIn(text))).toEqual([]);
});

test.each([
  ["ask({ path: `/rest/bug/$" + "{id}` })", ["/rest/bug/"]],
  ['const path = "/rest/bug";', ["/rest/bug"]],
  ["type Path = '/rest';", ["/rest"]],
  ['const hint = "bt api GET /rest/version";', []],
  ['const address = "https://example.org/rest.cgi"; // "/rest/bug"', []],
])("%s has the routes %j", (source, routes) => {
  expect(routesIn(source)).toEqual(routes);
});

function routesIn(source: string): readonly string[] {
  if (!ROUTE.test(source)) return [];
  return textsIn(parseAst(source, { lang: "ts" })).filter((text) => ROUTE.test(text) && !EXAMPLE.test(text));
}

/** The string literals and the parts of templates below a node of a syntax tree. */
function textsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (typeof node !== "object" || node === null) return [];
  const { type, value } = node as { readonly type?: string; readonly value?: unknown };
  if (type === "Literal") return typeof value === "string" ? [value] : [];
  if (type === "TemplateElement") return [(value as { readonly raw: string }).raw];
  return Object.values(node).flatMap(textsIn);
}
