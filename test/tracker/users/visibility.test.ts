import { expect, test } from "vitest";
import { loadBug } from "../../../src/tracker/bugs/load.ts";
import { groupsOfUser } from "../../../src/tracker/http/requester.ts";
import { isBugVisibleTo } from "../../../src/tracker/users/visibility.ts";
import { file, talk } from "../talk.ts";

const DAVE = { id: 5, login: "dave@example.org" };
const EDITUSERS = 3; // Dave is in it
const CORE_SECURITY = 15; // Dave is not
const HIDDEN = [CORE_SECURITY];

type Case = {
  readonly groups: readonly number[];
  readonly set?: string; // columns of the bug
  readonly isCc?: boolean;
  readonly hasQaContacts?: boolean;
};

const WITH_CONTACTS = talk({ useqacontact: "1" });
const WITHOUT_CONTACTS = talk({ useqacontact: "0" });

/** True if Dave, who may edit nothing, sees a bug that Alice filed. */
test.each<readonly [what: string, isSeen: boolean, bug: Case]>([
  ["in no group", true, { groups: [] }],
  ["in a group of the user", true, { groups: [EDITUSERS] }],
  ["in a group without the user", false, { groups: HIDDEN }],
  ["in two groups, one of them with the user", false, { groups: [EDITUSERS, CORE_SECURITY] }],
  ["hidden, assigned to the user", true, { groups: HIDDEN, set: "assigned_to_id = 5" }],
  ["hidden, with the user as QA contact", true, { groups: HIDDEN, set: "qa_contact_id = 5" }],
  [
    "hidden, with the user as QA contact on a tracker without QA contacts",
    false,
    { groups: HIDDEN, set: "qa_contact_id = 5", hasQaContacts: false },
  ],
  ["hidden, reported by the user", true, { groups: HIDDEN, set: "creator_id = 5" }],
  [
    "hidden from its reporter too, reported by the user",
    false,
    { groups: HIDDEN, set: "creator_id = 5, is_creator_accessible = 0" },
  ],
  ["hidden, with the user on CC", true, { groups: HIDDEN, isCc: true }],
  ["hidden from CC too, with the user on CC", false, { groups: HIDDEN, isCc: true, set: "is_cc_accessible = 0" }],
  [
    "hidden from CC, reported by the user",
    true,
    { groups: HIDDEN, isCc: true, set: "creator_id = 5, is_cc_accessible = 0" },
  ],
])("S7 a bug %s: visible: %s, in mail likewise", async (_, isSeen, { groups, set, isCc, hasQaContacts = true }) => {
  const here = hasQaContacts ? WITH_CONTACTS : WITHOUT_CONTACTS;
  const { store } = here;
  const id = await file(here, "alice");
  for (const group of groups) store.run("INSERT INTO bug_groups (bug_id, group_id) VALUES (?, ?)", [id, group]);
  if (set) store.run(`UPDATE bugs SET ${set} WHERE id = ?`, [id]);
  if (isCc) store.run("INSERT INTO bug_cc (bug_id, user_id) VALUES (?, ?)", [id, DAVE.id]);

  const { status, body } = await here.get("dave", `/rest/bug/${id}`);
  expect([status, body]).toMatchObject(isSeen ? [200, { bugs: [{ id }] }] : [401, { code: 102 }]);
  expect((await here.get("dave", `/rest/bug?id=${id}&include_fields=id`)).body).toEqual({
    bugs: isSeen ? [{ id }] : [],
  });
  const groupIds = new Set(groupsOfUser(store, DAVE.id).map((group) => group.id));
  expect(isBugVisibleTo(loadBug(store, id, []), { person: DAVE, groupIds, hasQaContacts })).toBe(isSeen);
});
