import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { firstText } from "../input.ts";
import { isIn } from "../people/requester.ts";

/** Search Comment Tags: those that contain a text, the most used first. */
export const tagSearchRoutes: readonly Route[] = [
  { method: "GET", path: "/bug/comment/tags/{query}", handle: (call) => searchTags(call) },
];

const DEFAULT_LIMIT = 10;

function searchTags(call: Call): Json {
  refuseNonTaggers(call, "search comment tags");
  const limit = firstText(call.input, "limit") ?? "0";
  if (!/^\d+$/.test(limit)) throw faults.notANumber("limit passed to Bug.search_comment_tags");
  const bindings = { text: call.path["query"] ?? "", limit: Number(limit) || DEFAULT_LIMIT };
  return call.store.all<{ readonly tag: string }>(TAGS, bindings).map(({ tag }) => tag);
}

const TAGS = `
  SELECT tag FROM comment_tags JOIN visible_comments ON visible_comments.id = comment_id
  WHERE instr(lower(tag), lower(@text)) > 0 GROUP BY tag ORDER BY count(*) DESC, tag LIMIT @limit`;

/** Refuses those who may not tag comments (or look tags up), and everybody where tagging is switched off. */
export function refuseNonTaggers({ requester, parameters }: Call, what: string): void {
  const group = parameters.comment_taggers_group;
  if (!requester.user) throw faults.loginRequired();
  if (group === "") throw new Fault(400, 125, "The comment tagging is not enabled.");
  if (!isIn(requester, group)) throw faults.notInGroup(group, what);
}
