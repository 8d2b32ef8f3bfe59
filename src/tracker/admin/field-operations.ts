import { BUG_FIELDS } from "../../wire/bug-fields.ts";
import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import { CHOICE_FIELDS, FIELDS } from "../fields.ts";
import { PARAMETER_DEFAULTS } from "../http/server-parameters.ts";
import {
  type AdminOperation,
  listArgument,
  type ObjectKind,
  objectOperations,
  optionalParameter,
  pickArguments,
  requiredParameter,
  textArgument,
} from "./operation.ts";
import { applySetup } from "./setup.ts";

const FIELD = [
  ...["display_name", "type", "is_mandatory", "is_on_bug_entry", "is_obsolete", "sort_key", "value_field", "values"],
];

const sortKey = optionalParameter("sort_key", "number", "sort key; smaller comes first");

const field: ObjectKind = {
  noun: "field",
  about: "the custom fields",
  keys: [requiredParameter("name", "name, beginning with cf_")],
  parts: [
    requiredParameter("type", `type: ${Object.keys(CUSTOM_FIELD_TYPE).join(", ")}`),
    optionalParameter("display_name", "text", "display name"),
    optionalParameter("is_mandatory", "yes-no", "require a value"),
    optionalParameter("is_on_bug_entry", "yes-no", "offer it when a bug is created"),
    optionalParameter("is_obsolete", "yes-no", "hide it, but keep its values"),
    sortKey,
    optionalParameter("value_field", "text", "field that controls the available values"),
    optionalParameter("values", "list", "legal values"),
  ],
  list: `SELECT name, display_name, type, is_mandatory, is_on_bug_entry, is_obsolete, sort_key,
    coalesce(value_field, '') AS value_field
    FROM fields WHERE is_custom = 1 ORDER BY sort_key, id`,
  find: "SELECT id FROM fields WHERE name = @name AND is_custom = 1",
  remove: {
    uses: {
      "bugs (is_obsolete=yes hides it and keeps their values)": `SELECT count(*) FROM fields
        JOIN (SELECT field_id FROM custom_values UNION ALL SELECT field_id FROM custom_choices) ON field_id = fields.id
        WHERE name = @name`,
    },
    statements: ["DELETE FROM fields WHERE name = @name AND is_custom = 1"],
  },
  setup: (args) => ({ fields: [{ ...pickArguments(args, ...FIELD), name: textArgument(args, "name") }] }),
};

/** Values that rules of the tracker refer to, as SQL rows. */
const RESERVED_VALUES = sqlRows([
  ["bug_status", "UNCONFIRMED"],
  ["resolution", ""],
  ["resolution", "DUPLICATE"],
]);

/** Parameters with a value of a field, as SQL rows of field, parameter and default. */
const DEFAULTS = sqlRows(
  (
    [
      [BUG_FIELDS.status.chart, "duplicate_or_move_bug_status"],
      ...FIELDS.flatMap(({ chart, default: parameter }) => (parameter ? [[chart, parameter] as const] : [])),
    ] as const
  ).map(([name, parameter]) => [name, parameter, PARAMETER_DEFAULTS[parameter]]),
);

function sqlRows(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `(${row.map((item) => `'${item}'`).join(", ")})`).join(", ");
}

/** The columns of bugs that hold a value of a field. */
const CHOSEN = CHOICE_FIELDS.map(({ chart, column }) => `WHEN '${chart}' THEN ${column}`).join(" ");

const VALUE = ["sort_key", "is_active", "is_open", "visible_for"];

const value: ObjectKind = {
  noun: "value",
  about: "the values of select fields",
  within: "field",
  keys: [requiredParameter("field", "field name, as in bt field list"), requiredParameter("name", "value")],
  parts: [
    sortKey,
    optionalParameter("is_active", "yes-no", "allow choosing it"),
    optionalParameter("is_open", "yes-no", "for a status: bugs with it are open"),
    optionalParameter("visible_for", "text", "value of the controlling field that enables it"),
  ],
  list: `SELECT fields.name AS field, field_values.name, field_values.sort_key, is_active, is_open,
    coalesce(visible_for, '') AS visible_for
    FROM field_values JOIN fields ON fields.id = field_id ORDER BY fields.id, field_values.sort_key`,
  find: `SELECT field_values.id FROM field_values JOIN fields ON fields.id = field_id
    WHERE fields.name = @field AND field_values.name = @name`,
  remove: {
    uses: {
      bugs: `SELECT (SELECT count(*) FROM bugs WHERE @name COLLATE NOCASE = CASE @field ${CHOSEN} END)
        + (SELECT count(*) FROM (SELECT * FROM custom_values UNION ALL SELECT * FROM custom_choices) AS held
          JOIN fields ON fields.id = held.field_id WHERE fields.name = @field AND held.value = @name)`,
      "the tracker itself": `SELECT count(*) FROM (VALUES ${RESERVED_VALUES})
        WHERE column1 = @field AND column2 = @name COLLATE NOCASE`,
      "default values of parameters": `SELECT count(*) FROM (VALUES ${DEFAULTS})
        WHERE column1 = @field
          AND coalesce((SELECT value FROM parameters WHERE name = column2), column3) = @name COLLATE NOCASE`,
      "other fields, which depend on it": `SELECT (SELECT count(*) FROM field_values JOIN fields ON fields.id = field_id
          WHERE value_field = @field AND visible_for = @name)
        + (SELECT count(*) FROM field_visibility JOIN fields ON fields.id = field_id
          WHERE visibility_field = @field AND value = @name)`,
    },
    statements: [
      "DELETE FROM status_moves WHERE @field = 'bug_status' AND @name COLLATE NOCASE IN (from_status, to_status)",
      "DELETE FROM field_values WHERE field_id = (SELECT id FROM fields WHERE name = @field) AND name = @name",
    ],
  },
  setup: (args) => ({
    fields: [
      {
        name: textArgument(args, "field"),
        values: [{ ...pickArguments(args, ...VALUE), name: textArgument(args, "name") }],
      },
    ],
  }),
};

const FLAG_TYPE = [
  ...["description", "target", "is_active", "is_requestable", "is_requesteeble", "is_multiplicable", "sort_key"],
  ...["grant_group", "request_group", "cc_list", "places", "except"],
];

const flagType: ObjectKind = {
  noun: "flag-type",
  about: "the flag types",
  keys: [requiredParameter("name", "name of the flag")],
  parts: [
    optionalParameter("description", "text", "description"),
    optionalParameter("target", "text", "target: bug or attachment"),
    optionalParameter("is_active", "yes-no", "allow setting it"),
    optionalParameter("is_requestable", "yes-no", "allow requests (?)"),
    optionalParameter("is_requesteeble", "yes-no", "allow a requestee"),
    optionalParameter("is_multiplicable", "yes-no", "allow several on one bug"),
    sortKey,
    optionalParameter("grant_group", "text", "group that may grant and deny it"),
    optionalParameter("request_group", "text", "group that may request it"),
    optionalParameter("cc_list", "text", "additional mail recipients, separated by commas"),
    optionalParameter("places", "list", "products, or components as Product/Component, that have it"),
    optionalParameter("except", "list", "products or components to exclude"),
  ],
  list: `SELECT name, description, target, is_active, is_requestable, is_requesteeble, is_multiplicable, sort_key
    FROM flag_types ORDER BY sort_key, name, id`,
  find: "SELECT id FROM flag_types WHERE name = @name",
  rename: ["UPDATE flag_types SET name = @new_name WHERE name = @name"],
  remove: {
    uses: {
      "bugs, as flags": "SELECT count(*) FROM flags JOIN flag_types ON flag_types.id = type_id WHERE name = @name",
    },
    statements: ["DELETE FROM flag_types WHERE name = @name"],
  },
  setup: (args) => ({ flag_types: [{ ...pickArguments(args, ...FLAG_TYPE), name: textArgument(args, "name") }] }),
};

const workflowOperations: readonly AdminOperation[] = [
  {
    noun: "workflow",
    verb: "list",
    about: "List the allowed status transitions; those of new bugs start at `new`.",
    parameters: [],
    isWrite: false,
    run: ({ store }) =>
      store.all(`SELECT coalesce(from_status, 'new') AS "from", to_status AS "to", comment_required
        FROM status_moves ORDER BY rowid`),
  },
  {
    noun: "workflow",
    verb: "set",
    about: "Replace the allowed transitions of a status.",
    parameters: [
      requiredParameter("from", "status, or new"),
      optionalParameter("to", "list", "statuses it can change to"),
      optionalParameter("comment_for", "list", "statuses among them that require a comment"),
    ],
    isWrite: true,
    run: ({ store }, args) => {
      const comment = listArgument(args, "comment_for") ?? [];
      const moves = [...new Set([...(listArgument(args, "to") ?? []), ...comment])];
      const workflow = moves.map((to) => ({ to, comment_required: comment.includes(to) }));
      applySetup(store, { workflow: { [textArgument(args, "from")]: workflow } });
      return { from: textArgument(args, "from"), to: moves };
    },
  },
];

/** Admin operations on custom fields, values, flag types and the workflow. */
export const fieldOperations: readonly AdminOperation[] = [
  ...[field, value, flagType].flatMap(objectOperations),
  ...workflowOperations,
];
