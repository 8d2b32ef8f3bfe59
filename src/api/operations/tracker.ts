import { type Operation, type Parameter, readOperation } from "./operation.ts";

/** Fields: all bug fields. */
export const GET_FIELDS = readOperation("Fields", "/rest/field/bug");

/** Fields, in its other form: one field. */
export const GET_FIELD = readOperation("Get Field", "/rest/field/bug/{id_or_name}");

/** Legal Values of a field. */
export const LEGAL_VALUES = readOperation("Legal Values", "/rest/field/bug/{field}/values");

/** Legal Values, in its other form: the values of one product. */
export const LEGAL_VALUES_OF_PRODUCT = readOperation(
  "Legal Values of Product",
  "/rest/field/bug/{field}/{product_id}/values",
);

/** Products by `names`, or by `type`. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html */
export const GET_PRODUCTS = readOperation("Get Products", "/rest/product");

/** A product by id or name. */
export const GET_PRODUCT = readOperation("Get Product", "/rest/product/{id_or_name}");

/** Ids of the products in which the user may file bugs. */
export const ENTERABLE_PRODUCTS = readOperation("Enterable Products", "/rest/product_enterable");

/** Flag types of a component. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html */
export const GET_FLAG_TYPES = readOperation("Get Flag Types", "/rest/flag_type/{product}/{component}");

/** Flag types of a component, on bugzilla.mozilla.org. */
export const GET_MOZILLA_FLAG_TYPES = readOperation("Get Mozilla Flag Types", "/rest/flag_types/{product}/{component}");

/** Users by `names`, or by a text to `match`. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html */
export const GET_USERS = readOperation("Get Users", "/rest/user");

/** The authenticated user. */
export const WHO_AM_I = readOperation("Who Am I", "/rest/whoami");

/** Tells if a login belongs to the authenticated user. */
export const VALID_LOGIN = readOperation("Valid Login", "/rest/valid_login");

/** Version of the tracker. @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bugzilla.html */
export const VERSION = readOperation("Version", "/rest/version");

/** Parameters of the tracker, as far as the requester may read them. */
export const PARAMETERS = readOperation("Parameters", "/rest/parameters");

/** Get Group: groups by id or name, or all visible ones. */
// biome-ignore format: a table
export const GET_GROUP = {
  name: "Get Group",
  method: "GET",
  path: "/rest/group",
  parameters: [
    { name: "ids", kind: "ints", aliases: ["id"], about: "only groups with this id" },
    { name: "names", kind: "texts", aliases: ["name"], about: "only groups with this name" },
    { name: "membership", kind: "switch", short: "m", aliases: ["members"],
      about: "include group members" },
  ],
} as const satisfies Operation;

// biome-ignore format: a table
const SETTINGS = [
  { name: "user_regexp", kind: "text",
    about: "regular expression; users with a matching login are members" },
  { name: "is_active", kind: "bool", about: "let bugs be restricted to the group" },
  { name: "icon_url", kind: "text", about: "URL of an icon shown next to its members" },
] as const satisfies readonly Parameter[];

export const CREATE_GROUP = {
  name: "Create Group",
  method: "POST",
  path: "/rest/group",
  parameters: [
    { name: "name", kind: "text", about: "unique name", required: true },
    { name: "description", kind: "text", short: "d", about: "description", required: true },
    ...SETTINGS,
  ],
} as const satisfies Operation;

/** Update Group; the groups are positional arguments. */
export const UPDATE_GROUP = {
  name: "Update Group",
  method: "PUT",
  path: "/rest/group/{id_or_name}",
  parameters: [
    { name: "name", kind: "text", about: "new name (one group only)" },
    { name: "description", kind: "text", short: "d", about: "description" },
    ...SETTINGS,
  ],
  list: "ids",
} as const satisfies Operation;
