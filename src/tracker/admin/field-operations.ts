import { BUG_FIELDS } from "../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../bug-fields/custom-fields.ts";
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

const sortKey = optionalParameter("sort_key", "number", "its place in the order; smaller comes first");

const field: ObjectKind = {
  noun: "field",
  about: "the custom fields",
  keys: [requiredParameter("name", "its name, which begins with cf_")],
  parts: [
    requiredParameter("type", `what it holds: ${Object.keys(FIELD_TYPE).join(", ")}`),
    optionalParameter("display_name", "text", "what people call it"),
    optionalParameter("is_mandatory", "yes-no", "whether bugs must have a value"),
    optionalParameter("is_on_bug_entry", "yes-no", "whether it is asked for when a bug is filed"),
    optionalParameter("is_obsolete", "yes-no", "whether it is kept with its values, but shown and set no longer"),
    sortKey,
    optionalParameter("value_field", "text", "the field that decides which values can be chosen"),
    optionalParameter("values", "list", "values that can be chosen"),
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
  about: "the values of fields that are chosen from a list",
  within: "field",
  keys: [
    requiredParameter("field", "the field, by the name that bt field list shows"),
    requiredParameter("name", "the value"),
  ],
  parts: [
    sortKey,
    optionalParameter("is_active", "yes-no", "whether it can still be chosen"),
    optionalParameter("is_open", "yes-no", "of a status: whether bugs with it are open"),
    optionalParameter("visible_for", "text", "the value of the deciding field that it belongs to"),
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
      "parameters, as what bugs get": `SELECT count(*) FROM (VALUES ${DEFAULTS})
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
  keys: [requiredParameter("name", "the name of the flag")],
  parts: [
    optionalParameter("description", "text", "what it means"),
    optionalParameter("target", "text", "what it is set on: bug or attachment"),
    optionalParameter("is_active", "yes-no", "whether it can still be set"),
    optionalParameter("is_requestable", "yes-no", "whether one can ask for it"),
    optionalParameter("is_requesteeble", "yes-no", "whether one can ask somebody in particular"),
    optionalParameter("is_multiplicable", "yes-no", "whether a bug can have several of it"),
    sortKey,
    optionalParameter("grant_group", "text", "the group whose members may grant and deny it"),
    optionalParameter("request_group", "text", "the group whose members may ask for it"),
    optionalParameter("cc_list", "text", "addresses that get its mails too, separated by commas"),
    optionalParameter("places", "list", "products, or components as Product/Component, where it can be set"),
    optionalParameter("except", "list", "products or components, of those places, where it cannot be set"),
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
    about: "Lists the moves that the status of bugs may make; those of new bugs come from `new`.",
    parameters: [],
    isWrite: false,
    run: ({ store }) =>
      store.all(`SELECT coalesce(from_status, 'new') AS "from", to_status AS "to", comment_required
        FROM status_moves ORDER BY rowid`),
  },
  {
    noun: "workflow",
    verb: "set",
    about: "Says where a status may move, in place of what was said before.",
    parameters: [
      requiredParameter("from", "the status, or new"),
      optionalParameter("to", "list", "the statuses that it may move to"),
      optionalParameter("comment_for", "list", "those of them that need a comment"),
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
