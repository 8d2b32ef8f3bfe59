import { expect, test } from "vitest";
import {
  fieldChangeDeniedFault,
  type RequestedChange,
  type RequesterRights,
  requiredRole,
} from "../../../src/tracker/bugs/rights.ts";

const OUTSIDER: RequesterRights = {
  mayEdit: false,
  mayConfirm: false,
  isTimeTracker: false,
  isAssignee: false,
  isQaContact: false,
  isCreator: false,
};
const EDITOR = { ...OUTSIDER, mayEdit: true };
const CREATOR = { ...OUTSIDER, isCreator: true };
const ASSIGNEE = { ...OUTSIDER, isAssignee: true };
const CONTACT = { ...OUTSIDER, isQaContact: true };
const CONFIRMER = { ...OUTSIDER, mayConfirm: true };

const statuses = [
  { name: "UNCONFIRMED", is_open: true },
  { name: "CONFIRMED", is_open: true },
  { name: "IN_PROGRESS", is_open: true },
  { name: "RESOLVED", is_open: false },
];

function wanted(field: string, from = "a", to = "b"): RequestedChange {
  return { field, from, to };
}

function status(from: string, to: string) {
  return wanted("bug_status", from, to);
}

test.each<[string, RequestedChange, RequesterRights, string | undefined]>([
  ["an outsider may comment", wanted("longdesc"), OUTSIDER, undefined],
  ["an outsider may set flags", wanted("flagtypes.name"), OUTSIDER, undefined],
  ["an outsider may add aliases", wanted("alias"), OUTSIDER, undefined],
  ["an outsider may add to CC", wanted("cc", "", "bob"), OUTSIDER, undefined],
  [
    "an outsider may not remove others from CC",
    wanted("cc", "bob", ""),
    OUTSIDER,
    "the assignee or reporter of the bug, or a user",
  ],
  [
    "an outsider may change nothing else",
    wanted("priority"),
    OUTSIDER,
    "the assignee or reporter of the bug, or a user",
  ],
  ["an editor may change anything", wanted("assigned_to"), EDITOR, undefined],
  ["an editor may not track time", wanted("work_time"), EDITOR, "a user"],
  ["a deadline requires time tracking", wanted("deadline"), EDITOR, "a user"],
  ["an editor with time tracking may", wanted("deadline"), { ...EDITOR, isTimeTracker: true }, undefined],
  ["the reporter may change the summary", wanted("short_desc"), CREATOR, undefined],
  ["the reporter may not reassign", wanted("assigned_to"), CREATOR, "the assignee of the bug, or a user"],
  ["the reporter may not choose the QA contact", wanted("qa_contact"), CREATOR, "the assignee of the bug, or a user"],
  [
    "the reporter may not set the target milestone",
    wanted("target_milestone"),
    CREATOR,
    "the assignee of the bug, or a user",
  ],
  ["the assignee may reassign", wanted("assigned_to"), ASSIGNEE, undefined],
  ["the QA contact may set the target milestone", wanted("target_milestone"), CONTACT, undefined],
  ["the reporter may close", status("CONFIRMED", "RESOLVED"), CREATOR, undefined],
  [
    "the reporter may not start work",
    status("CONFIRMED", "IN_PROGRESS"),
    CREATOR,
    "the assignee of the bug, or a user",
  ],
  ["a user with canconfirm may unconfirm", status("CONFIRMED", "UNCONFIRMED"), CONFIRMER, undefined],
  ["the assignee may not unconfirm", status("CONFIRMED", "UNCONFIRMED"), ASSIGNEE, "a user"],
])("%s", (...[_fact, want, standing, needed]) => {
  expect(
    requiredRole(want, standing, {
      workflow: { statuses, moves: [] },
      isConfirmed: true,
      creatorsChoosePriority: true,
    }),
  ).toBe(needed);
});

test.each<[string, RequestedChange, RequesterRights, string | undefined]>([
  ["the reporter may not confirm", status("UNCONFIRMED", "CONFIRMED"), CREATOR, "a user"],
  ["a user with canconfirm may confirm", status("UNCONFIRMED", "IN_PROGRESS"), CONFIRMER, undefined],
  ["closing does not confirm", status("UNCONFIRMED", "RESOLVED"), CREATOR, undefined],
  ["the reporter may be denied the priority", wanted("priority"), CREATOR, "the assignee of the bug, or a user"],
])("of an unconfirmed bug, %s", (...[_fact, want, standing, needed]) => {
  expect(
    requiredRole(want, standing, {
      workflow: { statuses, moves: [] },
      isConfirmed: false,
      creatorsChoosePriority: false,
    }),
  ).toBe(needed);
});

test.each([
  ["Summary", wanted("short_desc", "old", "new"), "You tried to change the Summary field from old to new, but only"],
  ["Keywords", wanted("keywords", "", "crash"), "You tried to change the Keywords field to crash, but only"],
  ["Hours Worked", wanted("work_time", "", ""), "You tried to change the Hours Worked field , but only"],
])("the refusal of %s shows the values", (label, want, start) => {
  expect(fieldChangeDeniedFault(label, want, "a user").message).toBe(
    `${start} a user with the required permissions may change that field.`,
  );
});
