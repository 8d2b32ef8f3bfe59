import { Fault } from "../values.ts";
import { findUserId, rangeTest, readChangeTime, sameValueTest, splitWords, valueTest } from "./compare.ts";
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
import { and, not, notIf, or, type Sql, sql } from "./sql.ts";

/**
 * A condition, or its negation, as SQL test of the row `bug` of visible_bugs, which is never NULL; undefined if it has no
 * criteria. The criteria are negated, not the groups: each NOT takes three of the 100 levels of SQLite's parser.
 */
export function compileCondition(context: SearchContext, condition: Condition, isNegated = false): Sql | undefined {
  if (condition.kind === "not") return compileCondition(context, condition.part, !isNegated);
  if (condition.kind === "criterion") return notIf(isNegated, criterionTest(context, condition));
  if (condition.join === "AND_G") {
    const test = sameChangeTest(context, condition);
    return test && notIf(isNegated, test);
  }
  const parts = condition.parts.flatMap((part) => compileCondition(context, part, isNegated) ?? []);
  if (parts.length === 0) return undefined;
  const isConjunction = (condition.join === "AND") !== isNegated; // NOT (a AND b) is NOT a OR NOT b
  return isConjunction ? and(parts) : or(parts);
}

function criterionTest(context: SearchContext, criterion: Criterion): Sql {
  checkSearchField(context, criterion.field);
  const operator = findOperator(criterion.operator);
  if (criterion.field === "owner_idle_time") return idleTest(context, criterion, operator);
  if (criterion.field === "content" || operator.kind === "fulltext") return contentTest(context, criterion, operator);
  if (operator.kind === "change")
    return historyTest(context, criterion.field, [changeTest(context, criterion, operator.name)]);
  const source = fieldSource(context, criterion.field);
  if (operator.kind === "value") return comparisonTest(context, source, criterion, operator);
  const isSet = bugTest(context, source, source.isSet ?? sql`1`);
  return operator.isNegative ? isSet : not(isSet); // isnotempty, isempty
}

/** Test of the bug from a test of a row of the source. */
function bugTest(context: SearchContext, source: ValueSource, test: Sql): Sql {
  const { link, from } = source;
  return link
    ? sql`${link.bugKey} IN (SELECT ${link.rowKey} FROM ${from} WHERE ${rangeTest(context, source)} AND ${test})`
    : test;
}

/**
 * Test of the bug: one of its values meets the operator; for a negative operator, none meets its
 * positive form, or, in a field that is NEGATED_PER_VALUE, one does not meet it.
 */
function comparisonTest(
  context: SearchContext,
  source: ValueSource,
  criterion: Criterion,
  { name, isNegative }: Operator,
): Sql {
  const words = splitWords(criterion.text);
  if (name.includes("words") && words.length === 0) context.reportIgnored(criterion.field, "it has no words");
  const rowTest = (text: string) => valueTest({ context, source, operator: name, criterion: { ...criterion, text } });
  if (isNegative && NEGATED_PER_VALUE.has(criterion.field))
    return bugTest(context, source, not(rowTest(criterion.text)));
  // each word of allwords may be in another value of a list
  const texts = source.isList && name.startsWith("allwords") ? words : [criterion.text];
  return notIf(isNegative, and(texts.map((text) => bugTest(context, source, rowTest(text)))));
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
    if (criterion.kind !== "criterion" || operator?.kind !== "change" || fields.size > 1)
      throw new Fault("other", "Conditions joined by AND_G must be about changes of one field.");
    return notIf(part.kind === "not", changeTest(context, criterion, operator.name));
  });
  return historyTest(context, field, tests);
}

function contentTest({ minBugId }: SearchContext, criterion: Criterion, operator: Operator): Sql {
  if (criterion.field !== "content" || operator.kind !== "fulltext") {
    throw new Fault(
      "other",
      'The "content" field can only be used with "matches" search and the "matches" search can only be used with the "content" field.',
    );
  }
  return notIf(operator.isNegative, fulltextTest(criterion.text, minBugId));
}

/** SQL test of the assignee: idle for less than a time if active on any visible bug since then. */
function idleTest({ now }: SearchContext, { field, text }: Criterion, operator: Operator): Sql {
  if (!/^(less|greater)/.test(operator.name)) throw notComparableFault(field);
  const since = readChangeTime(text, now);
  const active = sql`bug.assigned_to_id IN (
    SELECT creator_id FROM visible_comments WHERE creation_time > ${since}
    UNION SELECT user_id FROM visible_activity WHERE time > ${since})`;
  return notIf(operator.name.startsWith("greater"), active);
}

/** SQL test of a bug for a change of a field that meets all `tests` of the row `event`. */
function historyTest({ minBugId = 0 }: SearchContext, field: string, tests: readonly Sql[]): Sql {
  const events =
    EVENTS[field] ?? sql`(SELECT bug_id, user_id, time, removed, added FROM visible_activity WHERE field = ${field})`;
  const inRange = minBugId === 0 ? [] : [sql`event.bug_id >= ${minBugId}`];
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

/** SQL test of the row `event`, a change. */
function changeTest(context: SearchContext, criterion: Criterion, operator: string): Sql {
  const { text } = criterion;
  switch (operator) {
    case "changedbefore":
      return sql`event.time <= ${readChangeTime(text, context.now)}`;
    case "changedafter":
      return sql`event.time >= ${readChangeTime(text, context.now)}`;
    case "changedby":
      return sql`event.user_id = ${findUserId(context, text)}`;
    case "changedfrom":
      return sameValueTest(sql`event.removed`, criterion);
    default:
      return sameValueTest(sql`event.added`, criterion);
  }
}

/**
 * SQL test for a full-text match in the summary or in visible comments, from the bug `minBugId` on. Required phrases may be
 * in several comments; without them any optional phrase matches. Summaries and comments are one IN list: SQLite would test
 * each bug for each of two.
 */
function fulltextTest(text: string, minBugId = 0): Sql {
  const { optional, required, excluded } = parseFulltextQuery(text);
  const anyOptional = optional.length > 0 ? [optional.join(" OR ")] : [];
  const patterns = required.length > 0 ? required : anyOptional;
  const [first, ...others] = patterns.map((pattern) => bugsWithComment(pattern, minBugId));
  if (first === undefined) return sql`0`;
  const inSummary = [`(${patterns.join(") AND (")})`, ...excluded].join(" NOT ");
  let inComments = first;
  for (const bugs of others) inComments = sql`${inComments} INTERSECT ${bugs}`;
  for (const phrase of excluded) inComments = sql`${inComments} EXCEPT ${bugsWithComment(phrase, minBugId)}`;
  return sql`bug.id IN (
    SELECT rowid FROM summary_words WHERE summary_words MATCH ${inSummary} AND rowid >= ${minBugId}
    UNION ALL SELECT bug_id FROM (${inComments}))`;
}

/** Bugs from `minBugId` on that have a visible comment with the pattern. */
function bugsWithComment(pattern: string, minBugId: number): Sql {
  return sql`SELECT comment.bug_id FROM comment_words JOIN visible_comments AS comment ON ${COMMENT_OF_WORD}
    WHERE comment_words MATCH ${pattern} AND comment_words.rowid >= ${minBugId} << 32`;
}

// the number of a row is that of the bug << 32 | that of the comment
const COMMENT_OF_WORD = sql`comment.id = comment_words.rowid & 4294967295`;

/** SQL rows of `bug_id` and `weight`: each phrase counts in the summary and in each comment. */
export function relevanceWeights(texts: readonly string[]): Sql {
  const phrases = texts.map(parseFulltextQuery).flatMap(({ optional, required }) => [...optional, ...required]);
  const list = sql`json_each(${JSON.stringify(phrases)}) AS phrase`;
  return sql`(
    SELECT bug_id, count(*) AS weight FROM (
      SELECT summary_words.rowid AS bug_id FROM ${list} JOIN summary_words ON summary_words MATCH phrase.value
      UNION ALL
      SELECT comment.bug_id FROM ${list} JOIN comment_words ON comment_words MATCH phrase.value
        JOIN visible_comments AS comment ON ${COMMENT_OF_WORD})
    GROUP BY bug_id)`;
}

/** Phrases of `word +required -excluded "two words" prefix*`, quoted: FTS5 has words as operators. */
function parseFulltextQuery(text: string): Record<"optional" | "required" | "excluded", string[]> {
  const [optional, required, excluded]: [string[], string[], string[]] = [[], [], []];
  for (const [, sign, word = ""] of text.matchAll(/([+-]?)("[^"]*"?|[^\s"()]+)/g)) {
    if (!/[\p{L}\p{N}]/u.test(word)) continue;
    const phrase = `"${word.replace(/["*]/g, " ")}"${word.endsWith("*") ? "*" : ""}`;
    if (sign === "+") required.push(phrase);
    else if (sign === "-") excluded.push(phrase);
    else optional.push(phrase);
  }
  return { optional, required, excluded };
}
