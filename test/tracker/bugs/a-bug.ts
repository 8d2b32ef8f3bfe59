import type { Bug } from "../../../src/tracker/bug.ts";
import { PLAIN_FIELDS, type PlainField } from "../../../src/tracker/fields.ts";

export const ADA = { id: 1, login: "ada@example.org" } as const;
export const BEN = { id: 2, login: "ben@example.org" } as const;
export const CORA = { id: 3, login: "cora@example.org" } as const;

/** A bug for rules to work on, with what matters to a test said. */
export function aBug(said: Partial<Bug> = {}): Bug {
  return {
    ...(Object.fromEntries(PLAIN_FIELDS.map(({ name }) => [name, ""])) as Record<PlainField, string>),
    id: 7,
    alias: [],
    summary: "Toolbar vanishes",
    status: "CONFIRMED",
    resolution: "",
    is_confirmed: true,
    product: { id: 1, name: "Browser", default_milestone: "---", has_unconfirmed: true, is_active: true },
    component: { id: 1, name: "General", is_active: true, people: { assigned_to: ADA, qa_contact: null } },
    version: "1.0",
    target_milestone: "---",
    priority: "Normal",
    severity: "normal",
    platform: "All",
    op_sys: "All",
    assigned_to: ADA,
    creator: BEN,
    qa_contact: null,
    cc: [],
    deadline: "",
    dupe_of: null,
    depends_on: [],
    blocks: [],
    keywords: [],
    groups: [],
    flags: [],
    see_also: [],
    url: "",
    whiteboard: "",
    is_cc_accessible: true,
    is_creator_accessible: true,
    estimated_time: 0,
    remaining_time: 0,
    custom: {},
    creation_time: "2026-11-20T05:00:00Z",
    last_change_time: "2026-11-20T05:00:00Z",
    ...said,
  };
}
