import type { SqlValue } from "../store/database.ts";

declare const madeByTag: unique symbol;

/** A piece of SQL with the values that are bound in it, in order. Only the `sql` tag makes one. */
export type Sql = {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly depth: number; // how much of the engine's parser stack its brackets need
  readonly [madeByTag]: true;
};

/**
 * Writes SQL: what stands in the template is taken as it is, a piece that is put in keeps its text, and everything else
 * becomes a bound `?`. So nothing that came with a request can ever be SQL.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql {
  const pieces = parts.map(asPiece);
  const text = strings.map((string, index) => (index === 0 ? string : `${pieces[index - 1]?.text}${string}`)).join("");
  const values = pieces.flatMap((piece) => piece.values);
  return made({ text, values, depth: Math.max(0, ...pieces.map(({ depth }) => depth)) });
}

/** True when all parts are; nothing to meet is true. */
export function and(parts: readonly Sql[]): Sql {
  return chained(parts, sql`1`, (left, right) => sql`${left} AND ${right}`);
}

/** True when a part is; nothing to choose from is false. */
export function or(parts: readonly Sql[]): Sql {
  return chained(parts, sql`0`, (left, right) => sql`${left} OR ${right}`);
}

/** True when the part is not. */
export function not(part: Sql): Sql {
  return sql`NOT (${part})`;
}

/** A list of values as one bound text, for the right side of IN. */
export function valueList(values: readonly (string | number)[]): Sql {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Pieces one after the other with commas between. */
export function commaList(parts: readonly Sql[]): Sql {
  return joined(parts, (left, right) => sql`${left}, ${right}`);
}

function asPiece(part: Sql | SqlValue): Sql {
  return typeof part === "object" && part !== null ? part : made({ text: "?", values: [part], depth: 0 });
}

function made(piece: Omit<Sql, typeof madeByTag>): Sql {
  return piece as Sql;
}

type Join = (left: Sql, right: Sql) => Sql;

const MAX_CHAIN_LENGTH = 50;
const DEEP = 8;

// The engine's parser has a small stack: an opening bracket takes one place, and a part behind the first two more. So
// long chains are cut into short ones, and what is deep comes first.
function chained(parts: readonly Sql[], nothing: Sql, join: Join): Sql {
  const [first = nothing, second] = parts;
  if (second === undefined) return first;
  if (parts.length > MAX_CHAIN_LENGTH) {
    return chained(
      Array.from({ length: Math.ceil(parts.length / MAX_CHAIN_LENGTH) }, (_, index) =>
        chained(parts.slice(index * MAX_CHAIN_LENGTH, (index + 1) * MAX_CHAIN_LENGTH), nothing, join),
      ),
      nothing,
      join,
    );
  }
  const isDeep = parts.some(({ depth }) => depth > DEEP);
  const ordered = isDeep ? [...parts].sort((a, b) => b.depth - a.depth) : parts;
  const depth = 1 + Math.max(...ordered.map((part, index) => part.depth + (index === 0 ? 0 : 2)));
  return made({ ...sql`(${joined(ordered, join)})`, depth });
}

function joined(parts: readonly Sql[], join: Join): Sql {
  return parts.slice(1).reduce((left, right) => join(left, right), parts[0] ?? sql``);
}
