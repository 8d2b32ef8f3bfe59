import { and, type Sql, sql } from "./sql.ts";

/** Type of a field's values, which decides how they are compared. */
export type ValueKind = "text" | "number" | "moment" | "day" | "person";

/**
 * SQL source of a field's values. A test is about one row of `from`, which `link` joins to the bug; without `link` it is
 * about the bug itself. So each operator is written once for all fields.
 */
export type ValueSource = {
  kind: ValueKind;
  value: Sql; // the value compared
  from: Sql; // rows visible to the requester
  key: Sql; // identifies the row
  link?: { bug: Sql; row: Sql }; // `row` equals `bug` for the rows of a bug
  within?: Sql; // test for the rows of the bugs that the search is about; default: all
  isSet?: Sql; // rows that count as set; default: all
  isList?: true | undefined; // several rows together may meet `allwords`
  decode?: (stored: string) => string; // converts the stored form for comparison
  restricted?: "insiders" | "time trackers"; // others get fault 304, or 108 as for an unknown field
};

/** Source of a column of the bug itself. */
export function ownColumn(value: Sql, kind: ValueKind = "text"): ValueSource {
  return {
    kind,
    value,
    from: sql`visible_bugs AS bug`,
    key: sql`bug.id`,
  };
}

/** Source of `value`, a column of a table such as products; `bug` is the id in the bug's row that refers to it. */
export function referencedColumn(bug: Sql, table: Sql, value: Sql): ValueSource {
  return {
    kind: "text",
    value,
    from: sql`${table} AS thing`,
    key: sql`thing.id`,
    link: { bug, row: sql`thing.id` },
  };
}

/** Source of a user in a mandatory role, as assignee. */
export function bugPerson(bug: Sql, value: Sql, kind: ValueKind): ValueSource {
  return {
    kind,
    value,
    from: sql`users AS person`,
    key: sql`person.id`,
    link: { bug, row: sql`person.id` },
  };
}

/** Source of a user in an optional role; nobody compares as "". */
export function optionalBugPerson(bug: Sql, value: Sql, kind: ValueKind): ValueSource {
  return {
    ...bugPerson(sql`coalesce(${bug}, 0)`, value, kind),
    from: sql`(SELECT id, login, real_name FROM users UNION ALL SELECT 0, '', '') AS person`,
    isSet: sql`person.id <> 0`,
  };
}

/** Source of users in a role with several users; `rows` has `bug_id` and `user_id`. */
export function bugPeople(rows: Sql): ValueSource {
  return {
    kind: "person",
    value: sql`person.login`,
    from: sql`${rows} AS item JOIN users AS person ON person.id = item.user_id`,
    key: sql`person.id`,
    link: { bug: sql`bug.id`, row: sql`item.bug_id` },
  };
}

/** Source of a list of the bug; `rows` has `bug_id`. The value is the key unless overridden. */
export function bugItems(rows: Sql, value: Sql, overrides: Partial<ValueSource> = {}): ValueSource {
  return {
    kind: "text",
    value,
    from: sql`${rows} AS item`,
    key: value,
    link: { bug: sql`bug.id`, row: sql`item.bug_id` },
    isList: true,
    ...overrides,
  };
}

/** Test of the bug from a test of a row of the source. */
export function bugTest({ link, from, within }: ValueSource, test: Sql): Sql {
  return link
    ? sql`${link.bug} IN (SELECT ${link.row} FROM ${from} WHERE ${within ? and([within, test]) : test})`
    : test;
}

/** The source without the rows of bugs below a number. Rows that several bugs refer to, such as products, stay. */
export function fromBug(source: ValueSource, lowest: number): ValueSource {
  const { link } = source;
  if (!link) return { ...source, within: sql`bug.id >= ${lowest}` };
  return link.bug.text === "bug.id" ? { ...source, within: sql`${link.row} >= ${lowest}` } : source;
}
