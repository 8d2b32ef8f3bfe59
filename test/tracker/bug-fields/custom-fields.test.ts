import { expect, test } from "vitest";
import type { CustomValue } from "../../../src/tracker/bug.ts";
import type { CustomField } from "../../../src/tracker/bug-fields/choices.ts";
import { emptyCustomValue, readCustomValue } from "../../../src/tracker/bug-fields/custom-fields.ts";
import { outcome } from "../refusal.ts";

function field(type: number, changes: Partial<CustomField> = {}): CustomField {
  return {
    id: 60,
    name: "cf_thing",
    label: "Thing",
    kind: "cf_thing",
    type,
    is_mandatory: false,
    choices: [
      { name: "---", is_active: true },
      { name: "yes", is_active: true },
      { name: "gone", is_active: false },
    ],
    ...changes,
  };
}

function read(custom: CustomField, value: unknown, present: CustomValue = emptyCustomValue(custom)) {
  return outcome(() => readCustomValue(custom, value as never, { current: present, findBug: Number }));
}

const [TEXT, SELECT, SEVERAL, LONG, MOMENT, BUG, DAY, INTEGER] = [1, 2, 3, 4, 5, 6, 9, 10];

test.each<[string, CustomField, unknown, string]>([
  ["a text is one line", field(TEXT), " a\nb ", '"a b"'],
  [
    "a text is limited in length",
    field(TEXT),
    "1".repeat(300),
    "400/104: The text you entered in the Thing field is too long (300 characters, above the maximum length allowed of 255 characters).",
  ],
  ["a choice in any case", field(SELECT), "YES", '"yes"'],
  ["an unknown choice", field(SELECT), "perhaps", "404/51: There is no Thing named 'perhaps'."],
  ["a disabled choice", field(SELECT), "gone", "400/32000: The cf_thing value 'gone' is not active."],
  ["no choice", field(SELECT), "", "400/50: You must select/enter a Thing."],
  ["several choices", field(SEVERAL), ["yes", "---", "yes"], '["yes","---"]'],
  ["several choices as one text", field(SEVERAL), "yes, ---", '["yes","---"]'],
  [
    "several choices sent as an edit",
    field(SEVERAL),
    { add: ["yes"] },
    "400/32000: The parameter cf_thing must be a list of values.",
  ],
  ["a long text keeps its lines", field(LONG), "a\nb", '"a\\r\\nb"'],
  ["a time", field(MOMENT), "2026-11-02 03:04:05", '"2026-11-02 03:04:05"'],
  ["a bug", field(BUG), 20003, '"20003"'],
  ["an unknown bug", field(BUG), "", '""'],
  ["a day", field(DAY), "2027-06-01", '"2027-06-01"'],
  ["an integer", field(INTEGER), 13, '"13"'],
  ["an empty number is 0", field(INTEGER), "", '"0"'],
  [
    "a fraction",
    field(INTEGER),
    "1.5",
    "400/32000: The value '1.5' in the Thing field is not an integer value (i.e. a whole number).",
  ],
  [
    "a number out of range",
    field(INTEGER),
    2 ** 31,
    "400/54: The value '2147483648' in the Thing field is more than the maximum allowable value of '2147483647'.",
  ],
  [
    "an empty value where one is required",
    field(TEXT, { is_mandatory: true }),
    " ",
    "400/50: A value must be set for the 'Thing' field.",
  ],
  [
    "an empty choice where one is required",
    field(SELECT, { is_mandatory: true }),
    "---",
    "400/50: A value must be set for the 'Thing' field.",
  ],
])("%s", (...[_fact, custom, value, expected]) => {
  expect(read(custom, value)).toBe(expected);
});

test("a time in another format than the stored one is no change", () => {
  expect(read(field(MOMENT), "2026-11-02", "2026-11-02 00:00:00")).toBe('"2026-11-02 00:00:00"');
});
