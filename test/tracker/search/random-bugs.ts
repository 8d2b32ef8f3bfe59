import fc from "fast-check";
import type { Store } from "../../../src/tracker/store/store.ts";
import { recordedStore } from "../state.ts";

/** A bug of the random tests: everything about it that the naive filter looks at. */
export type RandomBug = {
  readonly summary: string;
  readonly status: string;
  readonly priority: string;
  readonly whiteboard: string;
  readonly assignee: string;
  readonly contact: string | null;
  readonly cc: readonly string[];
  readonly keywords: readonly string[];
  readonly aliases: readonly string[];
  readonly created: string;
  readonly deadline: string | null;
  readonly points: number | null;
  readonly tracking: string | null;
  readonly hours: number;
  readonly flags: readonly { readonly status: string; readonly setter: string; readonly requestee: string | null }[];
  readonly comments: readonly { readonly who: string; readonly text: string; readonly isPrivate: boolean }[];
  readonly changes: readonly Change[];
  readonly isPrivate: boolean;
};

/** One entry of a bug's history. */
export type Change = {
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly who: string;
  readonly time: string;
};

/** Words, logins and times that meet often, so that conditions are met often. */
export const TEXTS = [
  "zebra",
  "Zebra crossing",
  "quagga",
  "über uns",
  "ÜBER alles",
  "a_b 100%",
  "[zoo] p1",
  "",
  "zebra-quagga",
];
export const LOGINS = ["alice@example.org", "bob@example.org", "carol@example.org"];
const TIMES = ["2026-09-30T23:59:59Z", "2026-10-01T00:00:00Z", "2026-11-13T05:58:00Z", "2026-11-19T12:00:00Z"];
export const STATUSES = ["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS", "RESOLVED"];
export const PRIORITIES = ["Highest", "High", "Low", "---"];

function some<T>(values: readonly T[]) {
  return fc.subarray([...values]);
}

function one<T>(values: readonly T[]) {
  return fc.constantFrom(...values);
}

const change: fc.Arbitrary<Change> = fc.record({
  field: one(["bug_status", "priority", "short_desc"]),
  removed: one(["CONFIRMED", "High", "zebra"]),
  added: one(["RESOLVED", "Low", "quagga"]),
  who: one(LOGINS),
  time: one(TIMES),
});

/** A random bug; aliases are made its own when it is stored. */
export const randomBug: fc.Arbitrary<RandomBug> = fc.record({
  summary: one(TEXTS),
  status: one(STATUSES),
  priority: one(PRIORITIES),
  whiteboard: one(TEXTS),
  assignee: one(LOGINS),
  contact: fc.option(one(LOGINS)),
  cc: some(LOGINS),
  keywords: some(["crash", "perf", "regression"]),
  aliases: some(["zeb", "quag"]),
  created: one(TIMES),
  deadline: fc.option(one(["2026-11-01", "2027-01-31"])),
  points: fc.option(fc.integer({ min: 0, max: 4 })),
  tracking: fc.option(one(["yes", "no"])),
  hours: one([0, 1.5]),
  flags: fc.array(fc.record({ status: one(["?", "+"]), setter: one(LOGINS), requestee: fc.option(one(LOGINS)) }), {
    maxLength: 2,
  }),
  comments: fc.array(fc.record({ who: one(LOGINS), text: one(TEXTS), isPrivate: fc.boolean() }), { maxLength: 3 }),
  changes: fc.array(change, { maxLength: 3 }),
  isPrivate: fc.boolean(),
});

/** The aliases of a bug as they are stored: no two bugs have the same. */
export function aliasesOf(bug: RandomBug, id: number): readonly string[] {
  return bug.aliases.map((alias) => `${alias}-${id}`);
}

/** A store without bugs, to be filled again and again. */
export function emptyStore(): Store {
  const store = recordedStore();
  store.run("DELETE FROM bugs");
  return store;
}

/** Puts these bugs, and only these, into a store, with the ids 1, 2, 3 and so on. */
export function storeBugs(store: Store, bugs: readonly RandomBug[]): void {
  store.transaction("write", () => {
    store.run("DELETE FROM bugs");
    for (const [index, bug] of bugs.entries()) {
      storeBug(store, bug, index + 1);
    }
  });
}

function storeBug(store: Store, bug: RandomBug, id: number): void {
  const { summary, status, priority, whiteboard, assignee, contact, created, deadline, hours } = bug;
  store.run(BUG, { id, summary, status, priority, whiteboard, assignee, contact, created, deadline, hours });
  const rows: readonly (readonly [string, readonly (string | number | null)[]])[] = [
    ...bug.cc.map((who) => [`INSERT INTO bug_cc SELECT ?, id FROM users WHERE login = ?`, [id, who]] as const),
    ...bug.keywords.map(
      (word) => ["INSERT INTO bug_keywords SELECT ?, id FROM keywords WHERE name = ?", [id, word]] as const,
    ),
    ...aliasesOf(bug, id).map((alias) => ["INSERT INTO bug_aliases VALUES (?, ?)", [alias, id]] as const),
    ...(bug.points === null ? [] : [[CUSTOM, [id, String(bug.points), "cf_points"]] as const]),
    ...(bug.tracking === null ? [] : [[CUSTOM, [id, bug.tracking, "cf_tracking"]] as const]),
    ...bug.flags.map(({ status: sign, setter, requestee }) => [FLAG, [id, sign, setter, requestee]] as const),
    ...bug.comments.map(({ who, text, isPrivate }) => [COMMENT, [id, who, text, isPrivate ? 1 : 0]] as const),
    ...bug.changes.map(
      ({ who, time, field, removed, added }) => [CHANGE, [id, who, time, field, removed, added]] as const,
    ),
    ...(bug.isPrivate
      ? [["INSERT INTO bug_groups SELECT ?, id FROM groups WHERE name = 'core-security'", [id]] as const]
      : []),
  ];
  for (const [sql, values] of rows) {
    store.run(sql, values);
  }
}

function USER(name: string) {
  return `(SELECT id FROM users WHERE login = ${name})`;
}

const BUG = `INSERT INTO bugs (id, summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
    assigned_to_id, creator_id, qa_contact_id, creation_time, last_change_time, deadline, whiteboard, estimated_time,
    is_creator_accessible, is_cc_accessible)
  VALUES (@id, @summary, @status, 2, 2, '121', @priority, 'normal', 'PC', 'Linux',
    ${USER("@assignee")}, 1, ${USER("@contact")}, @created, @created, @deadline, @whiteboard, @hours, 0, 0)`;
const CUSTOM = "INSERT INTO custom_values (bug_id, value, field_id) SELECT ?, ?, id FROM fields WHERE name = ?";
const FLAG = `INSERT INTO flags (bug_id, status, setter_id, requestee_id, type_id, creation_date, modification_date)
  VALUES (?, ?, ${USER("?")}, ${USER("?")}, (SELECT id FROM flag_types WHERE name = 'review'), '', '')`;
const COMMENT = `INSERT INTO comments (bug_id, creator_id, text, is_private, creation_time)
  VALUES (?, ${USER("?")}, ?, ?, '2026-11-01T00:00:00Z')`;
const CHANGE = `INSERT INTO activity (bug_id, user_id, time, field, removed, added) VALUES (?, ${USER("?")}, ?, ?, ?, ?)`;
