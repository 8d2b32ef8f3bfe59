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

/** Details of a user, next to a login name (`assigned_to_detail`, `cc_detail`). */
export type User = {
  readonly id: number;
  readonly real_name: string;
  readonly name: string;
  readonly email: string;
};

/** A flag that is set on a bug. `requestee` is absent for a request to nobody in particular. */
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
