import { ROLE_NAMES } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import { defaultLogins, JOINED_PEOPLE } from "../products/default-people.ts";
import { PRODUCT_RENAMED } from "../products/update.ts";
import {
  type AdminOperation,
  type AdminParameter,
  type ObjectKind,
  objectOperations,
  optionalParameter,
  pickArguments,
  requiredParameter,
  textArgument,
} from "./operation.ts";

const description = optionalParameter("description", "text", "description");
const isActive = optionalParameter("is_active", "yes-no", "allow choosing it");
const inProduct = requiredParameter("product", "product");

const PRODUCT = ["description", "classification", "has_unconfirmed", "default_milestone", "is_active", "versions"];

const sortKey = optionalParameter("sort_key", "number", "sort key; smaller comes first");

const classification: ObjectKind = {
  noun: "classification",
  about: "the classifications of products",
  keys: [requiredParameter("name", "name of the classification")],
  parts: [description, sortKey],
  list: `SELECT classifications.name, classifications.description, sort_key,
    (SELECT count(*) FROM products WHERE classification_id = classifications.id) AS products
    FROM classifications ORDER BY sort_key, classifications.name`,
  find: "SELECT id FROM classifications WHERE name = @name",
  rename: ["UPDATE classifications SET name = @new_name WHERE name = @name"],
  remove: {
    uses: {
      "products, which require a classification": `SELECT count(*) FROM classifications WHERE name = @name
        AND (SELECT count(*) FROM classifications) = 1`,
    },
    statements: ["DELETE FROM classifications WHERE name = @name"],
  },
  setup: (args) => ({
    classifications: [{ ...pickArguments(args, "description", "sort_key"), name: textArgument(args, "name") }],
  }),
};

const product: ObjectKind = {
  noun: "product",
  about: "the products",
  keys: [requiredParameter("name", "name of the product")],
  parts: [
    description,
    optionalParameter("classification", "text", "classification"),
    optionalParameter("has_unconfirmed", "yes-no", "allow unconfirmed bugs"),
    optionalParameter("default_milestone", "text", "default milestone"),
    optionalParameter("is_active", "yes-no", "allow new bugs"),
    optionalParameter("versions", "list", "versions"),
  ],
  list: `SELECT products.name, products.description, is_active, has_unconfirmed, default_milestone,
    (SELECT count(*) FROM components WHERE product_id = products.id) AS components,
    (SELECT count(*) FROM bugs WHERE product_id = products.id) AS bugs
    FROM products ORDER BY products.name`,
  find: "SELECT id FROM products WHERE name = @name",
  rename: ["UPDATE products SET name = @new_name WHERE name = @name", ...PRODUCT_RENAMED],
  remove: {
    uses: {
      bugs: "SELECT count(*) FROM bugs WHERE product_id = (SELECT id FROM products WHERE name = @name)",
      "flag types that can be set nowhere else": `SELECT count(*) FROM flag_types
        WHERE id IN (SELECT type_id FROM flag_type_inclusions)
          AND id NOT IN (SELECT type_id FROM flag_type_inclusions
            WHERE product_id IS NULL OR product_id <> (SELECT id FROM products WHERE name = @name))`,
    },
    statements: ["DELETE FROM products WHERE name = @name"],
  },
  setup: (args) => ({ products: [{ ...pickArguments(args, ...PRODUCT), name: textArgument(args, "name") }] }),
};

const PEOPLE = DEFAULT_PEOPLE.map(({ field, written, isOptional }) => {
  const about = `default ${ROLE_NAMES[field]}`;
  return isOptional ? optionalParameter(written, "text", about) : requiredParameter(written, about);
});
const COMPONENT = ["name", "description", ...PEOPLE.map(({ name }) => name), "default_cc", "is_active"];

const component: ObjectKind = {
  noun: "component",
  about: "the components of products",
  within: "product",
  keys: [inProduct, requiredParameter("name", "name of the component")],
  parts: [description, ...PEOPLE, optionalParameter("default_cc", "list", "default CC users"), isActive],
  list: `SELECT products.name AS product, components.name, components.description, ${defaultLogins("written")},
    components.is_active
    FROM components JOIN products ON products.id = product_id ${JOINED_PEOPLE} ORDER BY products.name, components.name`,
  find: `SELECT components.id FROM components JOIN products ON products.id = product_id
    WHERE products.name = @product AND components.name = @name`,
  rename: [
    `UPDATE components SET name = @new_name
    WHERE product_id = (SELECT id FROM products WHERE name = @product) AND name = @name`,
  ],
  remove: {
    statements: [
      "DELETE FROM components WHERE product_id = (SELECT id FROM products WHERE name = @product) AND name = @name",
    ],
  },
  setup: (args) => ({
    products: [
      {
        name: textArgument(args, "product"),
        components: [{ ...pickArguments(args, ...COMPONENT), name: textArgument(args, "name") }],
      },
    ],
  }),
};

// Versions and milestones are stored in bugs by name, so a rename updates the bugs.
function partKind(noun: "version" | "milestone", parts: readonly AdminParameter[]): ObjectKind {
  return {
    noun,
    about: `the ${noun}s of products`,
    within: "product",
    keys: [inProduct, requiredParameter("name", `name of the ${noun}`)],
    parts,
    ...PART_SQL[noun],
    setup: (args) => ({
      products: [
        { name: textArgument(args, "product"), [`${noun}s`]: [pickArguments(args, "name", "sort_key", "is_active")] },
      ],
    }),
  };
}

const PART_SQL = {
  version: {
    list: `SELECT products.name AS product, versions.name, versions.is_active
      FROM versions JOIN products ON products.id = product_id ORDER BY products.name, versions.id`,
    find: `SELECT versions.id FROM versions JOIN products ON products.id = product_id
      WHERE products.name = @product AND versions.name = @name`,
    rename: [
      `UPDATE bugs SET version = @new_name
        WHERE product_id = (SELECT id FROM products WHERE name = @product) AND version = @name`,
      `UPDATE versions SET name = @new_name
        WHERE product_id = (SELECT id FROM products WHERE name = @product) AND name = @name`,
    ],
    remove: {
      uses: {
        bugs: `SELECT count(*) FROM bugs
          WHERE product_id = (SELECT id FROM products WHERE name = @product) AND version = @name`,
      },
      statements: [
        "DELETE FROM versions WHERE product_id = (SELECT id FROM products WHERE name = @product) AND name = @name",
      ],
    },
  },
  milestone: {
    list: `SELECT products.name AS product, milestones.name, sort_key, milestones.is_active
      FROM milestones JOIN products ON products.id = product_id ORDER BY products.name, sort_key, milestones.name`,
    find: `SELECT milestones.id FROM milestones JOIN products ON products.id = product_id
      WHERE products.name = @product AND milestones.name = @name`,
    rename: [
      `UPDATE bugs SET target_milestone = @new_name
        WHERE product_id = (SELECT id FROM products WHERE name = @product) AND target_milestone = @name`,
      `UPDATE milestones SET name = @new_name
        WHERE product_id = (SELECT id FROM products WHERE name = @product) AND name = @name`,
      `UPDATE products SET default_milestone = @new_name WHERE name = @product AND default_milestone = @name`,
    ],
    remove: {
      uses: {
        bugs: `SELECT count(*) FROM bugs
          WHERE product_id = (SELECT id FROM products WHERE name = @product) AND target_milestone = @name`,
        "its product, as default_milestone":
          "SELECT count(*) FROM products WHERE name = @product AND default_milestone = @name",
      },
      statements: [
        "DELETE FROM milestones WHERE product_id = (SELECT id FROM products WHERE name = @product) AND name = @name",
      ],
    },
  },
} as const;

const keyword: ObjectKind = {
  noun: "keyword",
  about: "the keywords",
  keys: [requiredParameter("name", "the keyword")],
  parts: [description],
  list: "SELECT name, description FROM keywords ORDER BY name",
  find: "SELECT id FROM keywords WHERE name = @name",
  rename: ["UPDATE keywords SET name = @new_name WHERE name = @name"],
  remove: {
    uses: {
      bugs: `SELECT count(*) FROM bug_keywords JOIN keywords ON keywords.id = keyword_id WHERE name = @name`,
    },
    statements: ["DELETE FROM keywords WHERE name = @name"],
  },
  setup: (args) => ({ keywords: [{ ...pickArguments(args, "description"), name: textArgument(args, "name") }] }),
};

const CONTROL = ["entry", "can_edit", "edit_components", "edit_bugs", "can_confirm", "members", "others"];

const productGroup: ObjectKind = {
  noun: "product-group",
  about: "the group controls of products",
  within: "product",
  keys: [inProduct, requiredParameter("group", "group")],
  parts: [
    optionalParameter("entry", "yes-no", "require the group for new bugs"),
    optionalParameter("can_edit", "yes-no", "require the group for updates"),
    optionalParameter("edit_components", "yes-no", "allow members to edit the product and its components"),
    optionalParameter("edit_bugs", "yes-no", "allow members to edit every field of its bugs"),
    optionalParameter("can_confirm", "yes-no", "allow members to confirm its bugs"),
    optionalParameter("members", "text", "for members: none, shown, default or mandatory"),
    optionalParameter("others", "text", "for other users: none, shown, default or mandatory"),
  ],
  list: `SELECT products.name AS product, groups.name AS "group", entry, can_edit, edit_components, edit_bugs, can_confirm,
    CASE member_control WHEN 1 THEN 'shown' WHEN 2 THEN 'default' WHEN 3 THEN 'mandatory' ELSE 'none' END AS members,
    CASE other_control WHEN 1 THEN 'shown' WHEN 2 THEN 'default' WHEN 3 THEN 'mandatory' ELSE 'none' END AS others
    FROM group_controls JOIN products ON products.id = product_id JOIN groups ON groups.id = group_id
    ORDER BY products.name, groups.name`,
  find: `SELECT group_id FROM group_controls JOIN products ON products.id = product_id JOIN groups ON groups.id = group_id
    WHERE products.name = @product AND groups.name = @group`,
  remove: {
    uses: {
      "bugs restricted to it alone": `SELECT count(*) FROM bug_groups JOIN bugs ON bugs.id = bug_id
        WHERE product_id = (SELECT id FROM products WHERE name = @product)
          AND group_id = (SELECT id FROM groups WHERE name = @group)`,
    },
    statements: [
      `DELETE FROM group_controls WHERE product_id = (SELECT id FROM products WHERE name = @product)
        AND group_id = (SELECT id FROM groups WHERE name = @group)`,
    ],
  },
  setup: (args) => ({
    products: [
      {
        name: textArgument(args, "product"),
        groups: [{ ...pickArguments(args, ...CONTROL), group: textArgument(args, "group") }],
      },
    ],
  }),
};

/** Admin operations on classifications, products, group controls, components, versions, milestones and keywords. */
export const productOperations: readonly AdminOperation[] = [
  classification,
  product,
  productGroup,
  component,
  partKind("version", [isActive]),
  partKind("milestone", [sortKey, isActive]),
  keyword,
].flatMap(objectOperations);
