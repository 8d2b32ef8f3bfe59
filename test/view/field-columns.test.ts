import { describe, expect, test } from "vitest";
import { fieldCard } from "../../src/view/cards.ts";
import { FIELD_COLUMNS, valueColumns } from "../../src/view/field-columns.ts";
import { listing, listText } from "../../src/view/listing.ts";
import type { Field, FieldValue } from "../../src/wire/resources.ts";
import { FIELDS, marked, viewOf } from "./samples.ts";

const standard = {
  is_custom: false,
  is_mandatory: false,
  is_on_bug_entry: false,
  visibility_field: null,
  visibility_values: [],
};

const STATUS: Field = {
  ...standard,
  id: 9,
  type: 2,
  name: "bug_status",
  display_name: "Status",
  value_field: null,
  values: [
    { name: null, sort_key: 0, is_open: true, can_change_to: [{ name: "NEW", comment_required: false }] },
    {
      name: "NEW",
      sort_key: 100,
      is_open: true,
      can_change_to: [
        { name: "ASSIGNED", comment_required: false },
        { name: "RESOLVED", comment_required: true },
      ],
    },
    { name: "RESOLVED", sort_key: 400, is_open: false, can_change_to: [] },
  ],
};

const COMPONENT: Field = {
  ...standard,
  id: 15,
  type: 2,
  name: "component",
  display_name: "Component",
  is_mandatory: true,
  value_field: "product",
  values: [
    { name: "General", sort_key: 0, is_active: true, visibility_values: ["Firefox"] },
    { name: "Legacy Parts", sort_key: 0, is_active: false, visibility_values: ["Firefox"] },
  ],
};

const NOTE: Field = {
  ...STATUS,
  id: 68,
  type: 1,
  name: "cf_note",
  display_name: "Note",
  is_custom: true,
  visibility_field: "product",
  visibility_values: ["Toolkit", "Firefox"],
  values: [],
};

describe("the card of a field", () => {
  test("with a workflow", () => {
    expect(fieldCard(STATUS, viewOf())).toMatchInlineSnapshot(`
      "status  Status
      select

      ID             9
      Internal name  bug_status

      VALUE      SORT KEY  OPEN  CAN CHANGE TO
      (new bug)         0  yes   NEW
      NEW             100  yes   ASSIGNED, RESOLVED (with a comment)
      RESOLVED        400  no
      "
    `);
  });

  test("whose values belong to products", () => {
    expect(fieldCard(COMPONENT, viewOf())).toMatchInlineSnapshot(`
      "component  Component
      select · mandatory

      ID         15
      Values by  product

      VALUE         SORT KEY  ACTIVE  ONLY FOR
      General              0  yes     Firefox
      Legacy Parts         0  no      Firefox
      "
    `);
  });

  test("that is limited to some products", () => {
    expect(fieldCard(NOTE, viewOf())).toMatchInlineSnapshot(`
      "cf_note  Note
      text · custom

      ID          68
      Filled in   only after creation
      Shown when  product is Toolkit or Firefox
      "
    `);
  });

  test("paints open and closed statuses", () => {
    expect(marked(fieldCard(STATUS, viewOf({ color: true })))).toContain("‹38;5;28›NEW‹39›");
    expect(marked(fieldCard(STATUS, viewOf({ color: true })))).toContain("‹38;5;133›RESOLVED‹39›");
  });
});

describe("a list of fields", () => {
  const fields = [STATUS, COMPONENT, NOTE, ...FIELDS.slice(0, 2)];

  test("at a terminal has names of the types", () => {
    expect(listText(fields, listing("table", FIELD_COLUMNS, viewOf()))).toMatchInlineSnapshot(`
      "NAME                SHOWN AS            TYPE          REQUIRED  CUSTOM  VALUES
      status              Status              select                               2
      component           Component           select        yes                    2
      cf_note             Note                text                    yes
      cf_crash_signature  Crash Signature     long text               yes
      cf_platforms        Affected platforms  multi-select            yes          3
      "
    `);
  });

  test("for programs has them, too", () => {
    expect(listText(fields, listing("tsv", FIELD_COLUMNS, viewOf({ terminal: false })))).toMatchInlineSnapshot(`
      "9	status	Status	select	false	false	NEW,RESOLVED
      15	component	Component	select	true	false	General,Legacy Parts
      68	cf_note	Note	text	false	true	
      60	cf_crash_signature	Crash Signature	long text	false	true	
      61	cf_platforms	Affected platforms	multi-select	false	true	desktop,phone, small,tv
      "
    `);
  });

  test("with names only leaves the other columns blank", () => {
    const bare = { name: "priority" } as Field;
    expect(
      listText([bare], listing("table", FIELD_COLUMNS, viewOf()))
        .split("\n")[1]
        ?.trim(),
    ).toBe("priority");
  });
});

test("a list of values has the columns with data", () => {
  const names = (values: readonly FieldValue[]) => valueColumns(values).map(({ name }) => name);
  expect(names([{ name: "FIXED" }, { name: "" }])).toEqual(["name"]);
  expect(names(STATUS.values ?? [])).toEqual(["name", "sort_key", "is_open", "can_change_to"]);
  expect(names(COMPONENT.values ?? [])).toEqual(["name", "sort_key", "is_active", "visibility_values"]);
  expect(names([{ name: "crash", description: "Crashes" }])).toEqual(["name", "description"]);
});

test("values for programs are exact, including the empty one", () => {
  const values = STATUS.values ?? [];
  expect(listText(values, listing("tsv", valueColumns(values), viewOf({ terminal: false })))).toBe(
    "\t0\ttrue\tNEW\nNEW\t100\ttrue\tASSIGNED,RESOLVED\nRESOLVED\t400\tfalse\t\n",
  );
});

test("a value that several products have is listed once", () => {
  const milestone = { ...COMPONENT, values: [{ name: "---" }, { name: "2.0" }, { name: "---" }] };
  const last = (format: "table" | "tsv") => {
    const view = viewOf({ terminal: format === "table" });
    return listText([milestone], listing(format, FIELD_COLUMNS, view))
      .trim()
      .split(/\s+/)
      .at(-1);
  };
  expect([last("tsv"), last("table")]).toEqual(["---,2.0", "2"]);
});

test("a narrow terminal shows the names of fields, and how many values they have", () => {
  const head = (view: Parameters<typeof viewOf>[0]) =>
    listText([STATUS, ...FIELDS], listing("table", FIELD_COLUMNS, viewOf(view)))
      .split("\n")[0]
      ?.split(/ {2,}/);
  expect(head({ width: 40 })).toEqual(["NAME", "SHOWN AS", "VALUES"]);
  const all = FIELD_COLUMNS.map(({ heading }) => heading.toUpperCase());
  expect([head({ width: 90 }), head({ width: 40, terminal: false })]).toEqual([all, all]);
});
