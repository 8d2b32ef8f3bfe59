import { ERROR_CODES, type ErrorName } from "../../wire/error-codes.ts";

/** HTTP statuses, where not 400. @see Bugzilla/WebService/Constants.pm, REST_STATUS_CODE_MAP */
const STATUSES: Readonly<Partial<Record<ErrorName, number>>> = {
  object_does_not_exist: 404,
  bug_id_does_not_exist: 404,
  bug_access_denied: 401,
  product_access_denied: 401,
  product_edit_denied: 401,
  comment_is_private: 401,
  user_not_insider: 401,
  illegal_change: 401,
  group_restriction_not_allowed: 401,
  invalid_login_or_password: 401,
  account_disabled: 401,
  auth_failure: 401,
  login_required: 401,
  invalid_username: 401,
  user_access_by_id_denied: 401,
  rest_invalid_resource: 404,
  internal: 500,
};

/** An error response: Bugzilla's name of the error, which gives its code and status, and a message. */
export class Fault extends Error {
  readonly status: number;
  readonly code: number;

  constructor(error: ErrorName, message: string, status = STATUSES[error] ?? 400) {
    super(message);
    this.name = "Fault";
    this.status = status;
    this.code = ERROR_CODES[error];
  }
}

/** Throws where only an expression fits, as after `??`. */
export function raise(fault: Fault): never {
  throw fault;
}

export const faults = {
  noSuchResource: (what: string) =>
    new Fault("rest_invalid_resource", `A REST API resource was not found for '${what}'.`),
  loginRequired: () => new Fault("login_required", "You must log in before using this part of Bugzilla."),
  parameterMissing: (name: string) =>
    new Fault("param_required", `The function requires a ${name} argument, and that argument was not set.`),
  notANumber: (what: string) => new Fault("param_must_be_numeric", `Invalid parameter ${what}: It must be numeric.`),
  notADate: (text: string) => new Fault("illegal_date", `'${text}' is not a legal date.`),
  wrongShape: (name: string, expected: string) => new Fault("other", `The parameter ${name} must be ${expected}.`),
  noSuchBug: (id: string) => new Fault("bug_id_does_not_exist", `Bug #${id} does not exist.`),
  noSuchAlias: (text: string) =>
    new Fault("improper_bug_id_field_value", `'${text}' is not a valid bug number nor an alias to a bug.`),
  noSuchProduct: (name: string) =>
    new Fault("product_access_denied", `Either the product '${name}' does not exist or you don't have access to it.`),
  noSuchProductId: (id: string) =>
    new Fault(
      "product_access_denied",
      `Either the product with the id ${id} does not exist or you don't have access to it.`,
    ),
  noSuchUser: (login: string) =>
    new Fault(
      "object_does_not_exist",
      `There is no user named '${login}'. Either you mis-typed the name or that user has not yet registered for a Bugzilla account.`,
    ),
  noSuchObject: (kind: string, name: string) =>
    new Fault("object_does_not_exist", `There is no ${kind} named '${name}'.`),
  noSuchId: (kind: string, id: string) =>
    new Fault("object_does_not_exist", `There is no ${kind} with the id '${id}'.`),
  notInGroup: (group: string, what: string) =>
    new Fault(
      "auth_failure",
      `Sorry, you aren't a member of the '${group}' group, and so you are not authorized to ${what}.`,
    ),
} as const;
