import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { findPerson } from "../users/requester.ts";
import { asText } from "../values.ts";
import type { Bug, Component, Person, Product } from "./bug.ts";
import { productRights, requireRight, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { applyListEdit, differenceBy, readListEdit } from "./list-edit.ts";

/** Update of assignee and QA contact; `reset_...` sets the component's default and overrides a value. */
export const updateAssignees: UpdateStep = (context, draft) => {
  const { after } = draft;
  const hasQaContacts = isEnabled(context.call.parameters.useqacontact);
  return withBug(draft, {
    assigned_to: isFlagSet(context.input, "reset_assigned_to")
      ? after.component.default_assignee
      : (readAssignee(context) ?? after.assigned_to),
    qa_contact: hasQaContacts ? readQaContact(context, draft.after) : after.qa_contact,
  });
};

function readAssignee({ call, input }: WriteContext): Person | undefined {
  if (input["assigned_to"] === undefined) return undefined;
  const login = asText(input["assigned_to"], "assigned_to").trim();
  if (login === "") throw new Fault(400, 50, "To reassign a bug, you must provide an address for the new assignee.");
  return findPerson(call, login);
}

type QaContacts = {
  readonly qa_contact: Person | null;
  readonly component: { readonly default_qa_contact: Person | null };
};

function readQaContact({ call, input }: WriteContext, { qa_contact, component }: QaContacts): Person | null {
  if (isFlagSet(input, "reset_qa_contact")) return component.default_qa_contact;
  if (input["qa_contact"] === undefined) return qa_contact;
  const login = asText(input["qa_contact"], "qa_contact").trim();
  return login === "" ? null : findPerson(call, login);
}

/** Assignee and QA contact of a new bug: as requested if the requester may edit bugs, else the component's defaults. */
export function readNewAssignees(
  context: WriteContext,
  component: Component,
  product: Product,
): Pick<Bug, "assigned_to" | "qa_contact"> {
  const { call, input } = context;
  const { mayEdit } = productRights(call, product.id);
  const hasQaContacts = isEnabled(call.parameters.useqacontact);
  const sent = (name: string) => (mayEdit ? asText(input[name], name).trim() : "");
  const [assignee, contact] = [sent("assigned_to"), hasQaContacts ? sent("qa_contact") : ""];
  const usualContact = hasQaContacts ? component.default_qa_contact : null;
  return {
    assigned_to: assignee === "" ? component.default_assignee : findPerson(call, assignee),
    qa_contact: contact === "" ? usualContact : findPerson(call, contact),
  };
}

/** Update of CC. Anybody may add users and remove themselves; removing others requires the right to edit. */
export const updateCc: UpdateStep = (context, draft) => {
  const { call, input, user } = context;
  const edit = readListEdit(input, "cc", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const people = (logins: readonly string[]) => logins.map((login) => findPerson(call, login));
  const cc = applyListEdit(draft.after.cc, { add: people(edit.add), remove: people(edit.remove) }, ({ id }) => id);
  for (const { id, login } of differenceBy(draft.after.cc, cc, (person) => person.id)) {
    if (id !== user.id) requireRight(context, draft.before, { field: "cc", from: login, to: "" });
  }
  return withBug(draft, { cc });
};
