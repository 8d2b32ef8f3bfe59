import { CREATE_GROUP, GET_GROUP, UPDATE_GROUP } from "../../api/operations/groups.ts";
import type { InputOf } from "../input.ts";
import { DRY_RUN } from "../shared/changes/write-flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";

export function listGroupFlags() {
  return parameterFlags(GET_GROUP.parameters, "Criteria");
}

export function getGroupFlags() {
  return listGroupFlags().filter((flag) => flag.name === "membership");
}

export function createGroupFlags() {
  return [...parameterFlags(CREATE_GROUP.parameters, "Fields"), DRY_RUN];
}

export function updateGroupFlags() {
  return [...parameterFlags(UPDATE_GROUP.parameters, "Fields"), DRY_RUN];
}

/** Input of `bt group list`. */
export type GroupListInput = InputOf<ReturnType<typeof listGroupFlags>>;

/** Input of `bt group get`. */
export type GroupGetInput = InputOf<ReturnType<typeof getGroupFlags>>;

/** Input of `bt group create`. */
export type GroupCreateInput = InputOf<ReturnType<typeof createGroupFlags>>;

/** Input of `bt group update`. */
export type GroupUpdateInput = InputOf<ReturnType<typeof updateGroupFlags>>;
