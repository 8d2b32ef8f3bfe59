/**
 * An error response of the REST API: HTTP status, Bugzilla's numeric error code, and message.
 * @see Bugzilla/WebService/Constants.pm, WS_ERROR_CODE and REST_STATUS_CODE_MAP
 */
export class Fault extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.name = "Fault";
    this.status = status;
    this.code = code;
  }
}

/** Throws where only an expression fits, as after `??`. */
export function raise(fault: Fault): never {
  throw fault;
}

/** Constructors of the faults that several modules throw; `faultResponse` turns a fault into a response. */
export const faults = {
  noSuchResource: (what: string) => new Fault(404, 32614, `A REST API resource was not found for '${what}'.`),
  loginRequired: () => new Fault(401, 410, "You must log in before using this part of Bugzilla."),
  parameterMissing: (name: string) =>
    new Fault(400, 50, `The function requires a ${name} argument, and that argument was not set.`),
  notANumber: (what: string) => new Fault(400, 52, `Invalid parameter ${what}: It must be numeric.`),
  notADate: (text: string) => new Fault(400, 56, `'${text}' is not a legal date.`),
  wrongShape: (name: string, expected: string) => new Fault(400, 32000, `The parameter ${name} must be ${expected}.`),
  noSuchBug: (id: string) => new Fault(404, 101, `Bug #${id} does not exist.`),
  noSuchAlias: (text: string) => new Fault(400, 100, `'${text}' is not a valid bug number nor an alias to a bug.`),
  noSuchProduct: (name: string) =>
    new Fault(401, 106, `Either the product '${name}' does not exist or you don't have access to it.`),
  noSuchProductId: (id: string) =>
    new Fault(401, 106, `Either the product with the id ${id} does not exist or you don't have access to it.`),
  noSuchUser: (login: string) =>
    new Fault(
      404,
      51,
      `There is no user named '${login}'. Either you mis-typed the name or that user has not yet registered for a Bugzilla account.`,
    ),
  noSuchObject: (kind: string, name: string) => new Fault(404, 51, `There is no ${kind} named '${name}'.`),
  noSuchId: (kind: string, id: string) => new Fault(404, 51, `There is no ${kind} with the id '${id}'.`),
  notInGroup: (group: string, what: string) =>
    new Fault(
      401,
      304,
      `Sorry, you aren't a member of the '${group}' group, and so you are not authorized to ${what}.`,
    ),
} as const;
