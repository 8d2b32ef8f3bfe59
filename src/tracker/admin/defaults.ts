import type { Store } from "../store/store.ts";
import { applySetup, type Setup } from "./setup.ts";

/** Fills an empty tracker with standard fields and values, workflow and permission groups. */
export function applyDefaults(store: Store): void {
  for (const field of STANDARD_FIELDS) {
    store.run(FIELD, fieldRow(field));
  }
  applySetup(store, DEFAULT_SETUP);
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

/** Names and descriptions of the permission groups; members of `admin` are in all of them. */
export const PERMISSION_GROUPS = [
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

const DEFAULT_SETUP: Setup = {
  groups: PERMISSION_GROUPS.map(([name, description]) => ({
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

/** A standard field: chart name, display name, type code, sort key, traits. */
export type StandardField = readonly [name: string, display: string, type: number, sortKey: number, traits?: string];

/** Fields of every tracker. Traits: m mandatory, n numeric, l available as list column. */
const STANDARD_FIELDS: readonly StandardField[] = [
  ["bug_id", "Bug", 0, 100, "nl"],
  ["short_desc", "Summary", 0, 200, "ml"],
  ["classification", "Classification", 2, 300, "l"],
  ["product", "Product", 2, 400, "ml"],
  ["version", "Version", 0, 500, "ml"],
  ["rep_platform", "Platform", 2, 600, "l"],
  ["bug_file_loc", "URL", 0, 700, "l"],
  ["op_sys", "Operating system", 2, 800, "l"],
  ["bug_status", "Status", 2, 900, "l"],
  ["status_whiteboard", "Whiteboard", 0, 1000, "l"],
  ["keywords", "Keywords", 8, 1100, "l"],
  ["resolution", "Resolution", 2, 1200, "l"],
  ["bug_severity", "Severity", 2, 1300, "l"],
  ["priority", "Priority", 2, 1400, "l"],
  ["component", "Component", 2, 1500, "ml"],
  ["assigned_to", "Assignee", 0, 1600, "l"],
  ["reporter", "Reporter", 0, 1700, "l"],
  ["qa_contact", "QA contact", 0, 1800, "l"],
  ["assigned_to_realname", "Assignee's name", 0, 1900, "l"],
  ["reporter_realname", "Reporter's name", 0, 2000, "l"],
  ["qa_contact_realname", "QA contact's name", 0, 2100, "l"],
  ["cc", "CC", 0, 2200],
  ["dependson", "Depends on", 0, 2300, "nl"],
  ["blocked", "Blocks", 0, 2400, "nl"],
  ["attachments.description", "Attachment: summary", 0, 2500],
  ["attachments.filename", "Attachment: file name", 0, 2600],
  ["attachments.mimetype", "Attachment: content type", 0, 2700],
  ["attachments.ispatch", "Attachment: is a patch", 0, 2800, "n"],
  ["attachments.isobsolete", "Attachment: is obsolete", 0, 2900, "n"],
  ["attachments.isprivate", "Attachment: is private", 0, 3000, "n"],
  ["attachments.submitter", "Attachment: creator", 0, 3100],
  ["target_milestone", "Target milestone", 0, 3200, "l"],
  ["creation_ts", "Created", 0, 3300, "l"],
  ["delta_ts", "Changed", 0, 3400, "l"],
  ["longdesc", "Comment", 0, 3500],
  ["longdescs.isprivate", "Comment: is private", 0, 3600, "n"],
  ["longdescs.count", "Number of comments", 0, 3700, "nl"],
  ["alias", "Alias", 0, 3800, "l"],
  ["everconfirmed", "Is confirmed", 0, 3900, "n"],
  ["reporter_accessible", "Reporter may see it", 0, 4000, "n"],
  ["cclist_accessible", "CC may see it", 0, 4100, "n"],
  ["bug_group", "Group", 0, 4200],
  ["estimated_time", "Estimated hours", 0, 4300, "nl"],
  ["remaining_time", "Remaining hours", 0, 4400, "nl"],
  ["deadline", "Deadline", 5, 4500, "l"],
  ["commenter", "Commenter", 0, 4600],
  ["flagtypes.name", "Flags", 0, 4700, "l"],
  ["requestees.login_name", "Flag requestee", 0, 4800],
  ["setters.login_name", "Flag setter", 0, 4900],
  ["work_time", "Hours worked", 0, 5000, "nl"],
  ["percentage_complete", "Percentage complete", 0, 5100, "nl"],
  ["content", "Content", 0, 5200],
  ["attach_data.thedata", "Attachment: data", 0, 5300],
  ["owner_idle_time", "Idle time of the assignee", 0, 5400],
  ["see_also", "See also", 7, 5500],
  ["tag", "Personal tags", 8, 5600, "l"],
  ["last_visit_ts", "Last visit", 5, 5700, "l"],
  ["comment_tag", "Comment tag", 0, 5800],
  ["days_elapsed", "Days since the last change", 0, 5900],
];
