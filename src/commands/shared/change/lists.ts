import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { fieldsSentWhole } from "../../../api/write/body.ts";
import type { Context } from "../../verb.ts";
import { type Able, bodyKey, type Plan, type Planned } from "./plan.ts";

/** Divides a plan into lists of bugs that follow one another and get one request; plain servers get a bug a request, and each new bug has its own. */
export async function readLists(plan: Plan, { session }: Context): Promise<Planned[][]> {
  const isBugzilla = (await session.facts.dialect.name()) === "bugzilla";
  const lists: Planned[][] = [];
  for (const item of plan) {
    const last = lists.at(-1);
    const first = last?.find(({ st }) => st === "able");
    const count = last?.filter(({ st }) => st === "able").length ?? 0;
    const fits = item.st !== "able" || first?.st !== "able" || (count < MAX_ATOMIC_BUGS && isAlike(first, item));
    const isAlone = item.st === "new" || last?.[0]?.st === "new";
    if (last && !isAlone && fits && (isBugzilla || count === 0 || item.st !== "able")) last.push(item);
    else lists.push([item]);
  }
  return lists;
}

/** True if both get one body, which names no other bug and no unique name, and is not made for each bug. */
function isAlike(one: Able, { body, next }: Able): boolean {
  if (bodyKey({ ...one.body, next: one.next ?? null }) !== bodyKey({ ...body, next: next ?? null })) return false;
  return fieldsSentWhole(body).length === 0 && !ONE_BUG_ONLY.some((name) => name in body);
}

const ONE_BUG_ONLY = ["depends_on", "blocks", "dupe_of", "alias"];
