import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { customFieldsWithChoices, readWorkflow } from "../fields/choices.ts";
import { isOn } from "../parameters.ts";
import { loggedIn } from "../people/find.ts";
import { isIn } from "../people/requester.ts";
import type { Bug, Person } from "../rules/bug.ts";
import type { Custom } from "../rules/custom-fields.ts";
import { labelOf } from "../rules/labels.ts";
import { changeDenied, neededFor, type Standing, type Wanted } from "../rules/rights.ts";
import type { Workflow } from "../rules/workflow.ts";

/** What is asked of which bugs. */
export type Asked = { readonly input: JsonObject; readonly bugIds: readonly number[] };

/** What is read once for all the bugs of a request that changes some. */
export type Context = Asked & {
  readonly call: Call;
  readonly user: Person;
  readonly workflow: Workflow;
  readonly customs: readonly Custom[];
};

/** The context of a request; refused when nobody is logged in. */
export function makeContext(call: Call, asked: Asked): Context {
  return {
    ...asked,
    call,
    user: loggedIn(call),
    workflow: readWorkflow(call.store),
    customs: customFieldsWithChoices(call.store),
  };
}

/** Refuses a change of one field that the requester's standing with the bug does not permit. */
export function requireRight(context: Context, bug: Bug, wanted: Wanted): void {
  const needed = missingRight(context, bug, wanted);
  if (needed !== undefined) {
    const custom = context.customs.find(({ name }) => name === wanted.field);
    throw changeDenied(custom?.label ?? labelOf(wanted.field), wanted, needed);
  }
}

/** Who would be needed for a change of one field; undefined when the requester may make it. `bug` is as it was. */
export function missingRight(context: Context, bug: Bug, wanted: Wanted): string | undefined {
  return neededFor(wanted, standing(context, bug), {
    workflow: context.workflow,
    isConfirmed: bug.is_confirmed,
    creatorsChoosePriority: isOn(context.call.parameters.letsubmitterchoosepriority),
  });
}

function standing({ call, user }: Context, bug: Bug): Standing {
  return {
    ...productRights(call, bug.product.id),
    isTimeTracker: isIn(call.requester, call.parameters.timetrackinggroup),
    isAssignee: bug.assigned_to.id === user.id,
    isQaContact: isOn(call.parameters.useqacontact) && bug.qa_contact?.id === user.id,
    isCreator: bug.creator.id === user.id,
  };
}

/** Whether the requester may edit and confirm all bugs of a product, by a global group or one that the product names. */
export function productRights(call: Call, productId: number): Pick<Standing, "mayEdit" | "mayConfirm"> {
  const { edits, confirms } = call.store.get<RightsRow>(RIGHTS, [productId]) ?? { edits: 0, confirms: 0 };
  return {
    mayEdit: isIn(call.requester, "editbugs") || edits === 1,
    mayConfirm: isIn(call.requester, "canconfirm") || confirms === 1,
  };
}

type RightsRow = { readonly edits: number | null; readonly confirms: number | null };

const RIGHTS = `SELECT max(edit_bugs) AS edits, max(can_confirm) AS confirms FROM group_controls
  WHERE product_id = ? AND group_id IN (SELECT group_id FROM viewer_groups)`;
