import { BtError } from "../../errors.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { BUG_PARAMETERS } from "../bug-numbers.ts";
import { isObject } from "../response/response-objects.ts";
import { requestBody } from "../write/update-request.ts";

/** True for the temporary name of a bug that is not created yet: `new-1`. */
export function isTemporaryName(name: string): boolean {
  return /^new-[1-9]\d{0,8}$/.test(name);
}

/** The temporary name with a number. */
export function temporaryName(number: number): string {
  return `new-${number}`;
}

/** The number in a temporary name; 0 for other texts. */
export function temporaryNumber(name: string | undefined): number {
  return name !== undefined && isTemporaryName(name) ? Number(name.slice("new-".length)) : 0;
}

/** Id that stands for a bug with a temporary name while a command runs; no tracker has as many bugs. */
export function standInId(name: string): number {
  return FIRST_STAND_IN + temporaryNumber(name);
}

const FIRST_STAND_IN = 9_000_000_000_000_000;

/** The temporary name that a stand-in id is for; other ids as they are. */
export function bugName<Id extends string | number>(id: Id): Id | string {
  return Number(id) > FIRST_STAND_IN ? temporaryName(Number(id) - FIRST_STAND_IN) : id;
}

/** The request with temporary names in place of their stand-in ids. */
export function withTemporaryNames(request: Request): Request {
  return withBugs(request, bugName);
}

/** Text with temporary names in place of stand-in ids. */
export function withNamesInText(text: string): string {
  return text.replace(/(?<!\d)#?(9000000\d{9})(?!\d)/g, (_, id: string) => bugName(id));
}

/** An error with temporary names in place of stand-in ids. */
export function withNamesInError({ kind, message, facts }: BtError): BtError {
  const { hint, details } = facts;
  return new BtError(kind, withNamesInText(message), {
    ...facts,
    hint: hint && withNamesInText(hint),
    details: details?.map(withNamesInText),
  });
}

/** The request with the numbers of bugs in place of those temporary names that are known. */
export function withRealNumbers(request: Request, numbers: ReadonlyMap<string, number>): Request {
  return withBugs(request, (value) => numbers.get(String(value)) ?? value);
}

/** The temporary names by which a request refers to bugs, or that its texts mention as bugs: "see bug new-1". */
export function mentionedNames(request: Request): readonly string[] {
  const names = new Set(temporaryNamesIn(request));
  withTexts(request, (text) => {
    for (const [, name = ""] of text.matchAll(MENTIONED)) names.add(name);
    return text;
  });
  return [...names];
}

/** The request with "bug 51" in place of "bug new-1" in its comment or description, as far as the numbers are known. */
export function withNumbersInText(request: Request, numbers: ReadonlyMap<string, number>): Request {
  return withTexts(request, (text) =>
    text.replace(MENTIONED, (mention: string, name: string) =>
      mention.replace(name, String(numbers.get(name) ?? name)),
    ),
  );
}

const MENTIONED = /\b[Bb]ug +(new-[1-9]\d{0,8})\b/g;

/** The request with its comment and description changed. */
function withTexts(request: Request, change: (text: string) => string): Request {
  const changed = (value: Json): Json => {
    if (typeof value === "string") return change(value);
    return isObject(value) && typeof value["body"] === "string" ? { ...value, body: change(value["body"]) } : value;
  };
  const isText = (name: string) => name === "comment" || name === "description";
  const body = Object.entries(requestBody(request)).map(([name, value]) => [
    name,
    isText(name) ? changed(value) : value,
  ]);
  return { ...request, body: Object.fromEntries(body) as JsonObject };
}

/** Ids with the numbers of bugs in place of those stand-in ids that are known. */
export function withRealIds(ids: readonly number[], numbers: ReadonlyMap<string, number>): readonly number[] {
  return ids.map((id) => numbers.get(String(bugName(id))) ?? id);
}

/** The temporary names by which a request refers to bugs. */
export function temporaryNamesIn(request: Request): readonly string[] {
  const names = new Set<string>();
  withBugs(request, (value) => {
    if (typeof value === "string" && isTemporaryName(value)) names.add(value);
    return value;
  });
  return [...names];
}

/** The request with each reference to a bug replaced: in the path, and in the parameters that name bugs. */
function withBugs(request: Request, replace: (bug: string | number) => string | number): Request {
  const path = request.path.replace(/^(\/rest\/bug\/)([^/]+)/, (_, start: string, bug: string) => start + replace(bug));
  const body = Object.entries(requestBody(request)).map(([name, value]) => [
    name,
    name === "ids" || BUG_PARAMETERS.has(name) ? replaced(value, replace) : value,
  ]);
  return { ...request, path, body: Object.fromEntries(body) as JsonObject };
}

function replaced(value: Json, replace: (bug: string | number) => string | number): Json {
  if (typeof value === "string" || typeof value === "number") return replace(value);
  if (Array.isArray(value)) return value.map((item: Json) => replaced(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, replace)]));
}
