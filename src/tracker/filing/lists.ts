import { findBug } from "../bugs/find.ts";
import { type Context, productRights } from "../changing/context.ts";
import { stepsOf } from "../changing/dependencies.ts";
import { readItems } from "../changing/edits.ts";
import { findKeyword, inOrder } from "../changing/keywords.ts";
import { linkTo } from "../changing/see-also.ts";
import { Fault } from "../fault.ts";
import { userByLogin } from "../people/requester.ts";
import { groupControls } from "../products/controls.ts";
import type { Bug, Component, Named, Person, Product } from "../rules/bug.ts";
import { findNamed } from "../rules/choice.ts";
import { refuseLoops } from "../rules/dependencies.ts";
import { unique } from "../rules/edit.ts";
import { isDefault, isMandatory, isSettable, restrictionDenied } from "../rules/group-controls.ts";

/** The dependencies of a new bug; those who may not edit bugs set none. */
export function readTies(context: Context, product: Product): Pick<Bug, "depends_on" | "blocks"> {
  const { call, input } = context;
  if (!productRights(call, product.id).mayEdit) return { depends_on: [], blocks: [] };
  const read = (name: string) => {
    const ids = readItems(input[name], { name, takesText: true }).map((text) => findBug(call, text));
    return unique(ids, (id) => id);
  };
  const ties = { depends_on: read("depends_on"), blocks: read("blocks") };
  refuseLoops({ bugId: 0, dependsOn: ties.depends_on, blocks: ties.blocks, ...stepsOf(call) });
  return ties;
}

/** The groups of a new bug: those asked for, or the product's defaults; always its mandatory ones. */
export function readGroups({ call, input }: Context, product: Product): readonly Named[] {
  const controls = groupControls(call, product.id);
  const sent = input["groups"];
  const names = typeof sent === "string" ? sent.split(",") : readItems(sent, { name: "groups", takesText: false });
  const wanted = names.map((text) => {
    const group = text.trim();
    const control = findNamed(controls, group);
    if (!control || !isSettable(control)) throw restrictionDenied({ group, product: product.name });
    return control;
  });
  const chosen = sent === undefined ? controls.filter(isDefault) : wanted;
  return unique([...chosen, ...controls.filter(isMandatory)], ({ id }) => id).map(({ id, name }) => ({ id, name }));
}

/** The keywords of a new bug. */
export function readKeywords({ call, input }: Context): readonly Named[] {
  const names = readItems(input["keywords"], { name: "keywords", takesText: true });
  return inOrder(
    unique(
      names.map((name) => findKeyword(call, name)),
      ({ id }) => id,
    ),
  );
}

/** Who is told of a new bug: those named, and those whom the component always tells. */
export function readCc({ call, input }: Context, component: Component): readonly Person[] {
  const named = readItems(input["cc"], { name: "cc", takesText: true }).map((login): Person => {
    const user = userByLogin(call.store, login);
    if (!user) {
      throw new Fault(
        401,
        504,
        `The name ${login} is not a valid username. Either you misspelled it, or the person has not registered for a Bugzilla account.`,
      );
    }
    return { id: user.id, login: user.login };
  });
  return unique([...named, ...call.store.all<Person>(COMPONENT_CC, [component.id])], ({ id }) => id);
}

const COMPONENT_CC = `SELECT id, login FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

/** Where else a new bug is talked about. */
export function readLinks({ call, input }: Context): readonly string[] {
  return unique(
    readItems(input["see_also"], { name: "see_also", takesText: true }).map((text) => linkTo(call, text, 0)),
    (url) => url.toLowerCase(),
  );
}
