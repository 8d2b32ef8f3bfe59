import type { Json } from "../../wire/exchange.ts";
import type { Component, Product } from "../bug.ts";
import { choiceRequiredFault, requireActive } from "../bug-fields/choices.ts";
import { flagsAfterMove } from "../flags/rules.ts";
import { flagTypesOfBug } from "../flags/types.ts";
import { Fault } from "../http/fault.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { enterableProduct } from "../products/access.ts";
import { groupControls, groupsAfterMove } from "../products/group-controls.ts";
import { findComponent, findPart, type ProductPart } from "../products/parts.ts";
import { asText } from "../values.ts";
import { type BugDraft, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { missingRight, requireRight } from "./rights.ts";

/** Update of product, component, version and milestone. On a product change all of them must exist in the new product. */
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
  const withGroups = isMoving
    ? withBug(moved, { groups: groupsAfterMove(moved.after.groups, groupControls(call, product.id)) })
    : moved;
  return component.id === draft.after.component.id
    ? withGroups
    : withBug(withGroups, { flags: flagsAfterMove(withGroups.after.flags, flagTypesOfBug(call, withGroups.after)) });
};

function readProduct({ call }: WriteContext, value: Json): Product {
  return enterableProduct(call, asText(value, "product"));
}

type ProductChange = { product: Product; isMoving: boolean; draft: BugDraft };

function readComponent({ call, input }: WriteContext, { product, isMoving, draft }: ProductChange): Component {
  const current = draft.after.component;
  if (input["component"] === undefined && !isMoving) return current;
  const name = asText(input["component"] ?? current.name, "component").trim();
  if (input["component"] !== undefined && name === "") throw componentRequiredFault();
  return requireActive("component", findComponent(call.store, product, name), isMoving ? "" : current.name);
}

function readPart(
  { call, input }: WriteContext,
  { product, isMoving, draft }: ProductChange,
  part: ProductPart,
): string {
  const [parameter, current] =
    part === "version" ? ["version", draft.after.version] : ["target_milestone", draft.after.target_milestone];
  if (input[parameter] === undefined && !isMoving) return current;
  const name = asText(input[parameter] ?? current, parameter).trim();
  if (name === "") throw choiceRequiredFault(part);
  return requireActive(part, findPart(call.store, product, { part, name }), isMoving ? "" : current).name;
}

/**
 * The milestone after an update. On a product change it must exist in the new product if the requester may choose
 * milestones; otherwise, and where milestones are off, it becomes the product's default.
 * @see Bugzilla/Bug.pm, _set_product
 */
function readMilestone(context: WriteContext, move: ProductChange): string {
  const { call, input } = context;
  const { product, isMoving, draft } = move;
  const current = draft.after.target_milestone;
  const sent = input["target_milestone"];
  if (sent === undefined && !isMoving) return current;
  if (sent === undefined && !isEnabled(call.parameters.usetargetmilestone)) return product.default_milestone;
  const change = {
    field: "target_milestone",
    from: current,
    to: asText(sent ?? product.default_milestone, "milestone"),
  };
  if (isMoving && missingRight(context, draft.before, change) !== undefined) return product.default_milestone;
  const to = readPart(context, move, "milestone");
  if (!isMoving) requireRight(context, draft.before, { ...change, to });
  return to;
}

/** Fault 105: a bug without a component. */
export function componentRequiredFault(): Fault {
  return new Fault(
    "require_component",
    "To file this bug, you must first choose a component. If necessary, just guess.",
  );
}
