import { bugs } from "./schema/bugs.ts";
import { catalog } from "./schema/catalog.ts";
import { discussion } from "./schema/discussion.ts";
import { fields } from "./schema/fields.ts";
import { fulltext } from "./schema/fulltext.ts";
import { people } from "./schema/people.ts";
import { server } from "./schema/server.ts";

const FIRST = [people, catalog, fields, bugs, discussion, fulltext, server].join("\n");

/** Finds what is old enough to be removed without reading the whole table. */
const BY_TIME = `
CREATE INDEX answered_writes_by_time ON answered_writes (time);
CREATE INDEX outbox_by_time ON outbox (time);
CREATE INDEX login_tokens_by_use ON login_tokens (last_used);
CREATE INDEX failed_logins_by_time ON failed_logins (time);
`;

/**
 * The steps that bring a database to the present schema, in order; its `user_version` says how many it has had. A step
 * that was released is frozen: files exist that have had it, so a change of the schema is a new step at the end.
 */
export const MIGRATIONS: readonly string[] = [FIRST, BY_TIME];
