import type { Value } from "../store/database.ts";

declare const madeByTag: unique symbol;

/** A piece of SQL with the values that are bound in it, in order. Only the `sql` tag makes one. */
export type Sql = { readonly text: string; readonly values: readonly Value[]; readonly [madeByTag]: true };

/**
 * Writes SQL: what stands in the template is taken as it is, a piece that is put in keeps its text, and everything else
 * becomes a bound `?`. So nothing that came with a request can ever be SQL.
 */
export const sql = (strings: TemplateStringsArray, ...parts: readonly (Sql | Value)[]): Sql => {
  const pieces = parts.map(asPiece);
  const text = strings.map((string, index) => (index === 0 ? string : `${pieces[index - 1]?.text}${string}`)).join("");
  return made(
    text,
    pieces.flatMap((piece) => piece.values),
  );
};

/** True when all parts are; nothing to meet is true. */
export const all = (parts: readonly Sql[]): Sql => folded(parts, sql`1`, (left, right) => sql`(${left} AND ${right})`);

/** True when a part is; nothing to choose from is false. */
export const any = (parts: readonly Sql[]): Sql => folded(parts, sql`0`, (left, right) => sql`(${left} OR ${right})`);

/** True when the part is not. */
export const not = (part: Sql): Sql => sql`NOT (${part})`;

/** A list of values as one bound text, for the right side of IN. */
export const listed = (values: readonly (string | number)[]): Sql =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Pieces one after the other with commas between. */
export const commas = (parts: readonly Sql[]): Sql =>
  parts.reduce((left, right, index) => (index === 0 ? right : sql`${left}, ${right}`), sql``);

const asPiece = (part: Sql | Value): Sql => (typeof part === "object" && part !== null ? part : made("?", [part]));

const made = (text: string, values: readonly Value[]): Sql => ({ text, values }) as Sql;

// In halves, because the engine refuses expressions that are nested a thousand deep.
const folded = (parts: readonly Sql[], nothing: Sql, join: (left: Sql, right: Sql) => Sql): Sql => {
  const [first = nothing, second] = parts;
  if (second === undefined) {
    return first;
  }
  const middle = Math.ceil(parts.length / 2);
  return join(folded(parts.slice(0, middle), nothing, join), folded(parts.slice(middle), nothing, join));
};
