import { listBesidePath, type Operation } from "./operation.ts";

/** Fields: all bug fields. */
export const GET_FIELDS: Operation = { name: "Fields", method: "GET", path: "/rest/field/bug", parameters: [] };

/** Fields, in its other form: one field. */
export const GET_FIELD: Operation = {
  name: "Get Field",
  method: "GET",
  path: "/rest/field/bug/{id_or_name}",
  parameters: [],
};

/** Legal Values of a field. */
export const LEGAL_VALUES: Operation = {
  name: "Legal Values",
  method: "GET",
  path: "/rest/field/bug/{field}/values",
  parameters: [],
};

/** Legal Values, in its other form: the values of one product. */
export const LEGAL_VALUES_OF_PRODUCT: Operation = {
  name: "Legal Values of Product",
  method: "GET",
  path: "/rest/field/bug/{field}/{product_id}/values",
  parameters: [],
};

/**
 * Products by `names`, or by `type`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html
 */
export const GET_PRODUCTS: Operation = internalOperation("Get Products", "/rest/product");

/** A product by id or name. */
export const GET_PRODUCT: Operation = internalOperation("Get Product", "/rest/product/{id_or_name}");

/**
 * Flag types of a component.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html
 */
export const GET_FLAG_TYPES: Operation = internalOperation("Get Flag Types", "/rest/flag_type/{product}/{component}");

/** Flag types of a component, on bugzilla.mozilla.org. */
export const GET_MOZILLA_FLAG_TYPES: Operation = internalOperation(
  "Get Mozilla Flag Types",
  "/rest/flag_types/{product}/{component}",
);

/**
 * Last visits of the authenticated user to bugs, by `ids`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug-user-last-visit.html
 */
export const GET_LAST_VISITS: Operation = {
  ...internalOperation("Get Last Visits", "/rest/bug_user_last_visit/{id}"),
  build: listBesidePath("ids"),
};

/**
 * Bugs like the bug `id`, or like a `summary`; Mozilla's Bugzilla has it.
 * @see https://bmo.readthedocs.io/en/latest/api/core/v1/bug.html#possible-duplicates
 */
export const POSSIBLE_DUPLICATES: Operation = internalOperation("Possible Duplicates", "/rest/bug/possible_duplicates");

/**
 * Users by `names`, or by a text to `match`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html
 */
export const GET_USERS: Operation = internalOperation("Get Users", "/rest/user");

/** The authenticated user. */
export const WHO_AM_I: Operation = internalOperation("Who Am I", "/rest/whoami");

/** Tells if a login belongs to the authenticated user. */
export const VALID_LOGIN: Operation = internalOperation("Valid Login", "/rest/valid_login");

/**
 * Version of the tracker.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bugzilla.html
 */
export const VERSION: Operation = internalOperation("Version", "/rest/version");

/** Parameters of the tracker, as far as the requester may read them. */
export const PARAMETERS: Operation = internalOperation("Parameters", "/rest/parameters");

/** Time of the last change of the tracker's settings. */
export const LAST_AUDIT_TIME: Operation = internalOperation("Last Audit Time", "/rest/last_audit_time");

/**
 * Ids of the products in which the user may file bugs.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html
 */
export const ENTERABLE_PRODUCTS: Operation = internalOperation("Enterable Products", "/rest/product_enterable");

/** Time of the tracker's database. */
export const TIME: Operation = internalOperation("Time", "/rest/time");

/** An operation that is not in the specification's tables. */
function internalOperation(name: Operation["name"], path: string): Operation {
  return { name, method: "GET", path, parameters: [], isInternal: true };
}
