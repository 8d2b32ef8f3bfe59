import {
  type CustomField,
  displayedCustomValue,
  emptyCustomValue,
  isMultiSelect,
} from "../bug-fields/custom-fields.ts";
import { productById } from "../products/access.ts";
import { componentById } from "../products/parts.ts";
import type { Store } from "../store/store.ts";
import type { Bug, CustomValue, NamedItem, Person, SetFlag } from "./bug.ts";

/** The complete bug with this id, visible to the requester or not. @throws TypeError if there is none */
export function loadBug(store: Store, id: number, customs: readonly CustomField[]): Bug {
  const row = store.get<BugRow>(BUG, [id]);
  const product = row && productById(store, row.product_id);
  const component = row && componentById(store, row.component_id);
  if (!row || !product || !component) throw new TypeError(`there is no bug ${id} to load`);
  const { assigned_to_id, assigned_to, creator_id, creator, qa_contact_id, qa_contact, ...values } = row;
  return {
    ...values,
    product,
    component,
    assigned_to: { id: assigned_to_id, login: assigned_to },
    creator: { id: creator_id, login: creator },
    qa_contact: qa_contact_id === null || qa_contact === null ? null : { id: qa_contact_id, login: qa_contact },
    is_confirmed: row.is_confirmed === 1,
    is_cc_accessible: row.is_cc_accessible === 1,
    is_creator_accessible: row.is_creator_accessible === 1,
    ...loadLists(store, id),
    flags: store.all<FlagRow>(FLAGS, [id]).map(toFlag),
    custom: loadCustom(store, id, customs),
  };
}

type BugRow = {
  readonly id: number;
  readonly summary: string;
  readonly status: string;
  readonly resolution: string;
  readonly product_id: number;
  readonly component_id: number;
  readonly version: string;
  readonly target_milestone: string;
  readonly priority: string;
  readonly severity: string;
  readonly platform: string;
  readonly op_sys: string;
  readonly assigned_to_id: number;
  readonly assigned_to: string;
  readonly creator_id: number;
  readonly creator: string;
  readonly qa_contact_id: number | null;
  readonly qa_contact: string | null;
  readonly dupe_of: number | null;
  readonly deadline: string;
  readonly url: string;
  readonly whiteboard: string;
  readonly is_confirmed: number;
  readonly is_cc_accessible: number;
  readonly is_creator_accessible: number;
  readonly estimated_time: number;
  readonly remaining_time: number;
  readonly creation_time: string;
  readonly last_change_time: string;
};

const BUG = `
  SELECT bugs.id, summary, status, resolution, product_id, component_id, version, target_milestone, priority, severity,
    platform, op_sys, assigned_to_id, assignees.login AS assigned_to, creator_id, creators.login AS creator,
    qa_contact_id, qa_contacts.login AS qa_contact, dupe_of, coalesce(deadline, '') AS deadline, url, whiteboard,
    is_confirmed, is_cc_accessible, is_creator_accessible, estimated_time, remaining_time, creation_time,
    last_change_time
  FROM bugs
  JOIN users AS assignees ON assignees.id = assigned_to_id
  JOIN users AS creators ON creators.id = creator_id
  LEFT JOIN users AS qa_contacts ON qa_contacts.id = qa_contact_id
  LEFT JOIN bug_duplicates ON bug_duplicates.bug_id = bugs.id
  WHERE bugs.id = ?`;

function loadLists(store: Store, id: number) {
  const items = <T>(sql: string): readonly T[] =>
    store.all<{ readonly item: never }>(sql, [id]).map(({ item }) => item);
  return {
    alias: items<string>("SELECT alias AS item FROM bug_aliases WHERE bug_id = ? ORDER BY alias"),
    depends_on: items<number>(
      "SELECT depends_on_id AS item FROM bug_dependencies WHERE bug_id = ? ORDER BY depends_on_id",
    ),
    blocks: items<number>("SELECT bug_id AS item FROM bug_dependencies WHERE depends_on_id = ? ORDER BY bug_id"),
    see_also: items<string>("SELECT url AS item FROM bug_see_also WHERE bug_id = ? ORDER BY id"),
    cc: store.all<Person>(CC, [id]),
    keywords: store.all<NamedItem>(KEYWORDS, [id]),
    groups: store.all<NamedItem>(GROUPS, [id]),
  };
}

const CC = "SELECT id, login FROM bug_cc JOIN users ON users.id = user_id WHERE bug_id = ? ORDER BY login";
const KEYWORDS =
  "SELECT id, name FROM bug_keywords JOIN keywords ON keywords.id = keyword_id WHERE bug_id = ? ORDER BY name";
const GROUPS = "SELECT id, name FROM bug_groups JOIN groups ON groups.id = group_id WHERE bug_id = ? ORDER BY id";

type FlagRow = {
  readonly id: number;
  readonly type_id: number;
  readonly name: string;
  readonly status: string;
  readonly setter_id: number;
  readonly setter: string;
  readonly requestee_id: number | null;
  readonly requestee: string | null;
};

const FLAGS = `
  SELECT flags.id, type_id, flag_types.name, status, setter_id, setters.login AS setter, requestee_id,
    requestees.login AS requestee
  FROM flags
  JOIN flag_types ON flag_types.id = type_id
  JOIN users AS setters ON setters.id = setter_id
  LEFT JOIN users AS requestees ON requestees.id = requestee_id
  WHERE bug_id = ? AND attachment_id IS NULL ORDER BY flag_types.sort_key, flag_types.name, type_id, flags.id`;

function toFlag({ setter_id, setter, requestee_id, requestee, ...flag }: FlagRow): SetFlag {
  return {
    ...flag,
    setter: { id: setter_id, login: setter },
    requestee: requestee_id === null || requestee === null ? null : { id: requestee_id, login: requestee },
  };
}

type CustomValueRow = { readonly field_id: number; readonly value: string };

const SINGLE = "SELECT field_id, value FROM custom_values WHERE bug_id = ?";
const MULTIPLE = `
  SELECT field_id, value FROM custom_choices WHERE bug_id = ? ORDER BY value`;

function loadCustom(store: Store, id: number, customs: readonly CustomField[]): Bug["custom"] {
  const single = store.all<CustomValueRow>(SINGLE, [id]);
  const multiple = store.all<CustomValueRow>(MULTIPLE, [id]);
  const read = (field: CustomField): CustomValue => {
    if (isMultiSelect(field)) return multiple.filter(({ field_id }) => field_id === field.id).map(({ value }) => value);
    const stored = single.find(({ field_id }) => field_id === field.id);
    return stored ? displayedCustomValue(field, stored.value) : emptyCustomValue(field);
  };
  return Object.fromEntries(customs.map((field) => [field.name, read(field)]));
}
