import { type Context, productRights } from "../changing/context.ts";
import { isOn } from "../parameters.ts";
import { findPerson } from "../people/find.ts";
import { enterableProduct } from "../products/enter.ts";
import { findComponent, findPart } from "../products/parts.ts";
import type { Bug, Component, Person, Product } from "../rules/bug.ts";
import { inUse, mustBeChosen } from "../rules/choice.ts";
import type { NewComment } from "../rules/comment.ts";
import { componentRequired } from "../rules/place.ts";
import { asText } from "../rules/text.ts";
import { readCc, readGroups, readKeywords, readLinks, readTies } from "./lists.ts";
import { readDescription, readStatus } from "./status.ts";
import { readFirstValues, readMoreValues } from "./values.ts";

/** A bug as it was sent, complete and checked, with what was left out by default; its number comes when it is stored. */
export function readNewBug(context: Context): { readonly bug: Bug; readonly description: NewComment } {
  const first = readFirstValues(context);
  const product = enterableProduct(context.call, said(context, "product"));
  const more = readMoreValues(context);
  const description = readDescription(context);
  const component = readComponent(context, product);
  const ties = readTies(context, product);
  const lists = { ...ties, groups: readGroups(context, product), keywords: readKeywords(context) };
  const parts = { version: readVersion(context, product), target_milestone: readMilestone(context, product) };
  const status = readStatus(context, { product, description, dependsOn: ties.depends_on });
  const people = { ...readOwners(context, component, product), cc: readCc(context, component) };
  const bug: Bug = {
    id: 0,
    product,
    component,
    ...first,
    ...more,
    ...lists,
    ...parts,
    ...status,
    ...people,
    see_also: readLinks(context),
    flags: [],
    dupe_of: null,
    creation_time: context.call.now,
    last_change_time: context.call.now,
  };
  return { bug, description };
}

function said({ input }: Context, name: string): string {
  return asText(input[name], name).trim();
}

function readComponent(context: Context, product: Product): Component {
  const name = said(context, "component");
  if (name === "") throw componentRequired();
  return inUse({ kind: "component" }, findComponent(context.call.store, product, name));
}

function readVersion(context: Context, product: Product): string {
  const name = said(context, "version");
  if (name === "") throw mustBeChosen("version");
  return inUse({ kind: "version" }, findPart(context.call.store, product, { part: "version", name })).name;
}

// One out of use is accepted here, as on a real server.
function readMilestone(context: Context, product: Product): string {
  const { store, parameters } = context.call;
  const isFree = isOn(parameters.letsubmitterchoosemilestone) || productRights(context.call, product.id).mayEdit;
  if (!isFree || context.input["target_milestone"] === undefined) return product.default_milestone;
  const name = said(context, "target_milestone");
  if (name === "") throw mustBeChosen("milestone");
  return findPart(store, product, { part: "milestone", name }).name;
}

type Owners = { readonly assigned_to: Person; readonly creator: Person; readonly qa_contact: Person | null };

// Who may not edit bugs does not choose who works on them.
function readOwners(context: Context, component: Component, product: Product): Owners {
  const { call, user } = context;
  const { mayEdit } = productRights(call, product.id);
  const hasQaContacts = isOn(call.parameters.useqacontact);
  const assignee = mayEdit ? said(context, "assigned_to") : "";
  const contact = mayEdit && hasQaContacts ? said(context, "qa_contact") : "";
  const defaultContact = hasQaContacts ? component.default_qa_contact : null;
  return {
    assigned_to: assignee === "" ? component.default_assignee : findPerson(call, assignee),
    creator: { id: user.id, login: user.login },
    qa_contact: contact === "" ? defaultContact : findPerson(call, contact),
  };
}
