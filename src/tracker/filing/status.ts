import { readPrivacy } from "../changing/comments.ts";
import { type Context, productRights } from "../changing/context.ts";
import { refuseOpenDependencies } from "../changing/demands.ts";
import { Fault } from "../fault.ts";
import { choiceField } from "../fields/choices.ts";
import type { Bug, Product } from "../rules/bug.ts";
import { readChoice } from "../rules/choice.ts";
import { EMPTY_COMMENT, type NewComment } from "../rules/comment.ts";
import { DUPLICATE, duplicateIdRequired, resolutionOnOpenBug, resolutionRequired } from "../rules/resolution.ts";
import { asText, commentText } from "../rules/text.ts";
import {
  findStatus,
  illegalMove,
  needsComment,
  type Status,
  startingStatus,
  targets,
  UNCONFIRMED,
} from "../rules/workflow.ts";

/** The description of a new bug, which is its first comment; it may be blank. */
export function readDescription({ call, input }: Context): NewComment {
  return {
    ...EMPTY_COMMENT,
    text: commentText(asText(input["description"], "description")),
    isPrivate: readPrivacy(call, { is_private: input["comment_is_private"] ?? false }),
  };
}

type Filing = { readonly product: Product; readonly description: NewComment; readonly dependsOn: readonly number[] };

/** The status of a new bug and, when it is filed closed, its resolution. */
export function readStatus(context: Context, filing: Filing): Pick<Bug, "status" | "resolution" | "is_confirmed"> {
  const status = readStarting(context, filing);
  if (needsComment(context.workflow, null, status.name) && filing.description.text === "") {
    throw new Fault(400, 32000, "You have to specify a description for this bug.");
  }
  const resolution = readResolution(context, status, filing.dependsOn);
  return { status: status.name, resolution, is_confirmed: status.name !== UNCONFIRMED };
}

// Who may not confirm bugs does not choose where they start.
function readStarting({ call, input, workflow }: Context, { product }: Filing): Status {
  const legal = targets(workflow, null, product);
  const { mayEdit, mayConfirm } = productRights(call, product.id);
  const isFree = mayEdit || mayConfirm;
  const usual = startingStatus(legal, isFree);
  const status =
    isFree && input["status"] !== undefined ? findStatus(workflow, asText(input["status"], "status")) : usual;
  if (!status || !legal.includes(status)) throw illegalMove(null, status?.name ?? "");
  return status;
}

function readResolution(context: Context, status: Status, dependsOn: readonly number[]): string {
  const said = asText(context.input["resolution"], "resolution").trim();
  if (said === "" && status.is_open) return "";
  if (said === "") throw resolutionRequired(status.name);
  const { name } = readChoice(choiceField(context.call.store, "resolution"), said);
  if (status.is_open) throw resolutionOnOpenBug();
  if (name === DUPLICATE) throw duplicateIdRequired();
  refuseOpenDependencies(context.call, { id: 0, depends_on: dependsOn }, name);
  return name;
}
