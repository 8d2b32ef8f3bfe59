import { fetchComments, readBug } from "../../../api/bugs.ts";
import { isSameLogin } from "../../../api/people.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError } from "../../../errors.ts";
import { ownLogin } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { bugJsonName, FIELD_TYPE, isAddedField } from "../../../wire/field-types.ts";
import { readOneTarget } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { NewBugInput } from "../flags.ts";
import { fileBug } from "./create.ts";
import { valuesFromFlags, valuesOfBody } from "./new-bug.ts";

/** `bt bug clone`: files a bug with the fields of another one, on which it depends. */
export async function cloneBug(input: NewBugInput, context: Context): Promise<void> {
  const { session } = context;
  const given = valuesFromFlags(input);
  // of the tracker's own fields only selects: people and links to bugs are the original's
  const added = (await session.catalog()).received.filter(
    (field) => isAddedField(field) && (field.is_custom ? field.is_on_bug_entry : field.type === FIELD_TYPE.select),
  );
  const addedNames = added.map(bugJsonName);
  const ref = await readOneTarget(input.args[0] ?? "", context);
  const bug = await readBug(ref, [...COPIED, ...addedNames, ...PEOPLE_AND_GROUPS], session.send);
  if (!bug.groups && given.groups === undefined) throw unknownGroupsError(bug.id);
  const product = flagValue(given.product) ?? bug.product;
  const isMoved = product?.toLowerCase() !== bug.product?.toLowerCase(); // versions are of a product
  const names = [...COPIED, "groups", ...addedNames].filter((name) => name !== "version" || !isMoved);
  const copied = {
    ...Object.fromEntries(names.map((name) => [name, (bug as JsonObject)[name] ?? ""])),
    depends_on: [bug.id, ...(bug.depends_on ?? [])],
    cc: ccOfClone(bug, await ownLogin(session)),
    ...(await readClonedDescription(bug.id, context)),
  };
  const filled = Object.entries<Json>(copied).filter(([, value]) => value !== 0 && String(value) !== "");
  const filing = { command: "bug clone", mustApply: ["groups"] };
  await fileBug({ start: valuesOfBody(Object.fromEntries(filled)), given }, input, context, filing);
}

const COPIED = [
  "summary",
  "product",
  "component",
  "version",
  "priority",
  "severity",
  "platform",
  "op_sys",
  "deadline",
  "keywords",
  "url",
  "whiteboard",
  "estimated_time",
  "blocks",
];
const PEOPLE_AND_GROUPS = ["depends_on", "cc", "creator", "groups", "is_cc_accessible", "is_creator_accessible"];

function unknownGroupsError(id: number): BtError {
  const message = `the tracker does not return the groups of bug ${id}, so the clone may be visible to more users`;
  return new BtError("guard", message, { hint: "add --groups GROUP to restrict the clone, or --no-groups" });
}

/** CC users and the reporter, unless the groups of the bug hide it from them. */
function ccOfClone({ groups, cc, creator, ...bug }: Bug, me: string | undefined): string[] {
  const isHiddenBy = (mark?: boolean | null) => (groups ?? []).length > 0 && mark === false;
  const reporter = creator && !isSameLogin(creator, me) && !isHiddenBy(bug.is_creator_accessible) ? [creator] : [];
  return [...new Set([...reporter, ...(isHiddenBy(bug.is_cc_accessible) ? [] : (cc ?? []))])];
}

/** The description with the number of the original; a private one stays private. */
async function readClonedDescription(id: number, { session }: Context): Promise<JsonObject> {
  const first = (await fetchComments(id, session.send)).find(({ count }) => count === 0);
  const text = first?.text ? `\n\n${first.text}` : "";
  return { description: `Cloned from bug ${id}${text}`, ...(first?.is_private && { comment_is_private: true }) };
}
