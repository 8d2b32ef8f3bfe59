import { get, segment } from "../operation.ts";
import { isObject, readTags } from "../read.ts";
import { standing } from "./standing.ts";
import { bodyOf, type Look } from "./write.ts";

/** Looks whether a comment has the tags that it should have; tags can be put there again without harm. */
export const lookAtTags: Look = async ({ request }, { ask }) => {
  const { add = [], remove = [] } = bodyOf(request);
  const [id = ""] = /\d+(?=\/tags$)/.exec(request.path) ?? [];
  const answer = await ask(get(`/rest/bug/comment/${segment(id)}`));
  const comments = isObject(answer) ? answer["comments"] : undefined;
  const comment = isObject(comments) ? comments[id] : undefined;
  if (!isObject(comment)) return { sight: "absent" };
  const tags = readTags(comment["tags"] ?? null);
  return standing({ tags }, { tags: { add, remove } }) === "as wished"
    ? { sight: "present", answer: tags }
    : { sight: "absent" };
};
