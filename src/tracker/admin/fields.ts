import { FIELD_TYPE } from "../fields/custom.ts";
import { PARAMETER_DEFAULTS } from "../parameters.ts";
import { applySetup } from "../setup/setup.ts";
import { type Kind, operationsOf } from "./kinds.ts";
import { type AdminOperation, listOf, optional, pickGiven, required, textOf } from "./operation.ts";

const FIELD = [
  ...["display_name", "type", "is_mandatory", "is_on_bug_entry", "is_obsolete", "sort_key", "value_field", "values"],
];

const sortKey = optional("sort_key", "number", "its place in the order; smaller comes first");

const field: Kind = {
  noun: "field",
  about: "the custom fields",
  keys: [required("name", "its name, which begins with cf_")],
  parts: [
    required("type", `what it holds: ${Object.keys(FIELD_TYPE).join(", ")}`),
    optional("display_name", "text", "what people call it"),
    optional("is_mandatory", "yes-no", "whether bugs must have a value"),
    optional("is_on_bug_entry", "yes-no", "whether it is asked for when a bug is filed"),
    optional("is_obsolete", "yes-no", "whether it is kept with its values, but shown and set no longer"),
    sortKey,
    optional("value_field", "text", "the field that decides which values can be chosen"),
    optional("values", "list", "values that can be chosen"),
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
  setup: (given) => ({ fields: [{ ...pickGiven(given, ...FIELD), name: textOf(given, "name") }] }),
};

/** Values that the tracker's own rules name. */
const ITS_OWN = sqlRows([
  ["bug_status", "UNCONFIRMED"],
  ["resolution", ""],
  ["resolution", "DUPLICATE"],
]);

/** Parameters that hold a value of a field. */
const DEFAULTS = sqlRows(
  (
    [
      ["bug_status", "duplicate_or_move_bug_status"],
      ["priority", "defaultpriority"],
      ["bug_severity", "defaultseverity"],
      ["rep_platform", "defaultplatform"],
      ["op_sys", "defaultopsys"],
    ] as const
  ).map(([name, parameter]) => [name, parameter, PARAMETER_DEFAULTS[parameter]]),
);

function sqlRows(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `(${row.map((item) => `'${item}'`).join(", ")})`).join(", ");
}

const VALUE = ["sort_key", "is_active", "is_open", "visible_for"];

const value: Kind = {
  noun: "value",
  about: "the values of fields that are chosen from a list",
  within: "field",
  keys: [required("field", "the field, by the name that bt field list shows"), required("name", "the value")],
  parts: [
    sortKey,
    optional("is_active", "yes-no", "whether it can still be chosen"),
    optional("is_open", "yes-no", "of a status: whether bugs with it are open"),
    optional("visible_for", "text", "the value of the deciding field that it belongs to"),
  ],
  list: `SELECT fields.name AS field, field_values.name, field_values.sort_key, is_active, is_open,
    coalesce(visible_for, '') AS visible_for
    FROM field_values JOIN fields ON fields.id = field_id ORDER BY fields.id, field_values.sort_key`,
  find: `SELECT field_values.id FROM field_values JOIN fields ON fields.id = field_id
    WHERE fields.name = @field AND field_values.name = @name`,
  remove: {
    uses: {
      bugs: `SELECT (SELECT count(*) FROM bugs WHERE @name COLLATE NOCASE = CASE @field
          WHEN 'bug_status' THEN status WHEN 'resolution' THEN resolution WHEN 'priority' THEN priority
          WHEN 'bug_severity' THEN severity WHEN 'rep_platform' THEN platform WHEN 'op_sys' THEN op_sys END)
        + (SELECT count(*) FROM (SELECT * FROM custom_values UNION ALL SELECT * FROM custom_choices) AS held
          JOIN fields ON fields.id = held.field_id WHERE fields.name = @field AND held.value = @name)`,
      "the tracker itself": `SELECT count(*) FROM (VALUES ${ITS_OWN})
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
  setup: (given) => ({
    fields: [
      { name: textOf(given, "field"), values: [{ ...pickGiven(given, ...VALUE), name: textOf(given, "name") }] },
    ],
  }),
};

const FLAG_TYPE = [
  ...["description", "target", "is_active", "is_requestable", "is_requesteeble", "is_multiplicable", "sort_key"],
  ...["grant_group", "request_group", "cc_list", "places", "except"],
];

const flagType: Kind = {
  noun: "flag-type",
  about: "the flag types",
  keys: [required("name", "the name of the flag")],
  parts: [
    optional("description", "text", "what it means"),
    optional("target", "text", "what it is set on: bug or attachment"),
    optional("is_active", "yes-no", "whether it can still be set"),
    optional("is_requestable", "yes-no", "whether one can ask for it"),
    optional("is_requesteeble", "yes-no", "whether one can ask somebody in particular"),
    optional("is_multiplicable", "yes-no", "whether a bug can have several of it"),
    sortKey,
    optional("grant_group", "text", "the group whose members may grant and deny it"),
    optional("request_group", "text", "the group whose members may ask for it"),
    optional("cc_list", "text", "addresses that get its mails too, separated by commas"),
    optional("places", "list", "products, or components as Product/Component, where it can be set"),
    optional("except", "list", "products or components, of those places, where it cannot be set"),
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
  setup: (given) => ({ flag_types: [{ ...pickGiven(given, ...FLAG_TYPE), name: textOf(given, "name") }] }),
};

const workflowOperations: readonly AdminOperation[] = [
  {
    noun: "workflow",
    verb: "list",
    about: "Lists the moves that the status of bugs may make; those of new bugs come from `new`.",
    parameters: [],
    changes: false,
    run: ({ store }) =>
      store.all(`SELECT coalesce(from_status, 'new') AS "from", to_status AS "to", comment_required
        FROM status_moves ORDER BY rowid`),
  },
  {
    noun: "workflow",
    verb: "set",
    about: "Says where a status may move, in place of what was said before.",
    parameters: [
      required("from", "the status, or new"),
      optional("to", "list", "the statuses that it may move to"),
      optional("comment_for", "list", "those of them that need a comment"),
    ],
    changes: true,
    run: ({ store }, given) => {
      const comment = listOf(given, "comment_for") ?? [];
      const moves = [...new Set([...(listOf(given, "to") ?? []), ...comment])];
      const said = moves.map((to) => ({ to, comment_required: comment.includes(to) }));
      applySetup(store, { workflow: { [textOf(given, "from")]: said } });
      return { from: textOf(given, "from"), to: moves };
    },
  },
];

/** What is done about the fields of bugs: custom fields, values, flags, the workflow. */
export const fieldOperations: readonly AdminOperation[] = [
  ...[field, value, flagType].flatMap(operationsOf),
  ...workflowOperations,
];
