import { Fault } from "../values.ts";
import { isInRange, readChangeTime, sameValueTest, splitWords, userIdNamed, valueTest } from "./compare.ts";
import {
  allCriteria,
  type Condition,
  type ConditionGroup,
  type Criterion,
  findOperator,
  type Operator,
  type SearchContext,
} from "./condition.ts";
import { checkSearchField, fieldSource, notComparableFault, type ValueSource } from "./search-fields.ts";
import { and, not, or, type Sql, sql } from "./sql.ts";

/**
 * A condition, or its negation, as SQL test of the row `bug` of visible_bugs; undefined if empty.
 * Tests are never NULL, so that NOT can be pushed down to the criteria.
 */
export function compileCondition(context: SearchContext, condition: Condition, isNegated = false): Sql | undefined {
  if (condition.kind === "not") return compileCondition(context, condition.part, !isNegated);
  if (condition.kind === "group" && condition.join !== "AND_G") {
    const parts = condition.parts.flatMap((part) => compileCondition(context, part, isNegated) ?? []);
    const join = (condition.join === "AND") === isNegated ? or : and;
    return parts.length === 0 ? undefined : join(parts);
  }
  const test = condition.kind === "criterion" ? criterionTest(context, condition) : sameChangeTest(context, condition);
  return test && not(test, isNegated);
}

function criterionTest(context: SearchContext, criterion: Criterion): Sql {
  checkSearchField(context, criterion.field);
  const operator = findOperator(criterion.operator);
  if (criterion.field === "owner_idle_time") return idleTest(context, criterion, operator);
  if (criterion.field === "content" || operator.about === "fulltext") return contentTest(context, criterion, operator);
  if (operator.about === "change")
    return historyTest(context, criterion.field, [changeTest(context, criterion, operator.name)]);
  const source = fieldSource(context, criterion.field);
  return operator.about === "value"
    ? comparisonTest(context, source, criterion, operator)
    : not(bugTest(context, source, source.isSet ?? sql`1`), !operator.isNegative);
}

/** Test of the bug from a test of a row of the source. */
function bugTest(context: SearchContext, source: ValueSource, test: Sql): Sql {
  const { link, from } = source;
  return link
    ? sql`${link.bug} IN (SELECT ${link.row} FROM ${from} WHERE ${isInRange(context, source)} AND ${test})`
    : test;
}

function comparisonTest(
  context: SearchContext,
  source: ValueSource,
  criterion: Criterion,
  { name, isNegative }: Operator,
): Sql {
  const words = splitWords(criterion.text);
  if (name.includes("words") && words.length === 0) context.reportIgnored(criterion.field, "it has no words");
  const test = (text: string) => valueTest({ context, source, operator: name, criterion: { ...criterion, text } });
  if (isNegative && NEGATED_PER_VALUE.has(criterion.field)) return bugTest(context, source, not(test(criterion.text)));
  const isSpread = source.isList && name.startsWith("allwords");
  const found = and((isSpread ? words : [criterion.text]).map((text) => bugTest(context, source, test(text))));
  return not(found, isNegative);
}

/**
 * Fields whose negative operators match a bug with any value that does not match, as in Bugzilla.
 * Elsewhere, and for negated rows, a bug matches if none of its values does.
 */
const NEGATED_PER_VALUE: ReadonlySet<string> = new Set(["alias", "longdesc"]);

/** SQL test of an AND_G group: one change of its field meets all criteria. */
function sameChangeTest(context: SearchContext, { parts }: ConditionGroup): Sql | undefined {
  const fields = new Set(parts.flatMap(allCriteria).map((criterion) => criterion.field));
  const [field] = fields;
  if (field === undefined) return undefined;
  checkSearchField(context, field);
  const tests = parts.map((part) => {
    const criterion = part.kind === "not" ? part.part : part;
    const operator = criterion.kind === "criterion" ? findOperator(criterion.operator) : undefined;
    if (criterion.kind !== "criterion" || operator?.about !== "change" || fields.size > 1)
      throw new Fault("other", "Conditions joined by AND_G must be about changes of one field.");
    return not(changeTest(context, criterion, operator.name), part.kind === "not");
  });
  return historyTest(context, field, tests);
}

function contentTest({ lowest }: SearchContext, criterion: Criterion, operator: Operator): Sql {
  if (criterion.field !== "content" || operator.about !== "fulltext") {
    throw new Fault(
      "other",
      'The "content" field can only be used with "matches" search and the "matches" search can only be used with the "content" field.',
    );
  }
  return not(fulltextTest(criterion.text, lowest), operator.isNegative);
}

/** SQL test for the assignee's activity on any visible bug since a time. */
function idleTest({ now }: SearchContext, { field, text }: Criterion, operator: Operator): Sql {
  if (!/^(less|greater)/.test(operator.name)) throw notComparableFault(field);
  const since = readChangeTime(text, now);
  const active = sql`bug.assigned_to_id IN (
    SELECT creator_id FROM visible_comments WHERE creation_time > ${since}
    UNION SELECT user_id FROM visible_activity WHERE time > ${since})`;
  return not(active, operator.name.startsWith("greater"));
}

/** SQL test for a change of a field that meets all tests of the row `event`. */
function historyTest({ lowest = 0 }: SearchContext, field: string, tests: readonly Sql[]): Sql {
  const special = Object.hasOwn(EVENTS, field) ? EVENTS[field] : undefined;
  const events =
    special ?? sql`(SELECT bug_id, user_id, time, removed, added FROM visible_activity WHERE field = ${field})`;
  const inRange = lowest === 0 ? [] : [sql`event.bug_id >= ${lowest}`];
  return sql`bug.id IN (SELECT event.bug_id FROM ${events} AS event WHERE ${and([...tests, ...inRange])})`;
}

const COMMENTS = sql`(
  SELECT bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, '' AS added FROM visible_comments)`;

/** Changes that are not in the history table: comments, hours worked and the creation of a bug. */
const EVENTS: Readonly<Record<string, Sql>> = {
  longdesc: COMMENTS,
  "longdescs.count": COMMENTS,
  work_time: sql`(SELECT bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, work_time AS added
    FROM visible_comments WHERE work_time <> 0)`,
  creation_ts: sql`(SELECT id AS bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, '' AS added
    FROM visible_bugs)`,
};

function changeTest(context: SearchContext, criterion: Criterion, operator: string): Sql {
  const { text } = criterion;
  switch (operator) {
    case "changedbefore":
      return sql`event.time <= ${readChangeTime(text, context.now)}`;
    case "changedafter":
      return sql`event.time >= ${readChangeTime(text, context.now)}`;
    case "changedby":
      return sql`event.user_id = ${userIdNamed(context, text)}`;
    case "changedfrom":
      return sameValueTest(sql`event.removed`, criterion);
    default:
      return sameValueTest(sql`event.added`, criterion);
  }
}

/**
 * SQL test for a full-text match in the summary or in visible comments. Any of the plain words
 * matches; `+word` is required, `-word` excluded, `"..."` a phrase. `lowest` is the first bug whose
 * words are read. It is one list of bugs: SQLite would test each bug for each of two.
 */
function fulltextTest(text: string, lowest = 0): Sql {
  const { "": optional = [], "+": required = [], "-": excluded = [] } = readQuery(text);
  const found = required.length > 0 ? required : optional.slice(0, 1).map(() => optional.join(" OR "));
  const [first, ...others] = found.map((word) => bugsWithComment(word, lowest));
  if (first === undefined) return sql`0`;
  const inSummary = [`(${found.join(") AND (")})`, ...excluded].join(" NOT ");
  let inComments = first;
  for (const bugs of others) inComments = sql`${inComments} INTERSECT ${bugs}`;
  for (const word of excluded) inComments = sql`${inComments} EXCEPT ${bugsWithComment(word, lowest)}`;
  return sql`bug.id IN (
    SELECT rowid FROM summary_words WHERE summary_words MATCH ${inSummary} AND rowid >= ${lowest}
    UNION ALL SELECT bug_id FROM (${inComments}))`;
}

function bugsWithComment(match: string, lowest: number): Sql {
  return sql`SELECT comment.bug_id FROM comment_words JOIN visible_comments AS comment ON ${COMMENT_OF_WORD}
    WHERE comment_words MATCH ${match} AND comment_words.rowid >= ${lowest} << 32`;
}

const COMMENT_OF_WORD = sql`comment.id = comment_words.rowid & 4294967295`;

/** SQL rows of `bug_id` and `weight`: words found in the summary plus comments that contain them. */
export function relevanceWeights(texts: readonly string[]): Sql {
  const words = texts.map(readQuery).flatMap(({ "": optional = [], "+": required = [] }) => [...optional, ...required]);
  const list = sql`json_each(${JSON.stringify(words)}) AS word`;
  return sql`(
    SELECT bug_id, count(*) AS weight FROM (
      SELECT summary_words.rowid AS bug_id FROM ${list} JOIN summary_words ON summary_words MATCH word.value
      UNION ALL
      SELECT comment.bug_id FROM ${list} JOIN comment_words ON comment_words MATCH word.value
        JOIN visible_comments AS comment ON ${COMMENT_OF_WORD})
    GROUP BY bug_id)`;
}

/** The phrases of a query by the sign before them, quoted, so that no word is an FTS operator. */
function readQuery(text: string): Partial<Record<string, string[]>> {
  const phrases: Partial<Record<string, string[]>> = {};
  for (const [, sign = "", word = ""] of text.matchAll(/([+-]?)("[^"]*"?|[^\s"()]+)/g)) {
    const ending = word.endsWith("*") ? "*" : ""; // after the quotes, a prefix search
    const phrase = `"${word.replace(/["*]/g, " ")}"${ending}`;
    if (/[\p{L}\p{N}]/u.test(word)) phrases[sign] = [...(phrases[sign] ?? []), phrase];
  }
  return phrases;
}
