import type { DefaultedPerson } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE, type DefaultPerson } from "../../wire/default-people.ts";
import type { Bug, Component, Person, Product } from "../bug.ts";
import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { findPerson } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { asText } from "../values.ts";
import { type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { applyListEdit, differenceBy, readListEdit } from "./list-edit.ts";
import { productRights, requireRight } from "./rights.ts";

/** Update of assignee and QA contact; `reset_...` sets the component's default and overrides a value. */
export const updateAssignees: UpdateStep = (context, draft) =>
  withBug(
    draft,
    peopleByField((person) =>
      isRoleUsed(person, context) ? readPerson(person, context, draft.after) : draft.after[person.field],
    ),
  );

type BugPeople = Pick<Bug, DefaultedPerson>;

/** The person of each field for which components have a default one. */
function peopleByField(personOf: (person: DefaultPerson) => Person | null): BugPeople {
  return Object.fromEntries(DEFAULT_PEOPLE.map((person) => [person.field, personOf(person)])) as BugPeople;
}

/** False for a field that the tracker's settings turn off. */
function isRoleUsed({ parameter }: DefaultPerson, { call }: WriteContext): boolean {
  return parameter === undefined || isEnabled(call.parameters[parameter]);
}

function readPerson({ field, isOptional }: DefaultPerson, { call, input }: WriteContext, bug: Bug): Person | null {
  if (isFlagSet(input, `reset_${field}`)) return bug.component.people[field];
  if (input[field] === undefined) return bug[field];
  const login = asText(input[field], field).trim();
  if (login !== "") return findPerson(call, login);
  if (isOptional) return null;
  throw new Fault("param_required", "To reassign a bug, you must provide an address for the new assignee.");
}

/** Assignee and QA contact of a new bug: as requested if the requester may edit bugs, else the component's defaults. */
export function readNewAssignees(context: WriteContext, component: Component, product: Product): BugPeople {
  const { call, input } = context;
  const { mayEdit } = productRights(call, product.id);
  return peopleByField((person) => {
    const { field } = person;
    if (!isRoleUsed(person, context)) return null;
    const login = mayEdit ? asText(input[field], field).trim() : "";
    return login === "" ? component.people[field] : findPerson(call, login);
  });
}

/** Update of CC. Anybody may add users and remove themselves; removing others requires the right to edit. */
export const updateCc: UpdateStep = (context, draft) => {
  const { call, input, user } = context;
  const edit = readListEdit(input, "cc", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const people = (logins: string[]) => logins.map((login) => findPerson(call, login));
  const cc = applyListEdit(draft.after.cc, { add: people(edit.add), remove: people(edit.remove) }, ({ id }) => id);
  for (const { id, login } of differenceBy(draft.after.cc, cc, (person) => person.id)) {
    if (id !== user.id) requireRight(context, draft.before, { field: "cc", from: login, to: "" });
  }
  return withBug(draft, { cc });
};
