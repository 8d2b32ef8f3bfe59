import type { Call } from "../call.ts";
import type { GroupControl } from "../rules/group-controls.ts";

/** What a product says about groups, for the present requester. */
export function groupControls({ store }: Call, productId: number): readonly GroupControl[] {
  return store.all<ControlRow>(CONTROLS, [productId]).map((row) => ({
    ...row,
    is_active: row.is_active === 1,
    is_member: row.is_member === 1,
  }));
}

type ControlRow = {
  readonly id: number;
  readonly name: string;
  readonly is_active: number;
  readonly member_control: number;
  readonly other_control: number;
  readonly is_member: number;
};

const CONTROLS = `
  SELECT groups.id, groups.name, (groups.is_active AND groups.is_bug_group) AS is_active,
    member_control, other_control, groups.id IN (SELECT group_id FROM viewer_groups) AS is_member
  FROM group_controls JOIN groups ON groups.id = group_id
  WHERE product_id = ? ORDER BY groups.id`;
