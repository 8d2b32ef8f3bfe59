import { bugs } from "./schema/bugs.ts";
import { catalog } from "./schema/catalog.ts";
import { discussion } from "./schema/discussion.ts";
import { fields } from "./schema/fields.ts";
import { fulltext } from "./schema/fulltext.ts";
import { people } from "./schema/people.ts";
import { server } from "./schema/server.ts";

/** The steps that bring a database to today's schema, in order; its `user_version` says how many it has had. */
export const MIGRATIONS: readonly string[] = [[people, catalog, fields, bugs, discussion, fulltext, server].join("\n")];
