import { BtError } from "../../errors.ts";
import { fieldOf } from "../catalog.ts";
import { statusNames } from "../legal-value.ts";
import { suggest } from "../nearest.ts";
import { compareBy } from "./compare.ts";
import type { Context } from "./context.ts";
import { all, any, type Comparison, not, type Query } from "./tree.ts";

/** What `is:open` and the other states mean, in conditions on fields. */
export function stateQuery(state: string, context: Context): Query {
  const word = state.toLowerCase().replaceAll("_", "-");
  const meaning = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  if (meaning !== undefined) return meaning(context);
  throw new BtError("usage", `"${state}" is not a state that "is:" knows`, {
    hint: suggest(word, Object.keys(STATES)) ?? `possible are ${Object.keys(STATES).join(", ")}`,
  });
}

/** After so long without a change an open bug counts as stale. */
const STALE_AFTER = "-90d";

const STATES: Readonly<Record<string, (context: Context) => Query>> = {
  open: (context) => inStatus("open", context),
  closed: (context) => inStatus("closed", context),
  confirmed: (context) => compare(context, "is_confirmed", ["=", "yes"]),
  unconfirmed: (context) => compare(context, "is_confirmed", ["=", "no"]),
  mine: (context) => compare(context, "assigned_to", ["=", "@me"]),
  reported: (context) => compare(context, "creator", ["=", "@me"]),
  unassigned: (context) => isNobody(context),
  assigned: (context) => not(isNobody(context)),
  "self-assigned": (context) => compare(context, "assigned_to", ["=", "@reporter"]),
  overdue: (context) => all([inStatus("open", context), compare(context, "deadline", ["<", "today"])]),
  stale: (context) => all([inStatus("open", context), compare(context, "last_change_time", ["<", STALE_AFTER])]),
  unread: (context) => unread(context),
  private: (context) => not({ kind: "test", field: fieldOf(context.catalog, "groups"), op: "empty", values: [] }),
  dup: (context) => compare(context, "resolution", ["=", "DUPLICATE"]),
};

function compare(context: Context, name: string, [op, value]: readonly [Comparison, string]): Query {
  return compareBy(fieldOf(context.catalog, name), { kind: "test", field: name, op, values: [value] }, context);
}

function inStatus(state: "open" | "closed", { catalog }: Context): Query {
  return {
    kind: "test",
    field: fieldOf(catalog, "status"),
    op: "=",
    values: statusNames(catalog, state),
  };
}

/** Trackers have no word for it, but an account that everything new is assigned to: by custom one of this name. */
const NOBODY = "nobody@";

function isNobody(context: Context): Query {
  const { nobody } = context;
  if (nobody === undefined) return compare(context, "assigned_to", ["^=", NOBODY]);
  return any(nobody.map((login) => compare(context, "assigned_to", ["=", login])));
}

/** The server keeps when you last looked at a bug; the bug is unread when it changed after that. */
function unread({ catalog }: Context): Query {
  return {
    kind: "test",
    field: fieldOf(catalog, "last_visit"),
    op: "<",
    values: ["%last_changed%"],
  };
}
