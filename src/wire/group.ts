/** A member of a group; servers name the reason for a barred login either way. */
export type Member = {
  readonly id: number;
  readonly real_name: string;
  readonly email: string;
  readonly name: string;
  readonly can_login: boolean;
  readonly email_enabled: boolean;
  readonly login_denied_text?: string;
  readonly disabled_text?: string;
};

/**
 * A group. `is_bug_group`, `is_active` and `user_regexp` are absent for requesters outside `creategroups`; the members
 * come under `membership` (or `users`) when they were asked for.
 */
export type Group = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_bug_group?: number | boolean;
  readonly user_regexp?: string;
  readonly is_active?: number | boolean;
  readonly icon_url?: string;
  readonly membership?: readonly Member[];
  readonly users?: readonly Member[];
};
