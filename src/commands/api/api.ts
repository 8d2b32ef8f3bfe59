import { responseOf } from "../../api/delivery/outcome.ts";
import { sendWrite } from "../../api/delivery/send-write.ts";
import { grouped } from "../../api/lists.ts";
import { withOperation } from "../../api/operations/known-operations.ts";
import { readResponse } from "../../api/response/response.ts";
import { unexpectedShapeError } from "../../api/response/response-objects.ts";
import { usageError } from "../../errors.ts";
import { escapeJson, plain } from "../../view/text.ts";
import { isRead, type Json, type JsonObject, type Request, type Response } from "../../wire/exchange.ts";
import { isObject, jsonProblem } from "../../wire/json.ts";
import { readSource } from "../shared/text.ts";
import type { Context } from "../verb.ts";

type ApiInput = {
  args: string[];
  readonly field: readonly string[];
  readonly typedField: readonly string[];
  readonly input?: string | undefined;
  readonly paginate: boolean;
  readonly jq?: string | undefined;
};

/**
 * `bt api`: sends a request and prints the response; an error response is printed, too, and determines the exit code.
 */
export async function runApi(input: ApiInput, context: Context): Promise<void> {
  const request = withOperation(await readRequest(input, context));
  if (input.paginate) return printPages(request, context);
  if (!isRead(request)) return deliverWrite(request, context);
  const response = await context.session.exchange(request);
  await printBody(response, context);
  readResponse(response, request);
}

/** Prints every page of a search as received, to one that is empty or shorter than the last. */
async function printPages(request: Request, context: Context): Promise<void> {
  if (request.method !== "GET" || request.path !== "/rest/bug") {
    throw usageError("--paginate requires GET /rest/bug, the only resource with pages");
  }
  const query = request.query.filter(([name]) => name !== "offset");
  let offset = Number(request.query.find(([name]) => name === "offset")?.[1] ?? 0);
  let pageLength = 0;
  for (;;) {
    const page = { ...request, query: [...query, ["offset", String(offset)] as const] };
    const response = await context.session.exchange(page);
    await printBody(response, context);
    readResponse(response, page);
    const { bugs } = JSON.parse(response.body);
    if (!Array.isArray(bugs)) throw unexpectedShapeError('an array named "bugs"');
    if (bugs.length === 0 || bugs.length < pageLength) return;
    pageLength = bugs.length;
    offset += pageLength;
  }
}

/** Delivers a write; after a lost response, prints the verified result in its place. */
async function deliverWrite(request: Request, context: Context): Promise<void> {
  const journal = await context.session.journal();
  const write = { request };
  const outcome = await journal.begin({ command: "api", writes: [write] }, (job) => sendWrite(0, write, job));
  if (outcome.raw) await printBody(outcome.raw, context);
  else if (outcome.st === "applied") await printBody({ body: JSON.stringify(outcome.response) }, context);
  responseOf(outcome);
}

/** Prints a body as received; on a terminal, indented and without control characters. */
async function printBody({ body }: Pick<Response, "body">, { io }: Context): Promise<void> {
  if (!io.terminal.stdout) return io.out(body === "" || body.endsWith("\n") ? body : `${body}\n`);
  const text = jsonProblem(body) ? plain(body, "lines") : escapeJson(JSON.stringify(JSON.parse(body), null, 2));
  await io.out(`${text}\n`);
}

async function readRequest(input: ApiInput, context: Context): Promise<Request> {
  const [method, path] = parseMethodAndPath(input.args);
  const pairs = [...parsePairs(input.field), ...parsePairs(input.typedField, jsonOrText)];
  const { input: source } = input;
  if (source !== undefined) {
    if (pairs.length > 0) throw usageError("--input cannot be used together with -f or -F");
    return { method, path, query: [], body: await readBody(source, context) };
  }
  if (method === "GET") return { method, path, query: pairs.map(([name, value]) => [name, queryText(value)] as const) };
  return { method, path, query: [], body: pairsObject(pairs) };
}

/** A method (GET if absent) and a path, which may lack `/rest`. */
function parseMethodAndPath([first = "", second]: string[]): [string, string] {
  const [method, path] = second === undefined ? ["GET", first] : [first.toUpperCase(), second];
  if (!METHOD.test(method) || METHOD.test(path))
    throw usageError("bt api takes a method and a path", "bt api GET /rest/version");
  const full = path.replace(/^\/?(?:rest(?:\/|$))?/, "/rest/");
  if (NOT_IN_PATHS.test(full))
    throw usageError(`invalid path ${path}`, "for example /rest/bug/7, and -f name=value for parameters");
  return [method, full];
}

/** A query, a fragment, white space, another address, a relative part, and a broken escape. */
const NOT_IN_PATHS = /[?#\s]|:\/\/|\/\.\.?(\/|$)|%(?![0-9a-f]{2})/i;
const METHOD = /^(GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH)$/;

type Pair = [name: string, value: Json];

function parsePairs(texts: readonly string[], readValue: (text: string) => Json = (text) => text): Pair[] {
  return texts.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw usageError(`${JSON.stringify(text)} is not name=value`);
    return [text.slice(0, at), readValue(text.slice(at + 1))];
  });
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function queryText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Object of name-value pairs; repeated names become a list. */
function pairsObject(pairs: Pair[]): JsonObject {
  const groups = [...grouped(pairs, ([name]) => name)];
  return Object.fromEntries(
    groups.map(([name, equallyNamed]) => {
      const values = equallyNamed.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] ?? null) : values];
    }),
  );
}

async function readBody(source: string, context: Context): Promise<JsonObject> {
  const text = await readSource(source, context);
  const problem = jsonProblem(text);
  const body = problem === undefined ? (JSON.parse(text) as Json) : undefined;
  if (isObject(body)) return body;
  throw usageError(`invalid body from ${source === "-" ? "stdin" : source}: ${problem ?? "not a JSON object"}`);
}
