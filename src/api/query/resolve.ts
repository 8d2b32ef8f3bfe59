import { BtError } from "../../errors.ts";
import { PRONOUNS } from "../../wire/names.ts";
import { type CatalogField, fieldOf, findField } from "../catalog.ts";
import { compareBy } from "./compare.ts";
import type { Context } from "./context.ts";
import { login } from "./people.ts";
import { checkRange } from "./range.ts";
import { resolveChange } from "./resolve-change.ts";
import { stateQuery } from "./states.ts";
import { leavesOf, mapLeaves, type Query, type Term, type Typed } from "./tree.ts";

/**
 * Checks every name and value of a tree against the tracker's metadata and puts them in the form of the wire: letter case
 * mended, dates turned into UTC, ranks and states spelled out. Anything that a tracker would ignore is a usage error.
 */
export function resolve(tree: Typed, context: Context): Query {
  for (const term of leavesOf(tree)) if (isOnProduct(term, context)) resolvePlaced(term, context);
  return mapLeaves(tree, (term) => resolvePlaced(term, context));
}

/** Products come first, since an unknown one is the reason why its components and versions are not known either. */
function isOnProduct(term: Term, { catalog }: Context): boolean {
  return term.kind === "test" && findField(catalog, term.field)?.chart === "product";
}

function resolvePlaced(term: Term, context: Context): Query {
  try {
    return resolveTerm(term, context);
  } catch (error) {
    throw placed(error, term.at);
  }
}

function resolveTerm(term: Term, context: Context): Query {
  switch (term.kind) {
    case "is":
      return stateQuery(term.state, context);
    case "change":
      return resolveChange(term, context);
    case "flag":
      return resolveFlag(term);
    case "test":
      return resolveTest(term, context);
  }
}

function resolveTest(term: Term & { readonly kind: "test" }, context: Context): Query {
  const field = fieldOf(context.catalog, term.field);
  if (term.op === "empty") return emptyQuery(field);
  refuseEmpty(field, term.values);
  checkRange(field, term, context);
  return compareBy(field, term, context);
}

/** "Not set" is a legal value of its own in some lists of values; elsewhere the field is really empty. */
function emptyQuery(field: CatalogField): Query {
  if (NEVER_EMPTY.has(field.family) || ["bug_id", "longdesc"].includes(field.chart)) {
    throw new BtError("usage", `${field.api} is never empty`);
  }
  return field.family !== "choices" && field.values.some(({ name }) => name === "---")
    ? { kind: "test", field, op: "=", values: ["---"] }
    : { kind: "test", field, op: "empty", values: [] };
}

const NEVER_EMPTY: ReadonlySet<string> = new Set(["yes-no", "special"]);

function refuseEmpty(field: CatalogField, values: readonly string[]): void {
  if (values.length > 0 && values.every((value) => value.trim() !== "")) return;
  throw new BtError("usage", `an empty value for ${field.api} would match every bug`, {
    hint: `to find bugs where it is not set, write no:${field.api}`,
  });
}

function resolveFlag(term: Term & { readonly kind: "flag" }): Query {
  const { at: _, ...flag } = term;
  const people = Object.fromEntries(
    (["requestee", "setter"] as const).flatMap((role) => {
      const name = flag[role];
      return name === undefined ? [] : [[role, flagPerson(name)]];
    }),
  );
  return { ...flag, ...people };
}

/** One flag is found by its people on the bugs themselves, where only logins and the asker are known. */
function flagPerson(text: string): string {
  const name = login(text);
  if (!name.startsWith("%") || name === PRONOUNS.me) return name;
  throw new BtError("usage", `${text} cannot stand in flag(...)`, { hint: "write a login name, or @me" });
}

function placed(error: unknown, at: number | undefined): unknown {
  return at !== undefined && error instanceof BtError
    ? new BtError(error.kind, `${error.message} (column ${at})`, error.facts)
    : error;
}
