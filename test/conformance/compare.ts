import type { Json } from "../../src/wire/exchange.ts";

/** The parts of a reply that are compared. */
export type Compared = { readonly status: number; readonly content_type: string | null; readonly body: Json };

/** Where two replies differ, as sentences `path: wanted … got …`; nothing when they are equal. */
export function differences(wanted: Compared, got: Compared): readonly string[] {
  return [
    ...differ("status", wanted.status, got.status),
    ...differ("content type", wanted.content_type, got.content_type),
    ...differ("body", normal(wanted.body, ""), normal(got.body, "")),
  ];
}

function differ(path: string, wanted: Json, got: Json): readonly string[] {
  if (Array.isArray(wanted) && Array.isArray(got) && wanted.length === got.length) {
    return wanted.flatMap((item, index) => differ(`${path}[${index}]`, item as Json, got[index] as Json));
  }
  if (isObject(wanted) && isObject(got)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(got)])].sort();
    return keys.flatMap((key) => differMember(`${path}.${key}`, wanted[key], got[key]));
  }
  return JSON.stringify(wanted) === JSON.stringify(got) ? [] : [`${path}: wanted ${show(wanted)} got ${show(got)}`];
}

function differMember(path: string, wanted: Json | undefined, got: Json | undefined): readonly string[] {
  if (wanted === undefined) return [`${path}: not wanted, got ${show(got)}`];
  return got === undefined ? [`${path}: missing, wanted ${show(wanted)}`] : differ(path, wanted, got);
}

// Arrays that the recorded server gave in a random order.
const UNORDERED = new Set([
  "ids",
  "products",
  "users",
  "fields",
  "changes",
  "bug",
  "attachment",
  "groups",
  "membership",
  "components",
  "versions",
  "milestones",
  "tags",
]);
// The recorded server names the fields that fit in a random order.
const FIELDS = /( matches more than one field: )(.*)$/;
const TIME = /^2026-11-20T0[567]:\d\d:\d\dZ$/;

// Times of the conversation itself, tokens and names of the recorded machine differ from run to run.
function normal(value: Json, key: string): Json {
  if (typeof value === "string") return normalText(value, key);
  if (Array.isArray(value)) {
    const items = value.map((item) => normal(item as Json, ""));
    return UNORDERED.has(key) || (key === "" && items.every((item) => typeof item === "string"))
      ? sorted(items)
      : items;
  }
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normal(member, name)]))
    : value;
}

function normalText(text: string, key: string): string {
  if (key === "update_token") return "{update_token}";
  if (key === "token") return text.replace(/-.*$/, "-{token}");
  if ((key === "added" || key === "removed") && text.includes(", ")) return text.split(", ").sort().join(", ");
  return TIME.test(text)
    ? "{time}"
    : text
        .replace(/2026-11-20 0\d:\d\d UTC/, "{time}")
        .replace(" at {server_file}", "")
        .replace(FIELDS, (_all, start, names) => start + names.split(", ").sort().join(", "));
}

function sorted(items: readonly Json[]): readonly Json[] {
  return [...items].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_key, member: Json) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
