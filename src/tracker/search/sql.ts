import type { SqlValue } from "../store/store.ts";

declare const madeHere: unique symbol;

/** An SQL fragment with its bound values, in order; only the functions of this file create one. */
export type Sql = {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly [madeHere]: true;
};

/** Tag for SQL: fragments are inserted, values bound as `?`, so that none of a request is parsed. */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | SqlValue)[]): Sql {
  const pieces = parts.map(toSql);
  const text = strings.map((string, index) => `${pieces[index - 1]?.text ?? ""}${string}`).join("");
  return brand({ text, values: pieces.flatMap((piece) => piece.values) });
}

/** A column of `bug`; no name that came with a request may stand here. */
export function bugColumn(name: string): Sql {
  if (!/^[a-z_]+$/.test(name)) throw new TypeError(`not the name of a column: ${name}`);
  return brand({ text: `bug.${name}`, values: [] });
}

/** Conjunction; true if `parts` is empty. */
export function and(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? sql`1` : sql`(${concat(parts, " AND ")})`;
}

/** Disjunction; false if `parts` is empty. */
export function or(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? sql`0` : sql`(${concat(parts, " OR ")})`;
}

export function not(part: Sql): Sql {
  return sql`NOT (${part})`;
}

export function notIf(isNegated: boolean, part: Sql): Sql {
  return isNegated ? not(part) : part;
}

/** Subquery for the right side of IN; the values are one bound JSON text. */
export function valueList(values: readonly (string | number)[]): Sql {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

function toSql(part: Sql | SqlValue): Sql {
  return typeof part === "object" && part !== null ? part : brand({ text: "?", values: [part] });
}

function brand(piece: Omit<Sql, typeof madeHere>): Sql {
  return piece as Sql;
}

export function concat(parts: readonly Sql[], separator: string): Sql {
  return brand({
    text: parts.map(({ text }) => text).join(separator),
    values: parts.flatMap(({ values }) => values),
  });
}
