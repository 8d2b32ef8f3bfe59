import fc from "fast-check";
import type { Term, TypedOp } from "../../src/api/query/tree.ts";
import { test, words } from "../api/query/random-trees.ts";
import { STATES } from "./field-conditions.ts";

function oneOf(field: string, ...list: readonly string[]): fc.Arbitrary<Term> {
  return words(...list).map((values) => test(field, "=", ...values));
}

const order = fc.constantFrom<TypedOp>(">", ">=", "<", "<=", "=");

/** By the clock of the random world, in the order of time. */
const DATES = ["2026", "last-month", "2026-10", "2026-11-01T12:00Z", "-2w", "2026-11-19", "today"] as const;

const dates = fc.constantFrom(...DATES);

type Span = { readonly since?: (typeof DATES)[number]; readonly before?: (typeof DATES)[number] };

/** A span that ends before it begins is refused, so that it has no end here. */
function endingLater<Parts extends Span>({ before, ...parts }: Parts) {
  const isLater = before !== undefined && (!parts.since || DATES.indexOf(before) > DATES.indexOf(parts.since) + 1);
  return isLater ? { ...parts, before } : parts;
}

const logins = ["ada@example.org", "mei@example.org", "tomas@example.org", "@me", "@reporter", "@assignee"] as const;

const pieces = fc.constantFrom("crash", "CRASH", "hang", "a.b", "a_b", "100%", "[", "zoo", "\\", "größe", " & ", "x");

const FIELDS_THAT_MAY_BE_EMPTY = [
  ...["resolution", "alias", "qa_contact", "cc", "keywords", "deadline", "cf_ship_by", "cf_last_seen"],
  ...["cf_impact", "cf_points", "cf_build", "cf_devices", "flags", "groups", "whiteboard", "url"],
  ...["see_also", "depends_on", "blocks", "requestee", "setter"],
];

/** Conditions on what bugs themselves show. */
const onBugs: fc.Arbitrary<Term> = fc.oneof(
  fc.constantFrom(...STATES, "private", "unassigned", "assigned").map((state) => ({ kind: "is", state }) as const),
  oneOf("status", "UNCONFIRMED", "CONFIRMED", "IN_PROGRESS", "resolved", "VERIFIED"),
  oneOf("resolution", "FIXED", "INVALID", "WORKSFORME", "---"),
  oneOf("component", "Library", "Import & Export", "API", "Guides"),
  oneOf("product", "Lantern", "Harbor", "Handbook"),
  oneOf("classification", "Unclassified"),
  oneOf("version", "main", "3.1", "current"),
  fc
    .tuple(fc.constantFrom("priority", "severity"), order)
    .map(([field, op]) => test(field, op, field === "priority" ? "High" : "normal")),
  fc
    .tuple(fc.constantFrom("creation_time", "last_change_time", "deadline", "cf_ship_by", "cf_last_seen"), order, dates)
    .map(([field, op, date]) => test(field, op, date)),
  fc
    .tuple(fc.constantFrom("id", "cf_points", "estimated_time"), order, fc.integer({ min: 1, max: 20 }))
    .map(([field, op, number]) => test(field, op, String(number))),
  fc
    .tuple(
      fc.constantFrom("summary", "whiteboard", "url", "cf_build", "see_also", "alias"),
      fc.constantFrom<TypedOp>("~", "^=", "$="),
      pieces,
    )
    .map(([field, op, text]) => test(field, op, text)),
  fc
    .tuple(
      fc.constantFrom("summary", "whiteboard", "url"),
      fc.constantFrom("Nothing works", "x", "[zoo]", "https://a.example/?x=1,2"),
    )
    .map(([field, text]) => test(field, "=", text)),
  fc
    .tuple(fc.constantFrom("assigned_to", "creator", "qa_contact", "cc", "requestee", "setter"), words(...logins))
    .map(([field, list]) => test(field, "=", ...list)),
  fc
    .tuple(fc.constantFrom("assigned_to", "creator", "cc", "requestee"), fc.constantFrom("mei", "EXAMPLE", "a@"))
    .map(([field, text]) => test(field, "~", text)),
  oneOf("keywords", "crash", "perf", "good-first-bug"),
  oneOf("cf_devices", "camera", "card reader", "phone"),
  oneOf("cf_impact", "one person", "everybody", "---"),
  oneOf("url", "https://a.example/?x=1,2", "x"),
  oneOf("alias", "zeb-0", "quagga-3", "ZEB-6", "nothing"),
  oneOf("flags", "review?", "review", "needinfo+", "approval"),
  oneOf("depends_on", "61", "62"),
  oneOf("blocks", "1", "2", "3", "4", "5", "6"),
  oneOf("groups", "security"),
  fc.constantFrom(...FIELDS_THAT_MAY_BE_EMPTY).map((field) => test(field, "empty")),
  fc.constantFrom<Term>(
    { kind: "flag", name: "review?", requestee: "@me" },
    { kind: "flag", name: "needinfo", setter: "mei@example.org" },
    { kind: "flag", name: "approval+" },
  ),
);

/** Conditions on comments, attachments and changes, which the server alone can decide. */
const onPast: fc.Arbitrary<Term> = fc.oneof(
  fc.tuple(fc.constantFrom<TypedOp>("~", "^=", "$="), pieces).map(([op, text]) => test("comment", op, text)),
  fc
    .tuple(
      fc.constantFrom("summary", "whiteboard", "comment"),
      fc.constantFrom("^crash", "hang|leak", "[0-9]+%$", "\\[z"),
    )
    .map(([field, pattern]) => test(field, "=~", pattern)),
  fc.constantFrom("crash", "hang", "works", "nosuch").map((word) => test("fulltext", "~", word)),
  fc.tuple(order, fc.integer({ min: 1, max: 40 })).map(([op, count]) => test("days_elapsed", op, String(count))),
  fc
    .tuple(
      fc.constantFrom("assigned_to", "creator", "cc"),
      fc.constantFrom("@group.release-drivers", "@group.security"),
    )
    .map(([field, group]) => test(field, "=", group, "tomas@example.org")),
  fc
    .tuple(fc.constantFrom<TypedOp>("~", "^=", "$="), fc.constantFrom("crash", "a.b", "[zoo]", "100%", "txt", "PNG"))
    .map(([op, text]) => test("attachment", op, text)),
  words("seun@example.org", "@me", "mei@example.org", "priya@example.org").map((list) =>
    test("attacher", "=", ...list),
  ),
  oneOf("attachment_type", "text/plain", "image/png"),
  fc
    .tuple(fc.constantFrom("patch", "obsolete"), fc.constantFrom("yes", "no"))
    .map(([field, word]) => test(field, "=", word)),
  fc.constant(test("attachment", "empty")),
  words("mei@example.org", "@me", "tomas@example.org").map((list) => test("commenter", "=", ...list)),
  fc.tuple(order, fc.integer({ min: 2, max: 4 })).map(([op, count]) => test("comments", op, String(count))),
  oneOf("comment_tag", "spam", "obsolete-text"),
  fc.constant(test("comment_tag", "empty")),
  fc.constantFrom("yes", "no").map((word) => test("private_comment", "=", word)),
  fc
    .record(
      {
        from: fc.constantFrom("CONFIRMED", "UNCONFIRMED"),
        to: fc.constantFrom("RESOLVED", "IN_PROGRESS"),
        by: fc.constantFrom("@me", "mei@example.org"),
        since: dates,
        before: dates,
      },
      { requiredKeys: [] },
    )
    .map((parts) => ({ kind: "change", field: "status", ...endingLater(parts) }) as const),
  fc
    .tuple(
      fc.constantFrom("priority", "assigned_to", "whiteboard", "keywords", "flags", "cf_points", "resolution"),
      fc.record({ by: fc.constantFrom("@me", "mei@example.org"), since: dates, before: dates }, { requiredKeys: [] }),
    )
    .map(([field, parts]) => ({ kind: "change", field, ...endingLater(parts) }) as const),
);

/** Conditions on the bugs of the random world, of every family and with every comparison that makes sense. */
export const conditions: fc.Arbitrary<Term> = fc.oneof(
  { weight: 3, arbitrary: onBugs },
  { weight: 1, arbitrary: onPast },
);
