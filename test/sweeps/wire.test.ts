import { beforeAll, describe, expect, test } from "vitest";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { BUG_FIELD_ROWS, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../src/wire/bug-fields.ts";
import type { Flag, User, ValueTypes } from "../../src/wire/bug-values.ts";
import type { JsonObject, Request } from "../../src/wire/exchange.ts";
import type {
  BugHistory,
  Comment,
  Field,
  FieldChange,
  FieldValue,
  Group,
  HistoryEntry,
  Member,
} from "../../src/wire/resources.ts";
import { clockOf } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";

let demo: OpenedTracker;
beforeAll(() => {
  demo = freshDemo({ now: clockOf(), random: (bytes) => new Uint8Array(bytes) });
  return () => demo.close();
});

/** Asks as the administrator, to whom nothing is hidden. */
async function ask(path: string, query: Request["query"] = []): Promise<JsonObject> {
  const { body } = await demo.tracker({ method: "GET", path, query }, { address: "127.0.0.1", userId: 1 });
  return JSON.parse(body);
}

function list(value: unknown) {
  return value as readonly JsonObject[];
}

/** Keys that are not there for a reason that the interface knows. */
function absent(bug: JsonObject) {
  return bug["qa_contact"] === "" ? ["qa_contact_detail"] : [];
}

const USER = ["id", "real_name", "name", "email"] as const satisfies readonly (keyof User)[];
const FLAG = [
  "id",
  "name",
  "type_id",
  "creation_date",
  "modification_date",
  "status",
  "setter",
] as const satisfies readonly (keyof Flag)[];

/** A value of each kind when it is set. */
const KINDS: Readonly<Record<keyof ValueTypes, (value: unknown) => boolean>> = {
  int: Number.isInteger,
  double: (value) => typeof value === "number",
  text: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  datetime: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value)),
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  ints: (value) => Array.isArray(value) && value.every(Number.isInteger),
  user: (value) => hasKeys(value, USER),
  users: (value) => list(value).every((one) => hasKeys(one, USER)),
  flags: (value) => list(value).every(({ requestee: _, ...flag }) => hasKeys(flag, FLAG)),
};

function hasKeys(value: unknown, keys: readonly string[]): boolean {
  return (
    Object.keys(value as object)
      .sort()
      .join() === [...keys].sort().join()
  );
}

test("every bug of the demo has the listed fields, no more and no fewer, with their types", async () => {
  const found = list((await ask("/rest/bug", [["bug_status", "__all__"]]))["bugs"]);
  expect(found).toHaveLength(50);
  for (const { id } of found) {
    const [bug = {}] = list((await ask(`/rest/bug/${id}`))["bugs"]);
    const keys = Object.keys(bug).filter((key) => !key.startsWith("cf_"));
    expect([...keys, ...absent(bug)].sort()).toEqual([...DEFAULT_BUG_FIELDS].sort());
    const wrong = BUG_FIELD_ROWS.filter(([name, { json }]) => json && bug[name] != null && !KINDS[json](bug[name]));
    expect(wrong).toEqual([]);
  }
});

test("extra fields are returned on request", async () => {
  const [bug = {}] = list((await ask("/rest/bug/49", [["include_fields", "_extra"]]))["bugs"]);
  expect(Object.keys(bug)).toEqual(EXTRA_BUG_FIELDS);
});

describe("responses of the tracker have the keys that the client reads", () => {
  const COMMENT_KEYS: readonly (keyof Comment)[] = [
    "id",
    "bug_id",
    "attachment_id",
    "count",
    "text",
    "creator",
    "time",
    "creation_time",
    "is_private",
    "tags",
  ];
  const KEYS: Readonly<
    Record<string, readonly [path: string, pick: (answer: JsonObject) => unknown, keys: readonly string[]]>
  > = {
    comments: [
      "/rest/bug/12/comment",
      (answer) => list((answer["bugs"] as Record<string, JsonObject>)["12"]?.["comments"]),
      COMMENT_KEYS,
    ],
    "one comment": ["/rest/bug/comment/5", (answer) => Object.values(answer["comments"] as JsonObject), COMMENT_KEYS],
    history: [
      "/rest/bug/12/history",
      (answer) => answer["bugs"],
      ["id", "alias", "history"] satisfies (keyof BugHistory)[],
    ],
    "history entries": [
      "/rest/bug/12/history",
      (answer) => list(answer["bugs"])[0]?.["history"],
      ["when", "who", "changes"] satisfies (keyof HistoryEntry)[],
    ],
    changes: [
      "/rest/bug/12/history",
      (answer) => list(list(answer["bugs"])[0]?.["history"]).flatMap(({ changes }) => list(changes)),
      ["field_name", "removed", "added"] satisfies (keyof FieldChange)[],
    ],
    groups: [
      "/rest/group/security",
      (answer) => answer["groups"],
      ["id", "name", "description", "is_bug_group", "is_active", "user_regexp"] satisfies (keyof Group)[],
    ],
    "fields without values": [
      "/rest/field/bug/short_desc",
      (answer) => answer["fields"],
      [
        "id",
        "type",
        "is_custom",
        "name",
        "display_name",
        "is_mandatory",
        "is_on_bug_entry",
        "visibility_field",
        "visibility_values",
      ] satisfies (keyof Field)[],
    ],
    "fields with values": [
      "/rest/field/bug/priority",
      (answer) => answer["fields"],
      [
        "id",
        "type",
        "is_custom",
        "name",
        "display_name",
        "is_mandatory",
        "is_on_bug_entry",
        "visibility_field",
        "visibility_values",
        "value_field",
        "values",
      ] satisfies (keyof Field)[],
    ],
    "values of a field": [
      "/rest/field/bug/priority",
      (answer) => list(answer["fields"])[0]?.["values"],
      ["name", "sort_key", "sortkey", "visibility_values"] satisfies (keyof FieldValue)[],
    ],
    "values of a product's field": [
      "/rest/field/bug/component",
      (answer) => list(answer["fields"])[0]?.["values"],
      ["name", "sort_key", "sortkey", "visibility_values", "is_active"] satisfies (keyof FieldValue)[],
    ],
    keywords: [
      "/rest/field/bug/keywords",
      (answer) => list(answer["fields"])[0]?.["values"],
      ["name", "description"] satisfies (keyof FieldValue)[],
    ],
    statuses: [
      "/rest/field/bug/bug_status",
      (answer) => list(list(answer["fields"])[0]?.["values"]).filter(({ name }) => name),
      ["name", "sort_key", "sortkey", "visibility_values", "is_open", "can_change_to"] satisfies (keyof FieldValue)[],
    ],
  };

  test.each(Object.entries(KEYS))("%s", async (_what, [path, pick, keys]) => {
    const things = list(pick(await ask(path)));
    expect(things.length).toBeGreaterThan(0);
    for (const thing of things) expect(Object.keys(thing).sort()).toEqual([...keys].sort());
  });

  test("members of a group", async () => {
    const [group] = list((await ask("/rest/group/security", [["membership", "1"]]))["groups"]);
    const members = list(group?.["membership"]);
    const keys: (keyof Member)[] = [
      "id",
      "real_name",
      "email",
      "name",
      "can_login",
      "email_enabled",
      "login_denied_text",
    ];
    expect(members.length).toBeGreaterThan(0);
    for (const member of members) expect(Object.keys(member).sort()).toEqual([...keys].sort());
  });
});
