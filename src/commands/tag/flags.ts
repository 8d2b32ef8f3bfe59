import { SEARCH_COMMENT_TAGS, UPDATE_COMMENT_TAGS } from "../../api/operations/comments.ts";
import type { InputOf } from "../input.ts";
import { DRY_RUN } from "../shared/changes/write-flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";

export function searchTagFlags() {
  return parameterFlags(SEARCH_COMMENT_TAGS.parameters, "Criteria");
}

export function updateTagFlags() {
  return [...parameterFlags(UPDATE_COMMENT_TAGS.parameters, "Tags"), DRY_RUN];
}

/** Input of `bt tag search`. */
export type TagSearchInput = InputOf<ReturnType<typeof searchTagFlags>>;

/** Input of `bt tag update`. */
export type TagUpdateInput = InputOf<ReturnType<typeof updateTagFlags>>;
