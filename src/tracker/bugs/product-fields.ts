import type { Json } from "../../wire/exchange.ts";
import { choiceRequired, requireActive } from "../bug-fields/choices.ts";
import { flagsAfterMove } from "../flags/rules.ts";
import { settableFlagTypes } from "../flags/types.ts";
import { Fault } from "../http/fault.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { enterableProduct } from "../products/access.ts";
import { groupControls, groupsAfterMove } from "../products/group-controls.ts";
import { findComponent, findPart, type ProductPart } from "../products/parts.ts";
import { asText } from "../values.ts";
import type { Component, Product } from "./bug.ts";
import { type BugDraft, missingRight, requireRight, type UpdateStep, type WriteContext, withBug } from "./draft.ts";

/** Product, component, version and milestone: a bug that moves to another product must fit there with all of them. */
export const updateProductFields: UpdateStep = (context, draft) => {
  const { call, input } = context;
  const product = input["product"] === undefined ? draft.after.product : readProduct(context, input["product"]);
  const isMoving = product.id !== draft.after.product.id;
  const component = readComponent(context, { product, isMoving, draft });
  const moved = withBug(draft, {
    product,
    component,
    version: readPart(context, { product, isMoving, draft }, "version"),
    target_milestone: readMilestone(context, { product, isMoving, draft }),
  });
  const settled = isMoving
    ? withBug(moved, { groups: groupsAfterMove(moved.after.groups, groupControls(call, product.id)) })
    : moved;
  return component.id === draft.after.component.id
    ? settled
    : withBug(settled, { flags: flagsAfterMove(settled.after.flags, settableFlagTypes(call, settled.after)) });
};

function readProduct({ call }: WriteContext, value: Json): Product {
  return enterableProduct(call, asText(value, "product"));
}

type Move = { readonly product: Product; readonly isMoving: boolean; readonly draft: BugDraft };

function readComponent({ call, input }: WriteContext, { product, isMoving, draft }: Move): Component {
  const now = draft.after.component;
  if (input["component"] === undefined && !isMoving) return now;
  const name = asText(input["component"] ?? now.name, "component").trim();
  if (input["component"] !== undefined && name === "") throw componentRequired();
  return requireActive({ kind: "component" }, findComponent(call.store, product, name), isMoving ? "" : now.name);
}

function readPart({ call, input }: WriteContext, { product, isMoving, draft }: Move, part: ProductPart): string {
  const [parameter, now] =
    part === "version" ? ["version", draft.after.version] : ["target_milestone", draft.after.target_milestone];
  if (input[parameter] === undefined && !isMoving) return now;
  const name = asText(input[parameter] ?? now, parameter).trim();
  if (name === "") throw choiceRequired(part);
  return requireActive({ kind: part }, findPart(call.store, product, { part, name }), isMoving ? "" : now).name;
}

// On a move whoever may choose milestones has to see that the new product has the bug's, or to name another; for all others,
// and where milestones are not used, it becomes the default one. Bugzilla::Bug::_set_product
function readMilestone(context: WriteContext, move: Move): string {
  const { call, input } = context;
  const { product, isMoving, draft } = move;
  const now = draft.after.target_milestone;
  const said = input["target_milestone"];
  if (said === undefined && !isMoving) return now;
  if (said === undefined && !isEnabled(call.parameters.usetargetmilestone)) return product.default_milestone;
  const wanted = { field: "target_milestone", from: now, to: asText(said ?? product.default_milestone, "milestone") };
  if (isMoving && missingRight(context, draft.before, wanted) !== undefined) return product.default_milestone;
  const to = readPart(context, move, "milestone");
  if (!isMoving) requireRight(context, draft.before, { ...wanted, to });
  return to;
}

/** The refusal of a bug that belongs nowhere in its product. */
export function componentRequired(): Fault {
  return new Fault(400, 105, "To file this bug, you must first choose a component. If necessary, just guess.");
}
