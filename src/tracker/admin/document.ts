import { parse, stringify } from "yaml";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import {
  booleanShape,
  listShape,
  mapShape,
  misfitText,
  namedShape,
  numberShape,
  recordShape,
  type Shape,
  textShape,
  wordShape,
} from "../../wire/shape.ts";
import { Fault } from "../http/fault.ts";
import { PARAMETER_DEFAULTS } from "../http/server-parameters.ts";
import { CONTROL_LEVELS } from "../setup/products.ts";
import type { Store } from "../store/store.ts";
import { describeSetup } from "./describe-setup.ts";

/** Setup of a tracker as a document, without credentials. */
export function formatDocument(store: Store, format: "json" | "yaml"): string {
  const setup = describeSetup(store);
  return format === "json" ? `${JSON.stringify(setup, null, 2)}\n` : stringify(setup, { lineWidth: 120 });
}

/**
 * A document in YAML or JSON: a `Setup` whose objects may have the key `renamed_from`, and users `password`.
 * @throws Fault other with the path of the first error
 */
export function parseDocument(text: string): JsonObject {
  const document = parseYaml(text);
  const misfit = DOCUMENT_SHAPE(document);
  if (misfit) throw new Fault("other", `${misfitText(misfit, "the document")}.`);
  return document as JsonObject;
}

// JSON is YAML too. Scalars of the wrong type (numbers, yes) are reported by the shape.
function parseYaml(text: string): Json {
  try {
    return (parse(text) as Json) ?? {};
  } catch (error) {
    throw new Fault("other", `The document cannot be read: ${(error as Error).message}`);
  }
}

const renamable = { renamed_from: textShape };

const part = namedShape(
  recordShape({ name: textShape, sort_key: numberShape, is_active: booleanShape, ...renamable }, "name"),
);
const classification = recordShape(
  { name: textShape, description: textShape, sort_key: numberShape, ...renamable },
  "name",
);
const keyword = recordShape({ name: textShape, description: textShape, ...renamable }, "name");

const group = recordShape(
  {
    name: textShape,
    description: textShape,
    is_bug_group: booleanShape,
    is_active: booleanShape,
    user_regexp: textShape,
    icon_url: textShape,
    members: listShape(textShape),
    blessed_by: listShape(textShape),
    visible_to: listShape(textShape),
  },
  "name",
);

const user = recordShape(
  {
    login: textShape,
    real_name: textShape,
    groups: listShape(textShape),
    blesses: listShape(textShape),
    email_enabled: booleanShape,
    disabled_text: textShape,
    password: booleanShape,
    ...renamable,
  },
  "login",
);

const component = recordShape(
  {
    name: textShape,
    description: textShape,
    ...Object.fromEntries(DEFAULT_PEOPLE.map(({ written }) => [written, textShape])),
    default_cc: listShape(textShape),
    is_active: booleanShape,
    ...renamable,
  },
  "name",
);

const controlLevel = wordShape(...Object.keys(CONTROL_LEVELS));
const control = recordShape(
  {
    group: textShape,
    entry: booleanShape,
    can_edit: booleanShape,
    edit_components: booleanShape,
    edit_bugs: booleanShape,
    can_confirm: booleanShape,
    members: controlLevel,
    others: controlLevel,
  },
  "group",
);

const product = recordShape(
  {
    name: textShape,
    description: textShape,
    classification: textShape,
    has_unconfirmed: booleanShape,
    default_milestone: textShape,
    is_active: booleanShape,
    components: listShape(component),
    versions: listShape(part),
    milestones: listShape(part),
    groups: listShape(control),
    ...renamable,
  },
  "name",
);

const value = namedShape(
  recordShape(
    {
      name: textShape,
      sort_key: numberShape,
      is_active: booleanShape,
      is_open: booleanShape,
      visible_for: textShape,
    },
    "name",
  ),
);

const field = recordShape(
  {
    name: textShape,
    display_name: textShape,
    type: wordShape(...Object.keys(CUSTOM_FIELD_TYPE)),
    is_mandatory: booleanShape,
    is_on_bug_entry: booleanShape,
    is_obsolete: booleanShape,
    sort_key: numberShape,
    values: listShape(value),
    value_field: textShape,
    visibility: recordShape({ field: textShape, values: listShape(textShape) }, "field", "values"),
  },
  "name",
);

const flagType = recordShape(
  {
    name: textShape,
    description: textShape,
    target: wordShape("bug", "attachment"),
    is_active: booleanShape,
    is_requestable: booleanShape,
    is_requesteeble: booleanShape,
    is_multiplicable: booleanShape,
    sort_key: numberShape,
    grant_group: textShape,
    request_group: textShape,
    cc_list: textShape,
    places: listShape(textShape),
    except: listShape(textShape),
    ...renamable,
  },
  "name",
);

const DOCUMENT_SHAPE: Shape = recordShape({
  parameters: recordShape(Object.fromEntries(Object.keys(PARAMETER_DEFAULTS).map((name) => [name, textShape]))),
  groups: listShape(group),
  users: listShape(user),
  classifications: listShape(classification),
  keywords: listShape(keyword),
  fields: listShape(field),
  workflow: mapShape(listShape(namedShape(recordShape({ to: textShape, comment_required: booleanShape }, "to")))),
  products: listShape(product),
  flag_types: listShape(flagType),
});
