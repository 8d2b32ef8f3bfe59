import type { DefaultedPerson } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE, type DefaultPerson } from "../../wire/default-people.ts";
import type { Bug, Person } from "../bug.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { findPerson, userByLogin } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { asText } from "../values.ts";
import { type BugDraft, isNew, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { applyListEdit, differenceBy, readListEdit } from "./list-edit.ts";
import { productRights, requireRight } from "./rights.ts";

/**
 * Update of assignee and QA contact; `reset_...` sets the component's default and overrides a value. A new bug has the
 * defaults unless the requester names others, and may edit bugs.
 */
export const updateAssignees: UpdateStep = (context, draft) => {
  const { after } = draft;
  const isDefault = isNew(draft) && !productRights(context.call, after.product.id).mayEdit;
  return withBug(
    draft,
    peopleByField((person) => {
      if (!isRoleUsed(person, context)) return after[person.field];
      return isDefault ? after.component.people[person.field] : readPerson(person, context, draft);
    }),
  );
};

type BugPeople = Pick<Bug, DefaultedPerson>;

/** The person of each field for which components have a default one. */
function peopleByField(personOf: (person: DefaultPerson) => Person | null): BugPeople {
  return Object.fromEntries(DEFAULT_PEOPLE.map((person) => [person.field, personOf(person)])) as BugPeople;
}

/** False for a field that the tracker's settings turn off. */
function isRoleUsed({ parameter }: DefaultPerson, { call }: WriteContext): boolean {
  return parameter === undefined || isEnabled(call.parameters[parameter]);
}

function readPerson(
  { field, isOptional }: DefaultPerson,
  { call, input }: WriteContext,
  draft: BugDraft,
): Person | null {
  const { after } = draft;
  const login = asText(input[field], field).trim();
  if (isFlagSet(input, `reset_${field}`) || (isNew(draft) && login === "")) return after.component.people[field];
  if (input[field] === undefined) return after[field];
  if (login !== "") return findPerson(call, login);
  if (isOptional) return null;
  throw new Fault("param_required", "To reassign a bug, you must provide an address for the new assignee.");
}

/**
 * Update of CC. Anybody may add users and remove themselves; removing others requires the right to edit. A new bug has the
 * component's default CC, too.
 */
export const updateCc: UpdateStep = (context, draft) => {
  const { call, input, user } = context;
  const edit = readListEdit(input, "cc", { takesSet: false, takesText: false });
  const usual = isNew(draft) ? call.store.all<Person>(COMPONENT_CC, [draft.after.component.id]) : [];
  if (!edit) return withBug(draft, { cc: [...draft.after.cc, ...usual] });
  const add = edit.add.map((login) => (isNew(draft) ? findNewCc(call, login) : findPerson(call, login)));
  const remove = edit.remove.map((login) => findPerson(call, login));
  const cc = applyListEdit(draft.after.cc, { add: [...add, ...usual], remove }, ({ id }) => id);
  for (const { id, login } of differenceBy(draft.after.cc, cc, (person) => person.id)) {
    if (id !== user.id) requireRight(context, draft.before, { field: "cc", from: login, to: "" });
  }
  return withBug(draft, { cc });
};

const COMPONENT_CC = `SELECT id, login FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

function findNewCc({ store }: Call, login: string): Person {
  const user = userByLogin(store, login);
  if (user) return { id: user.id, login: user.login };
  throw new Fault(
    "invalid_username",
    `The name ${login} is not a valid username. Either you misspelled it, or the person has not registered for a Bugzilla account.`,
  );
}
