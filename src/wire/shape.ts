/** The kinds of value that a field of the interface can hold, by the name used in the field lists of this folder. */
export type ValueTypes = {
  int: number;
  double: number;
  text: string;
  bool: boolean;
  datetime: string; // ISO 8601 UTC, whole seconds, "Z"
  date: string; // YYYY-MM-DD
  texts: readonly string[];
  ints: readonly number[];
  user: User;
  users: readonly User[];
  flags: readonly Flag[];
};

/** A list of fields: the name of each and the kind of value it holds. Lists are also the source of the types. */
export type FieldList = Readonly<Record<string, keyof ValueTypes>>;

/** The record that a field list describes; every field may be left out (`include_fields`) or be null (unset). */
export type RecordOf<List extends FieldList> = {
  readonly [Name in keyof List]?: ValueTypes[List[Name]] | null;
};

/** The user object that stands beside a login name (`assigned_to_detail`, `cc_detail`). */
export type User = {
  readonly id: number;
  readonly real_name: string;
  readonly name: string;
  readonly email: string;
};

/** A flag that is set on a bug. `requestee` is absent when nobody in particular is asked. */
export type Flag = {
  readonly id: number;
  readonly name: string;
  readonly type_id: number;
  readonly creation_date: string;
  readonly modification_date: string;
  readonly status: string;
  readonly setter: string;
  readonly requestee?: string;
};
