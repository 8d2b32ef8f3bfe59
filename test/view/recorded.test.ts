import { expect, test } from "vitest";
import { bugCard } from "../../src/view/bug-card.ts";
import { BUG_COLUMNS, findBugColumn } from "../../src/view/bug-columns.ts";
import { HISTORY_COLUMNS, historyRows } from "../../src/view/change-rows.ts";
import { changesText, historyText } from "../../src/view/changes.ts";
import type { Column } from "../../src/view/column.ts";
import { COMMENT_COLUMNS, commentsText } from "../../src/view/comments.ts";
import { FIELD_COLUMNS, fieldCard } from "../../src/view/fields.ts";
import { listing, listText } from "../../src/view/listing.ts";
import { GROUP_COLUMNS, groupCard } from "../../src/view/people.ts";
import { FORMATS, type Format, type View } from "../../src/view/view.ts";
import { width as columnsOf } from "../../src/view/wrap.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import type { BugHistory, ChangedBug, Comment, Field, Group } from "../../src/wire/resources.ts";
import { AREAS, readConversation } from "../conformance/conversation.ts";
import { viewOf } from "./samples.ts";

const BODIES = AREAS.flatMap(readConversation).flatMap((step) => ("response" in step ? [step.response.body] : []));

/** Everything that any recorded reply holds under a key, when it looks like what is meant. */
function recorded<Thing>(key: string, has: string): readonly Thing[] {
  const found: Thing[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === key && Array.isArray(inner))
        found.push(...inner.filter((one) => one && Object.hasOwn(Object(one), has)));
      look(inner);
    }
  };
  for (const body of BODIES) look(body);
  return found;
}

const fields = recorded<Field>("fields", "display_name");
const bugs = recorded<Bug>("bugs", "summary");
const histories = recorded<BugHistory>("bugs", "history");
const changed = recorded<ChangedBug>("bugs", "changes");
const comments = recorded<Comment>("comments", "creator");
const groups = recorded<Group>("groups", "description");

const TEXTS: Readonly<Record<string, (view: View) => readonly string[]>> = {
  "cards of bugs": (view) => bugs.map((bug) => bugCard({ bug, fields }, view)),
  timelines: (view) => histories.map((history) => historyText({ history, fields }, view)),
  diffs: (view) =>
    changed.map(({ id, changes }) => changesText({ changed: [{ name: `#${id}`, changes }], fields }, view)),
  conversations: (view) => comments.map((comment) => commentsText({ comments: [comment] }, view)),
  "cards of fields": (view) => fields.map((field) => fieldCard(field, view)),
  "cards of groups": (view) => groups.map((group) => groupCard(group, view)),
};

function lists<Row>(rows: readonly Row[], columns: readonly Column<Row>[]) {
  return (view: View) =>
    (Object.keys(FORMATS) as Format[]).map((format) => listText(rows, listing(format, columns, view)));
}

const LISTS: Readonly<Record<string, (view: View) => readonly string[]>> = {
  bugs: lists(
    bugs,
    BUG_COLUMNS.flatMap((name) => findBugColumn(name, fields) ?? []),
  ),
  changes: lists(historyRows(histories), HISTORY_COLUMNS),
  comments: lists(comments, COMMENT_COLUMNS),
  fields: lists(fields, FIELD_COLUMNS),
  groups: lists(groups, GROUP_COLUMNS),
};

const NONSENSE = /undefined|NaN|\[object|(?![\n\r\t])\p{Cc}/u;

function excerpt(text: string) {
  return NONSENSE.exec(text) && text.slice(Math.max(0, text.search(NONSENSE) - 60), text.search(NONSENSE) + 60);
}

test("there are enough recordings", () => {
  const counts = [bugs, histories, changed, comments, fields, groups].map(({ length }) => length);
  expect(Math.min(...counts), String(counts)).toBeGreaterThan(20);
});

test.each(Object.keys(TEXTS))("%s of recorded data have no nonsense and fit the width", (name) => {
  for (const width of [60, 80, 200]) {
    for (const text of TEXTS[name]?.(viewOf({ width })) ?? []) {
      expect(excerpt(text)).toBeNull();
      expect(text.split("\n").filter((line) => columnsOf(line) > width && !line.includes("://"))).toEqual([]);
    }
  }
});

test.each(Object.keys(LISTS))("lists of %s of recorded data have no nonsense in any format", (name) => {
  const texts = [viewOf(), viewOf({ terminal: false })].flatMap((view) => LISTS[name]?.(view) ?? []);
  expect(texts.map(excerpt).filter(Boolean)).toEqual([]);
});
