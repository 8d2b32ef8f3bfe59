import { evaluate } from "../../src/api/query/evaluate.ts";
import { allOf, anyOf, type Leaf, mapLeaves, type Query } from "../../src/api/query/tree.ts";
import { fieldNamed } from "../../src/wire/search-names.ts";
import type { KnownBug } from "./open-world.ts";
import { ASKER, MEMBERS, NOW } from "./world.ts";

/** True if a bug meets a query, found out from its JSON, comments and history alone. */
export function isMet(query: Query, known: KnownBug): boolean {
  return evaluate(
    mapLeaves<Leaf, Leaf>(query, (leaf) => decided(leaf, known)),
    known.bug,
    { login: ASKER },
  );
}

/** Conditions that bug JSON cannot show become "every bug" or "no bug"; the others stay. */
function decided(leaf: Leaf, known: KnownBug): Query {
  if (leaf.kind === "change") return constant(isChanged(leaf, known));
  if (leaf.kind === "flag") return leaf;
  if (leaf.field.api === "fulltext") return constant(hasWord(known, leaf.values[0] ?? ""));
  const read = Object.hasOwn(READ, leaf.field.api) ? READ[leaf.field.api] : undefined;
  if (read === undefined) return { ...leaf, values: leaf.values.flatMap(membersOf) };
  const items = read(known);
  const asItems: Query = { ...leaf, field: { ...leaf.field, api: "see_also" } };
  const isShown = evaluate(asItems, { id: 1, see_also: items }, { login: ASKER });
  return constant(isShown);
}

function membersOf(value: string): readonly string[] {
  const [, group] = /^%group\.(.+)%$/.exec(value) ?? [];
  return group === undefined ? [value] : (MEMBERS[group] ?? []);
}

function constant(isTrue: boolean): Query {
  return isTrue ? allOf([]) : anyOf([]);
}

function hasWord({ bug, comments }: KnownBug, word: string): boolean {
  return [bug.summary ?? "", ...comments.map(({ text }) => text)].some((text) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .includes(word),
  );
}

function daysSince(time: string): number {
  return (startOfDay(NOW.getTime()) - startOfDay(Date.parse(time))) / DAY;
}

function startOfDay(moment: number): number {
  return moment - (moment % DAY);
}

const DAY = 86_400_000;

/** Facts of the comments and attachments of a bug, as a list of texts. */
const READ: Readonly<Record<string, (known: KnownBug) => readonly string[]>> = {
  comment: ({ comments }) => comments.map(({ text }) => text),
  commenter: ({ comments }) => comments.map(({ creator }) => creator),
  comments: ({ comments }) => [String(comments.length)],
  comment_tag: ({ comments }) => comments.flatMap(({ tags = [] }) => tags),
  attachment: ({ attachments }) => attachments.map(({ file_name }) => file_name),
  attachment_type: ({ attachments }) => attachments.map(({ content_type }) => content_type),
  attacher: ({ attachments }) => attachments.map(({ creator }) => creator),
  patch: ({ attachments }) => attachments.map(({ is_patch }) => String(is_patch)),
  obsolete: ({ attachments }) => attachments.map(({ is_obsolete }) => String(is_obsolete)),
  days_elapsed: ({ bug }) => [String(daysSince(bug.last_change_time ?? ""))],
  private_comment: ({ comments }) => comments.map(({ is_private }) => (is_private ? "1" : "0")),
};

function isChanged(change: Leaf & { readonly kind: "change" }, { history }: KnownBug): boolean {
  return history.some(({ when, who, changes }) =>
    changes.some(
      ({ field_name, removed, added }) =>
        (fieldNamed(field_name)?.chart ?? field_name) === change.field.chart &&
        (change.from === undefined || same(removed, change.from)) &&
        (change.to === undefined || same(added, change.to)) &&
        (change.by === undefined || same(who, change.by.replace("%user%", ASKER))) &&
        (change.since === undefined || when >= change.since) &&
        (change.before === undefined || when < change.before),
    ),
  );
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
