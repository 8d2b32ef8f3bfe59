import type { Asking } from "../asking.ts";
import { type Condition, group, row } from "../condition.ts";
import { isSwitchedOn, oneText, type Values } from "./values.ts";

/** The conditions of `email1` with `emailtype1`: somebody in one of the roles that are switched on (`emailcc1=1`). */
export function peopleConditions(asking: Asking, values: Values): readonly Condition[] {
  return [...values.keys()]
    .flatMap((name) => /^email(\d+)$/.exec(name)?.[1] ?? [])
    .flatMap((id) => {
      const who = oneText(values, `email${id}`);
      const type = oneText(values, `emailtype${id}`) || "anyexact";
      const roles = IN_ROLE.filter(([role]) => isSwitchedOn(values, `email${role}${id}`));
      if (who === "" || roles.length === 0) {
        asking.ignore(`email${id}`, "it needs a name and a role");
        return [];
      }
      return [
        group(
          "OR",
          roles.map(([, field]) => row(field, type === "exact" ? "equals" : type, who)),
        ),
      ];
    });
}

const IN_ROLE = [
  ["assigned_to", "assigned_to"],
  ["reporter", "reporter"],
  ["qa_contact", "qa_contact"],
  ["cc", "cc"],
  ["longdesc", "commenter"],
] as const;
