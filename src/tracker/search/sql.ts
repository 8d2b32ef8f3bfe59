import type { SqlValue } from "../store/database.ts";

declare const madeByTag: unique symbol;

/** An SQL fragment with its bound values, in order; only the `sql` tag creates one. */
export type Sql = {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly depth: number; // slots of SQLite's parser stack that its parentheses need
  readonly [madeByTag]: true;
};

/**
 * Tag for SQL fragments: fragments are inserted as text, all other values become a bound `?`. So no
 * value of a request is ever parsed as SQL.
 */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | SqlValue)[]): Sql {
  const pieces = parts.map(toSql);
  const text = strings.map((string, index) => `${pieces[index - 1]?.text ?? ""}${string}`).join("");
  const values = pieces.flatMap((piece) => piece.values);
  return brand({ text, values, depth: Math.max(0, ...pieces.map(({ depth }) => depth)) });
}

/** A column of `bug`; no name that came with a request may stand here. */
export function bugColumn(name: string): Sql {
  if (!/^[a-z_]+$/.test(name)) throw new TypeError(`not the name of a column: ${name}`);
  return brand({ text: `bug.${name}`, values: [], depth: 0 });
}

/** Conjunction; true if `parts` is empty. */
export function and(parts: readonly Sql[]): Sql {
  return chain(parts, sql`1`, (left, right) => sql`${left} AND ${right}`);
}

/** Disjunction; false if `parts` is empty. */
export function or(parts: readonly Sql[]): Sql {
  return chain(parts, sql`0`, (left, right) => sql`${left} OR ${right}`);
}

/** The test, or its negation. */
export function not(part: Sql, isNegated = true): Sql {
  return isNegated ? sql`NOT (${part})` : part;
}

/** Subquery for the right side of IN; the values are one bound JSON text. */
export function valueList(values: readonly (string | number)[]): Sql {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Fragments separated by commas. */
export function commaList(parts: readonly Sql[]): Sql {
  return concat(parts, (left, right) => sql`${left}, ${right}`);
}

function toSql(part: Sql | SqlValue): Sql {
  return typeof part === "object" && part !== null ? part : brand({ text: "?", values: [part], depth: 0 });
}

function brand(piece: Omit<Sql, typeof madeByTag>): Sql {
  return piece as Sql;
}

type Join = (left: Sql, right: Sql) => Sql;

const MAX_CHAIN_LENGTH = 50;

// SQLite's parser stack is small: a parenthesis takes one slot, an operand after the first two more.
// So long chains are split, and deep operands come first.
function chain(parts: readonly Sql[], empty: Sql, join: Join): Sql {
  const [first = empty, second] = parts;
  if (second === undefined) return first;
  if (parts.length > MAX_CHAIN_LENGTH) {
    const starts = Array.from({ length: Math.ceil(parts.length / MAX_CHAIN_LENGTH) }, (_, at) => at * MAX_CHAIN_LENGTH);
    return chain(
      starts.map((start) => chain(parts.slice(start, start + MAX_CHAIN_LENGTH), empty, join)),
      empty,
      join,
    );
  }
  const ordered = [...parts].sort((a, b) => b.depth - a.depth);
  const depth = 1 + Math.max(...ordered.map((part, index) => part.depth + (index === 0 ? 0 : 2)));
  return brand({ ...sql`(${concat(ordered, join)})`, depth });
}

function concat(parts: readonly Sql[], join: Join): Sql {
  return parts.slice(1).reduce((left, right) => join(left, right), parts[0] ?? sql``);
}
