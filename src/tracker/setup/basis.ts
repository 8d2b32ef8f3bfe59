import type { Store } from "../store/store.ts";
import { applySetup, type Setup } from "./setup.ts";
import { STANDARD_FIELDS, type StandardField } from "./standard-fields.ts";

/** Gives an empty tracker what every tracker has: the fields, their usual values, the workflow and the groups of rights. */
export function layBasis(store: Store): void {
  for (const field of STANDARD_FIELDS) {
    store.run(FIELD, fieldRow(field));
  }
  applySetup(store, BASIS);
}

const FIELD = `
  INSERT INTO fields (name, display_name, type, sort_key, is_mandatory, is_numeric, in_bug_list)
  VALUES (@name, @display_name, @type, @sort_key, @is_mandatory, @is_numeric, @in_bug_list)`;

function fieldRow([name, display_name, type, sort_key, traits = ""]: StandardField) {
  return {
    name,
    display_name,
    type,
    sort_key,
    is_mandatory: Number(traits.includes("m")),
    is_numeric: Number(traits.includes("n")),
    in_bug_list: Number(traits.includes("l")),
  };
}

/** The groups that carry rights rather than restrict bugs; those in `admin` are in all of them. */
export const RIGHTS = [
  ["admin", "Administrators"],
  ["tweakparams", "May change the tracker's parameters"],
  ["editusers", "May edit and disable users"],
  ["creategroups", "May make and change groups"],
  ["editclassifications", "May change classifications"],
  ["editcomponents", "May change products, components, versions, milestones and flag types"],
  ["editkeywords", "May change keywords"],
  ["editbugs", "May change every field of a bug"],
  ["canconfirm", "May confirm bugs"],
] as const;

const BASIS: Setup = {
  groups: RIGHTS.map(([name, description]) => ({
    name,
    description,
    is_bug_group: false,
    members: name === "admin" ? [] : ["admin"],
  })),
  classifications: [{ name: "Unclassified", description: "Everything that is not in a classification" }],
  fields: [
    {
      name: "bug_status",
      values: [
        { name: "UNCONFIRMED", is_open: true },
        { name: "CONFIRMED", is_open: true },
        { name: "IN_PROGRESS", is_open: true },
        "RESOLVED",
        "VERIFIED",
      ],
    },
    { name: "resolution", values: ["", "FIXED", "INVALID", "WONTFIX", "DUPLICATE", "WORKSFORME"] },
    { name: "priority", values: ["Highest", "High", "Normal", "Low", "Lowest", "---"] },
    {
      name: "bug_severity",
      values: ["blocker", "critical", "major", "normal", "minor", "trivial", "enhancement"],
    },
    { name: "rep_platform", values: ["All", "PC", "Macintosh", "Other"] },
    { name: "op_sys", values: ["All", "Windows", "Mac OS", "Linux", "Other"] },
  ],
  workflow: {
    new: ["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS"],
    UNCONFIRMED: ["CONFIRMED", "IN_PROGRESS", "RESOLVED"],
    CONFIRMED: ["IN_PROGRESS", "RESOLVED"],
    IN_PROGRESS: ["CONFIRMED", "RESOLVED"],
    RESOLVED: ["UNCONFIRMED", "CONFIRMED", "VERIFIED"],
    VERIFIED: ["UNCONFIRMED", "CONFIRMED"],
  },
  parameters: { defaultopsys: "All", defaultplatform: "All", defaultseverity: "normal" },
};
