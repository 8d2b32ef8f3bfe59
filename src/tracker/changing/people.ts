import { Fault } from "../fault.ts";
import { isGiven } from "../input.ts";
import { isOn } from "../parameters.ts";
import { findPerson } from "../people/find.ts";
import type { Person } from "../rules/bug.ts";
import { edited, without } from "../rules/edit.ts";
import { asText } from "../rules/text.ts";
import { type Context, requireRight } from "./context.ts";
import { type Step, withBug } from "./draft.ts";
import { readEdit } from "./edits.ts";

/** Who works on a bug and who checks it; a reset takes the component's own and wins. */
export const owners: Step = (context, draft) => {
  const { after } = draft;
  const hasQaContacts = isOn(context.call.parameters.useqacontact);
  return withBug(draft, {
    assigned_to: isGiven(context.input, "reset_assigned_to")
      ? after.component.default_assignee
      : (readAssignee(context) ?? after.assigned_to),
    qa_contact: hasQaContacts ? readQaContact(context, draft.after) : after.qa_contact,
  });
};

function readAssignee({ call, input }: Context): Person | undefined {
  if (input["assigned_to"] === undefined) return undefined;
  const login = asText(input["assigned_to"], "assigned_to").trim();
  if (login === "") throw new Fault(400, 50, "To reassign a bug, you must provide an address for the new assignee.");
  return findPerson(call, login);
}

type Contacts = {
  readonly qa_contact: Person | null;
  readonly component: { readonly default_qa_contact: Person | null };
};

function readQaContact({ call, input }: Context, { qa_contact, component }: Contacts): Person | null {
  if (isGiven(input, "reset_qa_contact")) return component.default_qa_contact;
  if (input["qa_contact"] === undefined) return qa_contact;
  const login = asText(input["qa_contact"], "qa_contact").trim();
  return login === "" ? null : findPerson(call, login);
}

/** Who is kept informed. Anybody may add people and leave; taking others off the list needs a right. */
export const carbonCopies: Step = (context, draft) => {
  const { call, input, user } = context;
  const edit = readEdit(input, "cc", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const found = (logins: readonly string[]) => logins.map((login) => findPerson(call, login));
  const cc = edited(draft.after.cc, { add: found(edit.add), remove: found(edit.remove) }, ({ id }) => id);
  for (const { id, login } of without(draft.after.cc, cc, (person) => person.id)) {
    if (id !== user.id) requireRight(context, draft.before, { field: "cc", from: login, to: "" });
  }
  return withBug(draft, { cc });
};
