import { FIELD_TYPE } from "../fields/custom.ts";
import { CONTROLS } from "../setup/catalog.ts";
import { list, map, named, number, record, type Shape, text, word, yesNo } from "./shape.ts";

const part = named(record({ name: text, sort_key: number, is_active: yesNo }, "name"));
const described = list(record({ name: text, description: text }, "name"));

const group = record(
  {
    name: text,
    description: text,
    is_bug_group: yesNo,
    is_active: yesNo,
    user_regexp: text,
    icon_url: text,
    members: list(text),
    blessed_by: list(text),
    visible_to: list(text),
  },
  "name",
);

const user = record(
  {
    login: text,
    real_name: text,
    groups: list(text),
    blesses: list(text),
    email_enabled: yesNo,
    disabled_text: text,
  },
  "login",
);

const component = record(
  {
    name: text,
    description: text,
    default_assignee: text,
    default_qa_contact: text,
    default_cc: list(text),
    is_active: yesNo,
  },
  "name",
);

const say = word(...Object.keys(CONTROLS));
const control = record(
  {
    group: text,
    entry: yesNo,
    can_edit: yesNo,
    edit_components: yesNo,
    edit_bugs: yesNo,
    can_confirm: yesNo,
    members: say,
    others: say,
  },
  "group",
);

const product = record(
  {
    name: text,
    description: text,
    classification: text,
    has_unconfirmed: yesNo,
    default_milestone: text,
    is_active: yesNo,
    components: list(component),
    versions: list(part),
    milestones: list(part),
    groups: list(control),
  },
  "name",
);

const value = named(
  record({ name: text, sort_key: number, is_active: yesNo, is_open: yesNo, visible_for: text }, "name"),
);

const field = record(
  {
    name: text,
    display_name: text,
    type: word(...Object.keys(FIELD_TYPE)),
    is_mandatory: yesNo,
    is_on_bug_entry: yesNo,
    is_obsolete: yesNo,
    sort_key: number,
    values: list(value),
    value_field: text,
    visibility: record({ field: text, values: list(text) }, "field", "values"),
  },
  "name",
);

const flagType = record(
  {
    name: text,
    description: text,
    target: word("bug", "attachment"),
    is_active: yesNo,
    is_requestable: yesNo,
    is_requesteeble: yesNo,
    is_multiplicable: yesNo,
    sort_key: number,
    grant_group: text,
    request_group: text,
    cc_list: text,
    places: list(text),
    except: list(text),
  },
  "name",
);

/** The shape of an arrangement as people write it. */
export const SETUP_SHAPE: Shape = record({
  parameters: map(text),
  groups: list(group),
  users: list(user),
  classifications: list(record({ name: text, description: text, sort_key: number }, "name")),
  keywords: described,
  fields: list(field),
  workflow: map(list(named(record({ to: text, comment_required: yesNo }, "to")))),
  products: list(product),
  flag_types: list(flagType),
});
