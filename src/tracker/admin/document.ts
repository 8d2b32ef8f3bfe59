import { parse, stringify } from "yaml";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import type { Json } from "../../wire/exchange.ts";
import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import { Fault } from "../http/fault.ts";
import { PARAMETER_DEFAULTS } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";
import { describeSetup } from "./describe-setup.ts";
import type { Setup } from "./setup.ts";
import { CONTROL_LEVELS } from "./setup-products.ts";
import {
  booleanShape,
  checkShape,
  listShape,
  mapShape,
  namedShape,
  numberShape,
  recordShape,
  type Shape,
  textShape,
  wordShape,
} from "./shape.ts";

/** Setup from a YAML or JSON document. @throws Fault 32000 with the path of the first error, 51 for an unknown parameter */
export function parseSetup(document: string): Setup {
  const value = parsed(document);
  checkShape(SETUP_SHAPE, value);
  const setup = value as Setup;
  for (const name of Object.keys(setup.parameters ?? {})) {
    checkServerParameter(name);
  }
  return setup;
}

/** Setup of a tracker as YAML, without credentials; `parseSetup` reads it. */
export function formatSetup(store: Store): string {
  return stringify(describeSetup(store), { lineWidth: 120 });
}

/** A YAML document converted to JSON. @throws Fault 32000 if it is not valid YAML */
export function documentAsJson(document: string): string {
  return `${JSON.stringify(parsed(document), null, 2)}\n`;
}

/** Checks the name of a server parameter. @throws Fault 51 */
export function checkServerParameter(name: string): void {
  if (!Object.hasOwn(PARAMETER_DEFAULTS, name)) throw new Fault(404, 51, `There is no parameter named '${name}'.`);
}

// JSON is YAML too. Scalars of the wrong type (numbers, yes) are reported by `checkShape`.
function parsed(document: string): Json {
  try {
    return (parse(document) as Json) ?? {};
  } catch (error) {
    throw new Fault(400, 32000, `The document cannot be read: ${(error as Error).message}`);
  }
}

const part = namedShape(recordShape({ name: textShape, sort_key: numberShape, is_active: booleanShape }, "name"));
const described = listShape(recordShape({ name: textShape, description: textShape }, "name"));

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
  },
  "name",
);

const value = namedShape(
  recordShape(
    { name: textShape, sort_key: numberShape, is_active: booleanShape, is_open: booleanShape, visible_for: textShape },
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
  },
  "name",
);

/** Shape of a setup document. */
export const SETUP_SHAPE: Shape = recordShape({
  parameters: mapShape(textShape),
  groups: listShape(group),
  users: listShape(user),
  classifications: listShape(recordShape({ name: textShape, description: textShape, sort_key: numberShape }, "name")),
  keywords: described,
  fields: listShape(field),
  workflow: mapShape(listShape(namedShape(recordShape({ to: textShape, comment_required: booleanShape }, "to")))),
  products: listShape(product),
  flag_types: listShape(flagType),
});
