import { beforeAll, expect, test } from "vitest";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { BUG_FIELD_ROWS, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../src/wire/bug-fields.ts";
import type { ValueTypes } from "../../src/wire/bug-values.ts";
import type { JsonObject, Request } from "../../src/wire/exchange.ts";
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

const USER = "id real_name name email";
const FLAG = "id name type_id creation_date modification_date status setter";

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

/** True if an object has these keys, separated by blanks, and no other. */
function hasKeys(value: unknown, keys: string): boolean {
  return (
    Object.keys(value as object)
      .sort()
      .join(" ") === keys.split(" ").sort().join(" ")
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

const COMMENT = "id bug_id attachment_id count text creator time creation_time is_private tags";
const FIELD = "id type is_custom name display_name is_mandatory is_on_bug_entry visibility_field visibility_values";
const VALUE = "name sort_key sortkey visibility_values";

const valuesOf = (response: JsonObject) => list(list(response["fields"])[0]?.["values"]);
const historyOf = (response: JsonObject) => list(list(response["bugs"])[0]?.["history"]);

test.each<[path: string, keys: string, pick: (response: JsonObject) => unknown]>([
  ["/rest/bug/12/comment", COMMENT, ({ bugs }) => (bugs as Record<string, JsonObject>)["12"]?.["comments"]],
  ["/rest/bug/comment/5", COMMENT, ({ comments }) => Object.values(comments as JsonObject)],
  ["/rest/bug/12/history", "id alias history", ({ bugs }) => bugs],
  ["/rest/bug/12/history", "when who changes", historyOf],
  [
    "/rest/bug/12/history",
    "field_name removed added",
    (response) => historyOf(response).flatMap(({ changes }) => list(changes)),
  ],
  ["/rest/group/security", "id name description is_bug_group is_active user_regexp", ({ groups }) => groups],
  [
    "/rest/group/security?membership=1",
    "id real_name email name can_login email_enabled login_denied_text",
    ({ groups }) => list(groups)[0]?.["membership"],
  ],
  ["/rest/field/bug/short_desc", FIELD, ({ fields }) => fields],
  ["/rest/field/bug/priority", `${FIELD} value_field values`, ({ fields }) => fields],
  ["/rest/field/bug/priority", VALUE, valuesOf],
  ["/rest/field/bug/component", `${VALUE} is_active`, valuesOf],
  ["/rest/field/bug/keywords", "name description", valuesOf],
  [
    "/rest/field/bug/bug_status",
    `${VALUE} is_open can_change_to`,
    (response) => valuesOf(response).filter(({ name }) => name),
  ],
])("a response to %s has the keys that the client reads: %s", async (address, keys, pick) => {
  const { pathname, searchParams } = new URL(address, "https://bugs.example.org");
  const things = list(pick(await ask(pathname, [...searchParams])));
  expect(things.length).toBeGreaterThan(0);
  for (const thing of things) expect(hasKeys(thing, keys), Object.keys(thing).join(" ")).toBe(true);
});
