import { FIELDS } from "../fields.ts";
import type { Store } from "../store/store.ts";
import { applySetup, type Setup } from "./setup.ts";

/** Fills an empty tracker with standard fields and values, workflow and permission groups. */
export function applyDefaults(store: Store): void {
  for (const { chart: name, label, display = label, type = 0, place = 0, isMandatory = false } of LISTED_FIELDS)
    store.run(FIELD, { name, display, type, place, mandatory: Number(isMandatory) });
  applySetup(store, DEFAULT_SETUP);
}

const FIELD = `
  INSERT INTO fields (name, display_name, type, sort_key, is_mandatory) VALUES (@name, @display, @type, @place, @mandatory)`;

/** Names and descriptions of the permission groups; members of `admin` are in all of them. */
const PERMISSION_GROUPS = [
  ["admin", "Administrators"],
  ["tweakparams", "May edit the tracker's parameters"],
  ["editusers", "May edit and disable users"],
  ["creategroups", "May create and edit groups"],
  ["editclassifications", "May edit classifications"],
  ["editcomponents", "May edit products, components, versions, milestones and flag types"],
  ["editkeywords", "May edit keywords"],
  ["editbugs", "May edit every field of a bug"],
  ["canconfirm", "May confirm bugs"],
] as const;

const DEFAULT_SETUP: Setup = {
  groups: PERMISSION_GROUPS.map(([name, description]) => ({
    name,
    description,
    is_bug_group: false,
    members: name === "admin" ? [] : ["admin"],
  })),
  classifications: [{ name: "Unclassified", description: "Products without a classification" }],
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

/** The fields that every tracker has, in their order. */
const LISTED_FIELDS = FIELDS.filter(({ place }) => place !== undefined).toSorted(
  (a, b) => (a.place ?? 0) - (b.place ?? 0),
);
