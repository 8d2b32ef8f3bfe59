import { commandFlagName } from "../../../api/operations/operation.ts";
import { type FlagValues, flagValues } from "../../../command-flag.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { UpdateInput } from "../write/flags.ts";
import type { KeyName } from "./keys.ts";

/** Values of flags of `bt bug update`. */
export type UpdateFlags = UpdateInput["parameters"];

/** Part that one key adds to the change of a bug: flags of `bt bug update`, or a comment. */
export type TriageStep =
  | { readonly kind: FieldKind; readonly flags: UpdateFlags; text?: string | undefined }
  | { readonly kind: "needinfo"; readonly flag: string; readonly login: string; text?: string }
  | { readonly kind: "comment"; readonly text: string };

type FieldKind = Exclude<KeyName, "needinfo" | "comment">;

/**
 * Flags of `bt bug update` for the steps of a bug: the last one of each kind with its comment, but all requests and other
 * comments. Values that the bug has are left out.
 */
export function updateParameters(steps: readonly TriageStep[], bug: Bug): UpdateFlags {
  const last = new Map<TriageStep["kind"], Extract<TriageStep, { flags: UpdateFlags }>>();
  for (const step of steps) {
    if (!("flags" in step)) continue;
    last.delete(step.kind); // so that a component counts that was chosen after the product
    last.set(step.kind, step);
  }
  const requests = requestTexts(steps, bug);
  const comments: string[] = [];
  for (const step of steps)
    if (step.text !== undefined && (!("flags" in step) || last.get(step.kind) === step)) comments.push(step.text);
  return {
    ...withoutUnchanged(Object.assign({}, ...[...last.values()].map(({ flags }) => flags)), bug),
    ...(requests.length > 0 ? { flags: requests } : {}),
    ...(comments.length > 0 ? { comment: comments.join("\n\n") } : {}),
  };
}

function withoutUnchanged(flags: UpdateFlags, bug: Bug): UpdateFlags {
  const isMoved = flags.product !== undefined && flags.product !== bug.product;
  const changed = Object.entries(flags).filter(
    ([name, value]) => (isMoved && OF_PRODUCT.has(name)) || String(value) !== valueOfBug(name, bug),
  );
  return Object.fromEntries(changed);
}

const OF_PRODUCT: ReadonlySet<string> = new Set(PER_PRODUCT_FIELDS.map(commandFlagName));

/** The value that a bug has where a flag of `bt bug update` sets it. */
function valueOfBug(flag: string, bug: Bug): string {
  return String((bug as JsonObject)[flag.replace(/^set-/, "").replaceAll("-", "_")] ?? "");
}

/** Flag changes of all requests; beside another one of the name, each is a further one. */
function requestTexts(steps: readonly TriageStep[], { flags }: Bug): string[] {
  const requests = steps.filter((step) => step.kind === "needinfo");
  const isSet = (flag: string) => (flags ?? []).some(({ name }) => name === flag);
  return requests.map(({ flag, login }, at) => `${at > 0 || isSet(flag) ? "+" : ""}${flag}?(${login})`);
}

/** The command line of a change, as it is typed in a shell. */
export function updateLine(id: number, flags: FlagValues): string {
  return `bt bug update ${id} ${flagLine(flags)}`;
}

/** The flags of a step alone, as they are typed in a shell. */
export function stepLine(step: TriageStep, bug: Bug): string {
  const comment = step.text === undefined ? {} : { comment: step.text };
  return flagLine("flags" in step ? { ...step.flags, ...comment } : updateParameters([step], bug));
}

/** Flags as they are typed in a shell. */
export function flagLine(flags: FlagValues): string {
  const words = Object.entries(flags).flatMap(([name, values]) => {
    if (values === true) return [`--${name}`];
    return flagValues(values).flatMap((value) => (name === "comment" ? ["-m", value] : [`--${name}`, value]));
  });
  return words.map(shellWord).join(" ");
}
