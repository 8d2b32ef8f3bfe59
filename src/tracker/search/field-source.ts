import { type Sql, sql } from "./sql.ts";

/** How the values of a field are compared. */
export type ValueKind = "text" | "number" | "moment" | "day" | "person";

/**
 * Where the values of a field are. A test is written about one row of `from` (of the bug itself when there is no `link`);
 * `link` then says which bugs have such a row. So every operator is written once, whatever it is asked about.
 */
export type ValueSource = {
  readonly kind: ValueKind;
  readonly value: Sql; // what is compared
  readonly from: Sql; // all rows that can be compared; only what the requester may see
  readonly key: Sql; // names the thing that the value belongs to
  readonly link?: { readonly bug: Sql; readonly row: Sql }; // equal for the rows of a bug
  readonly isThere?: Sql; // which rows stand for something; all of them unless told otherwise
  readonly isList?: true; // `allwords` may be met by several rows together
  readonly reads?: (stored: string) => string; // what is compared, where it is stored in another form
  readonly restricted?: "insiders" | "time trackers"; // others are told so, or that there is no such field
};

/** A column of the bug itself. */
export function ownColumn(value: Sql, kind: ValueKind = "text"): ValueSource {
  return {
    kind,
    value,
    from: sql`visible_bugs AS bug`,
    key: sql`bug.id`,
  };
}

/** What a column of the bug refers to: its product, its component. */
export function referencedColumn(bug: Sql, table: Sql, value: Sql): ValueSource {
  return {
    kind: "text",
    value,
    from: sql`${table} AS thing`,
    key: sql`thing.id`,
    link: { bug, row: sql`thing.id` },
  };
}

/** A person in a role that one has: the assignee. */
export function bugPerson(bug: Sql, value: Sql, kind: ValueKind): ValueSource {
  return {
    kind,
    value,
    from: sql`users AS person`,
    key: sql`person.id`,
    link: { bug, row: sql`person.id` },
  };
}

/** A person in a role that may be empty: nobody then compares as an empty text does, less than everybody. */
export function optionalBugPerson(bug: Sql, value: Sql, kind: ValueKind): ValueSource {
  return {
    ...bugPerson(sql`coalesce(${bug}, 0)`, value, kind),
    from: sql`(SELECT id, login, real_name FROM users UNION ALL SELECT 0, '', '') AS person`,
    isThere: sql`person.id <> 0`,
  };
}

/** People in a role that several have: rows with `bug_id` and `user_id`. */
export function bugPeople(rows: Sql): ValueSource {
  return {
    kind: "person",
    value: sql`person.login`,
    from: sql`${rows} AS item JOIN users AS person ON person.id = item.user_id`,
    key: sql`person.id`,
    link: { bug: sql`bug.id`, row: sql`item.bug_id` },
  };
}

/** Things of which a bug has any number: rows with `bug_id`, and with `key` unless the value itself is the key. */
export function bugItems(rows: Sql, value: Sql, more: Partial<ValueSource> = {}): ValueSource {
  return {
    kind: "text",
    value,
    from: sql`${rows} AS item`,
    key: value,
    link: { bug: sql`bug.id`, row: sql`item.bug_id` },
    isList: true,
    ...more,
  };
}

/** What a test about a row says about the bug. */
export function bugTest({ link, from }: ValueSource, test: Sql): Sql {
  return link ? sql`${link.bug} IN (SELECT ${link.row} FROM ${from} WHERE ${test})` : test;
}
