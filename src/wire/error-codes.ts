/**
 * Error codes of trackers, each under Bugzilla's name of an error that has it; most are shared by several.
 * @see WS_ERROR_CODE in Bugzilla/WebService/Constants.pm of Bugzilla
 */
export const ERROR_CODES = {
  param_required: 50,
  object_does_not_exist: 51,
  param_must_be_numeric: 52,
  param_invalid: 53,
  number_too_large: 54,
  number_too_small: 55,
  illegal_date: 56,
  param_integer_required: 57,
  param_scalar_array_required: 58,
  improper_bug_id_field_value: 100,
  bug_id_does_not_exist: 101,
  bug_access_denied: 102,
  alias_in_use: 103,
  illegal_field: 104,
  require_component: 105,
  product_access_denied: 106,
  require_summary: 107,
  invalid_field_name: 108,
  product_edit_denied: 109,
  comment_is_private: 110,
  comment_id_invalid: 111,
  bug_url_invalid: 112,
  user_not_insider: 113,
  comment_too_long: 114,
  illegal_change: 115,
  dependency_loop_single: 116,
  comment_invalid_isprivate: 117,
  dupe_loop_detected: 118,
  dupe_id_required: 119,
  group_restriction_not_allowed: 120,
  missing_resolution: 121,
  resolution_not_allowed: 122,
  illegal_bug_status_transition: 123,
  comment_tag_disabled: 125,
  comment_tag_invalid: 126,
  comment_tag_too_long: 127,
  comment_tag_too_short: 128,
  flag_status_invalid: 129,
  flag_update_denied: 130,
  flag_type_requestee_disabled: 131,
  flag_not_unique: 132,
  flag_type_not_unique: 133,
  flag_type_inactive: 134,
  bug_type_required: 135, // of Mozilla's Bugzilla
  invalid_login_or_password: 300,
  account_disabled: 301,
  auth_invalid_email: 302,
  auth_failure: 304,
  password_not_complex: 305,
  api_key_not_valid: 306,
  auth_invalid_token: 307,
  login_required: 410,
  invalid_username: 504,
  user_access_by_id_denied: 505,
  file_too_large: 600,
  invalid_content_type: 601,
  file_not_specified: 603,
  missing_attachment_description: 604,
  zero_length_file: 606,
  empty_group_name: 800,
  group_exists: 801,
  empty_group_description: 802,
  invalid_regexp: 803,
  invalid_group_name: 804,
  group_cannot_view: 805,
  auth_classification_not_enabled: 900,
  buglist_parameters_required: 1000,
  rest_invalid_resource: 32_614,
  other: 32_000, // any error without a code of its own (ERROR_UNKNOWN_TRANSIENT)
  unknown_method: 67_399, // REST adds 100,000 to a negative code: -32,601
  other_fatal: 68_000, // ERROR_UNKNOWN_FATAL, -32,000
  internal: 100_500, // any exception within the server; sent with status 200
} as const;

export type ErrorName = keyof typeof ERROR_CODES;

export function errorCodes(...names: ErrorName[]): ReadonlySet<number> {
  return new Set(names.map((name) => ERROR_CODES[name]));
}
