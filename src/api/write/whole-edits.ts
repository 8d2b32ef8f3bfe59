import { usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { isObject } from "../response/response-objects.ts";
import { answeredFlags, type FlagAnswer } from "./flag-requests.ts";

/**
 * Edit of a field that trackers only accept as a whole: a text of tokens, or a multi-select. A body holds it as `{add, remove}`
 * until it is sent; then it is applied to the value that was read.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
type WholeEdit = { readonly add: readonly string[]; readonly remove: readonly string[] };

/** Fields of a body with such an edit, or with an answer to flag requests. */
export function wholeEditNames(body: JsonObject): readonly string[] {
  return Object.keys(body).filter((name) => isEditable(name) && isObject(body[name]));
}

function isEditable(name: string): boolean {
  return name === "flags" || TOKEN_TEXTS.has(name) || name.startsWith("cf_");
}

/** Texts of which single tokens can be edited. */
const TOKEN_TEXTS: ReadonlySet<string> = new Set(
  UPDATE_BUG.parameters.flatMap(({ name, kind }) => (kind === "tokens" ? [name] : [])),
);

/** The body for one bug, with each edit applied to the bug's value. */
export function withWholeValues(body: JsonObject, bug: JsonObject = {}): JsonObject {
  const values = wholeEditNames(body).map((name) => [name, wholeValue(name, body, bug)] as const);
  return { ...body, ...Object.fromEntries(values) };
}

/** Groups items by the values that the edits of a body apply to; each group can be sent as one update. */
export function groupByEditBase<Thing>(
  things: readonly Thing[],
  editBase: (thing: Thing) => string,
): (readonly Thing[])[] {
  const groups = new Map<string, Thing[]>();
  for (const thing of things) {
    const start = editBase(thing);
    groups.set(start, [...(groups.get(start) ?? []), thing]);
  }
  return [...groups.values()];
}

/** The current values that the edits of a body apply to, as a comparable key. */
export function editBase(bug: object | undefined, body: JsonObject): string {
  const fields = (bug ?? {}) as JsonObject;
  return JSON.stringify(
    wholeEditNames(body).map((name) => (name === "flags" ? wholeValue(name, body, fields) : (fields[name] ?? ""))),
  );
}

function wholeValue(name: string, body: JsonObject, bug: JsonObject): Json {
  if (name === "flags") return answeredFlags(body[name] as FlagAnswer, bug as Pick<Bug, "flags">);
  return after(body[name] as WholeEdit, name, bug[name]);
}

function after({ add = [], remove = [] }: Partial<WholeEdit>, name: string, before: Json = null): Json {
  if (TOKEN_TEXTS.has(name)) return withTokens(before === null ? "" : String(before), { add, remove });
  const items = Array.isArray(before) ? before.map(String) : [];
  return [...items.filter((item) => !remove.includes(item)), ...add.filter((item) => !items.includes(item))];
}

/** A token of a text with the whitespace before it. */
type Piece = { readonly lead: string; readonly token: string };

/** Tokens of a text: bracketed texts and words: `[x]`, `[y]`, `foo`. */
function piecesOf(text: string): readonly Piece[] {
  return [...text.trim().matchAll(/(\s*)(\[[^[\]]*\]|[[\]]|[^\s[\]]+)/g)].map(([, lead = "", token = ""]) => ({
    lead,
    token,
  }));
}

/**
 * The token itself.
 * @throws BtError of kind usage for several tokens, or part of one
 */
export function checkedToken(text: string, name: string): string {
  const [only, ...others] = piecesOf(text);
  if (only && others.length === 0 && only.token === text && !/^[[\]]$/.test(text)) return text;
  const hint = 'a token is a word or [bracketed text]: [x] and foo in "[x] foo"';
  throw usage(`${JSON.stringify(text)} is not a single ${name} token`, hint);
}

/** A text after removing and adding tokens; the rest is unchanged. */
export function withTokens(
  text: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): string {
  const kept: Piece[] = [];
  let gap: string | undefined; // whitespace before removed tokens
  for (const { lead, token } of piecesOf(text)) {
    if (remove.includes(token)) gap = gap || lead;
    else {
      const between = gap === undefined ? lead : lead || gap || blankBetween(kept.at(-1)?.token, token);
      kept.push({ lead: between, token });
      gap = undefined;
    }
  }
  const there = new Set(kept.map(({ token }) => token));
  const added = [...new Set(add)].filter((token) => !there.has(token));
  return [...kept.map(({ lead, token }) => lead + token), ...added.map((token) => ` ${token}`)].join("").trim();
}

/** Separator between two words around a removed token; none beside brackets. */
function blankBetween(before: string | undefined, after: string): string {
  return before === undefined || before.endsWith("]") || after.startsWith("[") ? "" : " ";
}
