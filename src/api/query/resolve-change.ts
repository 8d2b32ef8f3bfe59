import { BtError, LOG_IN } from "../../errors.ts";
import { bugFieldRow } from "../../wire/bug-fields.ts";
import { fieldNamed, PRONOUNS } from "../../wire/search-names.ts";
import { timestamp } from "../../wire/time.ts";
import { type CatalogField, isPersonField, requireField } from "../catalog/catalog.ts";
import { legalValue } from "../catalog/legal-values.ts";
import { suggestNames } from "../nearest.ts";
import { dayAfter, daysOfPeriod, readDate } from "./dates.ts";
import type { SearchFlags } from "./flags-to-tree.ts";
import { leavesOf, type Query, type QueryContext, type Term, type UnresolvedQuery } from "./tree.ts";
import { readNumber, readYesOrNo } from "./typed-values.ts";

/** Change condition with validated field, values, user and dates. */
export function resolveChange(term: ChangeTerm, context: QueryContext): Query {
  const field = requireField(context.catalog, term.field);
  if (UNTRACKED.has(field.chart) || bugFieldRow(field.api)?.nameOf)
    throw new BtError("usage", `changes of ${field.api} are not recorded`);
  const start = (date: string): string => timestamp(readDate(date, context).start);
  const value = (text: string): string => resolveChangeValue(field, text, context);
  const { since, before } = term;
  if (since !== undefined && before !== undefined && start(since) >= start(before)) {
    throw new BtError("usage", `since ${since} and before ${before} exclude each other`);
  }
  return {
    kind: "change",
    field,
    ...(term.from === undefined ? {} : { from: value(term.from) }),
    ...(term.to === undefined ? {} : { to: value(term.to) }),
    ...(term.by === undefined ? {} : { by: changedBy(field, term.by, context) }),
    ...(term.since === undefined ? {} : { since: start(term.since) }),
    ...(term.before === undefined ? {} : { before: start(term.before) }),
  };
}

/** True if a tree contains `@me` where trackers accept no pronoun; then `me` of the context is required. */
export function needsOwnLogin(tree: UnresolvedQuery): boolean {
  return leavesOf(tree).some((term) => {
    if (term.kind === "change") return [term.from, term.to, term.by].includes("@me");
    return term.kind === "test" && term.values.some(isMe) && isWithoutMe(fieldNamed(term.field)?.chart);
  });
}

/** Like `needsOwnLogin`, for criteria given by name. */
export function criteriaNeedOwnLogin(criteria: SearchFlags): boolean {
  return Object.entries(criteria).some(
    ([name, values = []]) => /@me\b/i.test(String(values)) && isWithoutMe(fieldNamed(name)?.chart),
  );
}

/** Like `needsOwnLogin`, for a search of the search page. */
export function namesOwnLogin(texts: readonly string[]): boolean {
  const text = texts.join("&").replaceAll("%25", "%");
  return /%user%/i.test(text) && /attachments[._]submitter|commenter|changed(?:from|to|by)/i.test(text);
}

function isMe(text: string): boolean {
  return text.trim().toLowerCase() === "@me";
}

const ATTACHER = "attachments.submitter";

/** True for fields where the server does not know the pronoun of `@me`, or negates it wrongly. */
function isWithoutMe(chart: string | undefined): boolean {
  return chart === ATTACHER || chart === "commenter";
}

/** Login or pronoun for a condition on a field of people; `@me` becomes the own login where the server needs that. */
export function plainLogin(field: CatalogField, text: string, context: QueryContext): string {
  if (field.chart === ATTACHER) return resolveLogin(text, `${field.api} =`, context);
  const name = wireLogin(text);
  return isWithoutMe(field.chart) && name === PRONOUNS.me ? (context.me ?? name) : name;
}

/**
 * Login or pronoun for a row of a custom search; the own login where the server would compare the pronoun literally.
 */
export function rowLogin(text: string, { field, operator }: FieldOperator, context: QueryContext): string {
  if (!isPersonField(field) || !/^%\S+%$/.test(text)) return text;
  return operator.startsWith("changed")
    ? resolveLogin(text, `"${field.api} changed"`, context)
    : plainLogin(field, text, context);
}

type FieldOperator = { field: CatalogField; operator: string };
type ChangeTerm = Term & { kind: "change" };

const UNTRACKED: ReadonlySet<string> = new Set([
  "bug_id",
  "creation_ts",
  "delta_ts",
  "commenter",
  "content",
  "owner_idle_time",
  "last_visit_ts",
  "days_elapsed",
  "longdescs.count",
  "comment_tag",
  "tag",
  "percentage_complete",
  "reporter",
  "requestees.login_name",
  "setters.login_name",
]);

/** Histories use the tracker's spelling, so values must be legal (former names excepted). */
function resolveChangeValue(field: CatalogField, text: string, context: QueryContext): string {
  if (text.trim() === "") {
    throw new BtError("usage", `an empty value in "${field.api} changed" would match every change`);
  }
  if (isPersonField(field)) return resolveLogin(text, `"${field.api} changed"`, context);
  return CHANGED[field.family]?.(field, text, context) ?? text.trim();
}

/** Values as histories have them, by the family of a field; other texts are unchanged. */
const CHANGED: Readonly<
  Partial<Record<CatalogField["family"], (field: CatalogField, text: string, context: QueryContext) => string>>
> = {
  choice: (field, text) => legalValue(field, text),
  ranked: (field, text) => legalValue(field, text),
  number: readNumber,
  numbers: readNumber,
  "yes-no": (field, text) => (readYesOrNo(field, text) ? "1" : "0"),
  day: (field, text, context) => {
    const { start, end } = daysOfPeriod(readDate(text, context, "coming"), context.zone);
    if (end === dayAfter(start)) return start;
    throw new BtError("usage", `"${field.api} changed" requires a day, not "${text}"`, {
      hint: `use ${field.api} changed to ${start}`,
    });
  },
  moment: (field, text, context) => {
    const { start, end } = readDate(text, context);
    if (end - start <= SECOND) return timestamp(start);
    throw new BtError("usage", `"${field.api} changed" requires a time, not "${text}"`, {
      hint: `use ${field.api} changed to ${timestamp(start)}`,
    });
  },
};

const SECOND = 1000;

/**
 * Pronouns are valid for the author of a change, except on fields of people, where the server interprets them
 * differently; with the own login, the author of a comment can be negated.
 */
function changedBy(field: CatalogField, text: string, context: QueryContext): string {
  const name = wireLogin(text);
  if (isPersonField(field) || name.startsWith("%group.")) return resolveLogin(text, `"${field.api} changed"`, context);
  return field.chart === "longdesc" && name === PRONOUNS.me ? (context.me ?? name) : name;
}

function resolveLogin(text: string, place: string, { me }: QueryContext): string {
  const name = wireLogin(text);
  if (name === PRONOUNS.me && me !== undefined) return me;
  if (!name.startsWith("%")) return name;
  throw name === PRONOUNS.me
    ? new BtError("auth", "searching for @me requires a login", { hint: LOG_IN })
    : new BtError("usage", `${text} cannot be used in ${place}`, { hint: "use a login, or @me" });
}

/** Families of fields that contain logins. */
export const PEOPLE_FAMILIES: ReadonlySet<string> = new Set(["person", "people"]);

/**
 * Login as sent: `@me`, `@reporter`, `@assignee`, `@qa` and `@group.NAME` become pronouns.
 * @see https://bugzilla.readthedocs.io/en/5.2/using/finding.html
 */
export function wireLogin(text: string): string {
  const name = text.trim();
  if (/[\s:]/.test(name)) {
    throw new BtError("usage", `"${text}" is not a login`, {
      hint: /[^\s:]:/.test(name)
        ? 'negate a search term with "not": not alias:x (a leading "-" makes it a flag)'
        : `bt user search ${/\s/.test(name) ? `"${name}"` : name} shows the login`,
    });
  }
  if (!name.startsWith("@")) return name;
  const word = name.slice(1).toLowerCase();
  if (isPronoun(word)) return PRONOUNS[word];
  const [, group] = /^@group\.(.+)$/i.exec(name) ?? [];
  if (group !== undefined) return `%group.${group}%`;
  throw new BtError("usage", `unknown name "${text}"`, {
    hint: suggestNames(name, ["@me", "@reporter", "@assignee", "@qa", "@group.NAME"]),
  });
}

/** Inverse of `wireLogin`: `%user%` is `@me`; other names are unchanged. */
export function personWord(name: string): string {
  const [found] = Object.entries(PRONOUNS).find(([, pronoun]) => pronoun === name) ?? [];
  if (found !== undefined) return `@${found}`;
  const [, group] = /^%group\.(.+)%$/.exec(name) ?? [];
  return group === undefined ? name : `@group.${group}`;
}

/** True for the whole name of somebody, such as `@me`, rather than a part of a login. */
export function isPersonWord(text: string): boolean {
  return text.startsWith("@") && (isPronoun(text.slice(1).toLowerCase()) || /^@group\./i.test(text));
}

function isPronoun(word: string): word is keyof typeof PRONOUNS {
  return Object.hasOwn(PRONOUNS, word);
}
