/** A user as far as rules about bugs go. */
export type Person = { readonly id: number; readonly login: string };

/** A thing with a stored id that people name: a keyword, a group. */
export type NamedItem = { readonly id: number; readonly name: string };

/** A product as a bug in it needs to know it. */
export type Product = NamedItem & {
  readonly default_milestone: string;
  readonly has_unconfirmed: boolean;
  readonly is_active: boolean;
};

/** A component, and who gets its bugs. */
export type Component = NamedItem & {
  readonly is_active: boolean;
  readonly default_assignee: Person;
  readonly default_qa_contact: Person | null;
};

/** A flag that is set on a bug; `id` is 0 until it is stored. */
export type SetFlag = {
  readonly id: number;
  readonly type_id: number;
  readonly name: string;
  readonly status: string;
  readonly setter: Person;
  readonly requestee: Person | null;
};

/** What a custom field holds, as people say it: texts, numbers, dates and ids as text, several choices as a list. */
export type CustomValue = string | readonly string[];

/** A bug as rules read and change it: plain data, everything resolved, hidden things included. */
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
