import type { Operation } from "./operation.ts";

/** Fields: all bug fields. */
export const GET_FIELDS: Operation = { name: "Fields", method: "GET", path: "/rest/field/bug", parameters: [] };

/** Fields, in its other form: one field. */
export const GET_FIELD: Operation = { ...GET_FIELDS, name: "Get Field", path: "/rest/field/bug/{id_or_name}" };

/** Legal Values of a field. */
export const LEGAL_VALUES: Operation = {
  ...GET_FIELDS,
  name: "Legal Values",
  path: "/rest/field/bug/{field}/values",
};

/** Legal Values, in its other form: the values of one product. */
export const LEGAL_VALUES_OF_PRODUCT: Operation = {
  ...GET_FIELDS,
  name: "Legal Values of Product",
  path: "/rest/field/bug/{field}/{product_id}/values",
};

/** Products by `names`, or by `type`. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html */
export const GET_PRODUCTS = internalOperation("Get Products", "/rest/product");

/** A product by id or name. */
export const GET_PRODUCT = internalOperation("Get Product", "/rest/product/{id_or_name}");

/** Ids of the products in which the user may file bugs. */
export const ENTERABLE_PRODUCTS = internalOperation("Enterable Products", "/rest/product_enterable");

/** Flag types of a component. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html */
export const GET_FLAG_TYPES = internalOperation("Get Flag Types", "/rest/flag_type/{product}/{component}");

/** Flag types of a component, on bugzilla.mozilla.org. */
export const GET_MOZILLA_FLAG_TYPES = internalOperation(
  "Get Mozilla Flag Types",
  "/rest/flag_types/{product}/{component}",
);

/**
 * Last visits of the authenticated user to bugs, by `ids`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug-user-last-visit.html
 */
export const GET_LAST_VISITS: Operation = {
  ...internalOperation("Get Last Visits", "/rest/bug_user_last_visit/{id}"),
  list: "ids",
};

/** Users by `names`, or by a text to `match`. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html */
export const GET_USERS = internalOperation("Get Users", "/rest/user");

/** The authenticated user. */
export const WHO_AM_I = internalOperation("Who Am I", "/rest/whoami");

/** Tells if a login belongs to the authenticated user. */
export const VALID_LOGIN = internalOperation("Valid Login", "/rest/valid_login");

/** Version of the tracker. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bugzilla.html */
export const VERSION = internalOperation("Version", "/rest/version");

/** Parameters of the tracker, as far as the requester may read them. */
export const PARAMETERS = internalOperation("Parameters", "/rest/parameters");

/** Time of the tracker's database. */
export const TIME = internalOperation("Time", "/rest/time");

/** An operation that is not in the specification's tables. */
function internalOperation(name: Operation["name"], path: string): Operation {
  return { name, method: "GET", path, parameters: [] };
}
