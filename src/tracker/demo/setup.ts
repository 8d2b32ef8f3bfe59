import type { Setup } from "../setup/setup.ts";

export function demoLogin(name: string): string {
  return `${name}@example.org`;
}

function user(name: string, real_name: string, groups: string[] = []) {
  return { login: demoLogin(name), real_name, groups };
}

function component(name: string, description: string, assignee: string, contact?: string) {
  const people = {
    default_assignee: demoLogin(assignee),
    ...(contact && { default_qa_contact: demoLogin(contact) }),
  };
  return { name, description, ...people };
}

/** The arrangement of the demo: a photo organiser, the server that it syncs with, and the handbook of both. */
export const DEMO_SETUP: Setup = {
  parameters: {
    maintainer: demoLogin("ada"),
    insidergroup: "staff",
    timetrackinggroup: "staff",
    header_api_keys: "1",
  },
  groups: [
    { name: "staff", description: "People of the project", user_regexp: "", is_bug_group: false },
    { name: "security", description: "Security problems that are not public yet" },
    { name: "release-drivers", description: "Decide what goes into a release" },
  ],
  users: [
    user("ada", "Ada Brandt", ["admin", "staff", "security", "release-drivers"]),
    user("tomas", "Tomás Lind", ["editbugs", "canconfirm", "staff", "creategroups"]),
    user("mei", "Mei Tanaka", ["editbugs", "canconfirm", "staff", "security"]),
    user("seun", "Oluwaseun Ade", ["editbugs", "canconfirm", "staff"]),
    user("priya", "Priya Nair", ["editbugs", "canconfirm", "staff", "release-drivers"]),
    { ...user("jonas", "Jonas Weber", ["editbugs", "canconfirm", "staff"]), blesses: ["security"] },
    user("lucia", "Lucía Romero"),
    user("sam", "Sam Carter"),
    { ...user("ilse", "Ilse Maes"), email_enabled: false },
    { ...user("old.hand", "Viktor Orlov"), disabled_text: "Left the project last year." },
  ],
  keywords: [
    { name: "crash", description: "The program stops" },
    { name: "data-loss", description: "Something of the user's is gone" },
    { name: "regression", description: "It worked in an earlier version" },
    { name: "perf", description: "It is too slow or needs too much memory" },
    { name: "good-first-bug", description: "A good one to begin with; somebody will help" },
    { name: "a11y", description: "Some people cannot use it" },
  ],
  products: [
    {
      name: "Lantern",
      description: "The photo organiser for the desktop",
      versions: [{ name: "2.9", is_active: false }, "3.0", "3.1", "3.2", "main"],
      milestones: [
        { name: "3.1", is_active: false, sort_key: 10 },
        { name: "3.2", sort_key: 20 },
        { name: "3.3", sort_key: 30 },
      ],
      components: [
        component("Library", "Albums, search, tags", "mei", "jonas"),
        component("Import & Export", "Cameras, cards, folders, archives", "seun", "jonas"),
        component("Editor", "Crop, colour, undo", "mei", "jonas"),
        component("Installer", "Packages and updates", "seun"),
        { ...component("Slideshow", "Given up with 3.0", "ada"), is_active: false },
      ],
      groups: [{ group: "security" }],
    },
    {
      name: "Harbor",
      description: "The sync server and its interface",
      versions: ["1.4", "1.5", "main"],
      milestones: [
        { name: "1.5", sort_key: 10 },
        { name: "1.6", sort_key: 20 },
      ],
      components: [
        component("API", "Requests and replies", "priya", "jonas"),
        { ...component("Accounts", "Logging in, keys, quotas", "priya"), default_cc: [demoLogin("ada")] },
        component("Storage", "Objects, thumbnails, clean-up", "seun"),
        component("Sync", "Who has what, and conflicts", "mei", "jonas"),
      ],
      groups: [{ group: "security" }, { group: "release-drivers", members: "none", others: "none" }],
    },
    {
      name: "Handbook",
      description: "What is written for people who use Lantern and Harbor",
      has_unconfirmed: false,
      versions: ["current"],
      components: [
        component("Guides", "Step by step", "tomas"),
        component("Reference", "Every option", "tomas"),
        component("Website", "Where it is published", "seun"),
      ],
    },
  ],
  fields: [
    { name: "cf_crash_signature", display_name: "Crash signature", type: "longText" },
    {
      name: "cf_devices",
      display_name: "Devices",
      type: "multiSelect",
      values: ["camera", "card reader", "phone", "network drive"],
    },
    { name: "cf_ship_by", display_name: "Ship by", type: "date" },
    {
      name: "cf_impact",
      display_name: "Impact",
      type: "select",
      values: ["---", "one person", "some people", "everybody"],
    },
    { name: "cf_build", display_name: "Build", type: "text" },
    { name: "cf_upstream", display_name: "Upstream bug", type: "bugId", is_on_bug_entry: false },
    { name: "cf_last_seen", display_name: "Last seen", type: "dateTime" },
    { name: "cf_points", display_name: "Points", type: "integer" },
    {
      name: "cf_endpoint",
      display_name: "Endpoint",
      type: "text",
      visibility: { field: "product", values: ["Harbor"] },
    },
    {
      name: "cf_channel",
      display_name: "Channel",
      type: "select",
      value_field: "product",
      values: ["---", { name: "nightly", visible_for: "Lantern" }, "release"],
    },
  ],
  flag_types: [
    { name: "needinfo", description: "Somebody is asked for something", sort_key: 1 },
    { name: "review", description: "A change is ready to be looked at", sort_key: 2 },
    {
      name: "approval",
      description: "May go into the release",
      sort_key: 3,
      is_requesteeble: false,
      is_multiplicable: false,
      grant_group: "release-drivers",
    },
    { name: "screenshot", description: "A picture is wanted", sort_key: 4, places: ["Lantern/Editor", "Handbook"] },
    { name: "review", description: "A patch is ready to be looked at", sort_key: 2, target: "attachment" },
  ],
};
