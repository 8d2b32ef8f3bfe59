/** SQL that has the `visible_...` views show all of a mirror, at no cost: its rows are what its login may see. */
export const MIRROR_VIEWS = ["bugs", "comments", "attachments", "flags", "activity"]
  .map((table) => `DROP VIEW visible_${table}; CREATE TEMP VIEW visible_${table} AS SELECT * FROM main.${table};`)
  .join("\n");
