/** Id and login name of a user. */
export type Person = { readonly id: number; readonly login: string };

/** Id and name of a keyword, group, product or component. */
export type NamedItem = { readonly id: number; readonly name: string };

/** The product of a bug. */
export type Product = NamedItem & {
  readonly default_milestone: string;
  readonly has_unconfirmed: boolean;
  readonly is_active: boolean;
};

/** The component of a bug, with default assignee and QA contact. */
export type Component = NamedItem & {
  readonly is_active: boolean;
  readonly default_assignee: Person;
  readonly default_qa_contact: Person | null;
};

/** A flag set on a bug or attachment; `id` is 0 until it is stored. */
export type SetFlag = {
  readonly id: number;
  readonly type_id: number;
  readonly name: string;
  readonly status: string;
  readonly setter: Person;
  readonly requestee: Person | null;
};

/** Value of a custom field as displayed: a list for multi-select fields, text for all others. */
export type CustomValue = string | readonly string[];

/** A bug as plain data: ids resolved to names, private and restricted parts included; times are ISO 8601, durations hours. */
export type Bug = {
  readonly id: number;
  readonly alias: readonly string[];
  readonly summary: string;
  readonly status: string;
  readonly resolution: string;
  readonly is_confirmed: boolean;
  readonly product: Product;
  readonly component: Component;
  readonly version: string;
  readonly target_milestone: string;
  readonly priority: string;
  readonly severity: string;
  readonly platform: string;
  readonly op_sys: string;
  readonly assigned_to: Person;
  readonly creator: Person;
  readonly qa_contact: Person | null;
  readonly cc: readonly Person[];
  readonly deadline: string; // YYYY-MM-DD, or empty
  readonly dupe_of: number | null;
  readonly depends_on: readonly number[];
  readonly blocks: readonly number[];
  readonly keywords: readonly NamedItem[];
  readonly groups: readonly NamedItem[];
  readonly flags: readonly SetFlag[];
  readonly see_also: readonly string[];
  readonly url: string;
  readonly whiteboard: string;
  readonly is_cc_accessible: boolean;
  readonly is_creator_accessible: boolean;
  readonly estimated_time: number;
  readonly remaining_time: number;
  readonly custom: Readonly<Record<string, CustomValue>>;
  readonly creation_time: string;
  readonly last_change_time: string;
};
