/** A user account as stored. */
export type User = {
  readonly id: number;
  readonly login: string;
  readonly real_name: string;
  readonly is_enabled: number;
  readonly disabled_text: string;
};

/** Author of a request: a user or nobody, and the names of all their groups, inherited and regexp ones included. */
export type Requester = {
  readonly user: User | undefined;
  readonly groups: ReadonlySet<string>;
};
