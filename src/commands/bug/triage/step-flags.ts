import { type FlagValues, flagValues } from "../../../command-flag.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { User } from "../../../wire/bug-values.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { UpdateInput } from "../write/flags.ts";

/** Values of flags of `bt bug update`. */
type UpdateFlags = UpdateInput["parameters"];

/** Part that one key adds to the change of a bug: flags of `bt bug update`, or a comment. */
export type TriageStep =
  | { readonly kind: "assign" | "priority" | "severity" | "component" | "status"; readonly flags: UpdateFlags }
  | { readonly kind: "needinfo"; readonly flag: string; readonly login: string; text?: string }
  | { readonly kind: "comment"; readonly text: string };

/** Flags of `bt bug update` for the steps of a bug: the last one of each kind, but all requests and comments. */
export function updateParameters(steps: readonly TriageStep[], bug: Bug): UpdateFlags {
  const last = new Map<TriageStep["kind"], UpdateFlags>();
  for (const step of steps) if ("flags" in step) last.set(step.kind, step.flags);
  const requests = requestTexts(steps, bug);
  const comments: string[] = [];
  for (const step of steps) if ("text" in step) comments.push(step.text);
  return {
    ...Object.assign({}, ...last.values()),
    ...(requests.length > 0 ? { flags: requests } : {}),
    ...(comments.length > 0 ? { comment: comments.join("\n\n") } : {}),
  };
}

/** Flag changes of all requests; beside another one of the name, each is a further one. */
function requestTexts(steps: readonly TriageStep[], { flags }: Bug): string[] {
  const requests = steps.filter((step) => step.kind === "needinfo");
  const isSet = (flag: string) => (flags ?? []).some(({ name }) => name === flag);
  return requests.map(({ flag, login }, at) => `${at > 0 || isSet(flag) ? "+" : ""}${flag}?(${login})`);
}

/** The command line of a change, as it is typed in a shell. */
export function updateLine(id: number, flags: FlagValues): string {
  const words = Object.entries(flags).flatMap(([name, values]) =>
    flagValues(values).flatMap((value) => (name === "comment" ? ["-m", value] : [`--${name}`, value])),
  );
  return ["bt", "bug", "update", String(id), ...words].map(shellWord).join(" ");
}

/** A saved reply with the names of the bug filled in; other braces are left as they are. */
export function filledReply(text: string, bug: Bug): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => FILLED.get(name)?.(bug) ?? whole);
}

const FILLED: ReadonlyMap<string, (bug: Bug) => string> = new Map([
  ["reporter", ({ creator, creator_detail }: Bug) => personName(creator_detail, creator)],
  ["assignee", ({ assigned_to, assigned_to_detail }: Bug) => personName(assigned_to_detail, assigned_to)],
  ["id", ({ id }: Bug) => String(id)],
  ["product", ({ product }: Bug) => product ?? ""],
  ["component", ({ component }: Bug) => component ?? ""],
]);

function personName(user: User | null | undefined, login: string | null | undefined): string {
  return user?.real_name || login || "";
}
