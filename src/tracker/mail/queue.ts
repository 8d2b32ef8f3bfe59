import type { Bug, SetFlag } from "../bugs/bug.ts";
import type { FieldChange } from "../bugs/diff.ts";
import { differenceBy } from "../bugs/list-edit.ts";
import { loadBug } from "../bugs/load.ts";
import { bugUrl } from "../bugs/see-also.ts";
import { EMPTY_COMMENT, type NewComment } from "../comments/comment.ts";
import { presentCommentText } from "../comments/read.ts";
import type { Call } from "../http/call.ts";
import { isEnabled, readServerParameters } from "../http/server-parameters.ts";
import type { SqlValue } from "../store/database.ts";
import { pruneOldest } from "../store/prune.ts";
import type { Store } from "../store/store.ts";
import { groupsOfUser, requireLogin, userByLogin } from "../users/requester.ts";
import { isBugVisibleTo } from "../users/visibility.ts";
import {
  type BugMail,
  composeBugMail,
  composeDependencyMail,
  type Recipient,
  type RecipientRole,
  recipientsOf,
} from "./compose.ts";
import type { OutboxMail } from "./mime.ts";

/** What happened to a bug, for those whom it concerns. */
export type BugEvent = {
  readonly before: Bug;
  readonly after: Bug;
  readonly isNew: boolean;
  readonly changes: readonly FieldChange[];
  readonly comment: NewComment | undefined;
};

/** Puts a mail in the outbox for everybody whom a change concerns, who wants mail, and who may see any of it. */
export function queueBugMails(call: Call, { before, after, ...news }: BugEvent): void {
  const who = requireLogin(call);
  const page = pageOf(call, after);
  const comment = news.comment && { ...news.comment, text: presentCommentText({ ...news.comment, file: null }) };
  for (const { person, roles } of recipientsOf(before, after, flagWatchers(call, { before, after }))) {
    const reader = readerOf(call, { person, roles }, after);
    const mail = reader && composeBugMail({ ...news, bug: after, who, page, comment }, { ...reader, roles });
    if (mail) queueMail(call, { person, roles }, { bug: after.id, ...mail });
  }
}

/**
 * The users on the `cc_list` of the types of the flags that were set, changed or cleared.
 * @see Bugzilla::Flag::notify
 */
function flagWatchers(
  { store }: Call,
  { before, after }: Pick<BugEvent, "before" | "after">,
): readonly RecipientRole[] {
  const key = ({ id, status, requestee }: SetFlag) => `${id} ${status} ${requestee?.id ?? ""}`;
  const changed = [...differenceBy(after.flags, before.flags, key), ...differenceBy(before.flags, after.flags, key)];
  return changed.flatMap(({ name, type_id }) =>
    watchersOf(store, type_id).flatMap((login) => {
      const person = userByLogin(store, login);
      return person ? [{ role: `watching ${name}`, person: { id: person.id, login: person.login } }] : [];
    }),
  );
}

function watchersOf(store: Store, typeId: number): readonly string[] {
  const { list } = store.get<{ readonly list: string }>(WATCHERS, [typeId]) ?? { list: "" };
  return list.split(/[, ]+/).filter((login) => login !== "");
}

const WATCHERS = "SELECT cc_list AS list FROM flag_types WHERE id = ?";

/** Puts mails in the outbox for those whom the bugs concern that wait for one which was closed or opened again. */
export function queueDependencyMails(call: Call, { after, changes }: BugEvent): void {
  for (const waiting of after.blocks.map((id) => loadBug(call.store, id, []))) {
    const news = { bug: after, who: requireLogin(call), changes, page: pageOf(call, waiting) };
    for (const { person, roles } of recipientsOf(waiting, waiting)) {
      const reader = readerOf(call, { person, roles }, after) && readerOf(call, { person, roles }, waiting);
      const mail = reader && composeDependencyMail(waiting, news, { ...reader, roles });
      if (mail) queueMail(call, { person, roles }, { bug: waiting.id, ...mail });
    }
  }
}

/** Something said about a bug, in its final words. */
export type CommentEvent = { readonly bugId: number; readonly text: string; readonly isPrivate: boolean };

/** Puts mails in the outbox about something that was only said. */
export function queueCommentMails(call: Call, { bugId, text, isPrivate }: CommentEvent): void {
  const bug = loadBug(call.store, bugId, []);
  const comment = { ...EMPTY_COMMENT, text, isPrivate };
  queueBugMails(call, { before: bug, after: bug, isNew: false, changes: [], comment });
}

function pageOf({ parameters: { urlbase } }: Call, { id }: Bug): string {
  return urlbase === "" ? "" : bugUrl(urlbase, id);
}

function queueMail(call: Call, { person, roles }: Recipient, mail: BugMail & { readonly bug: number }): void {
  pruneOldest(call.store, "outbox", call.now);
  call.store.run(QUEUE, { time: call.now, user: person.id, reasons: roles.join(", "), ...mail });
}

const QUEUE = `INSERT INTO outbox (time, user_id, bug_id, reasons, subject, body)
  VALUES (@time, @user, @bug, @reasons, @subject, @body)`;

type Allowed = { readonly isInsider: boolean; readonly isTimeTracker: boolean };

function readerOf(call: Call, { person }: Recipient, bug: Bug): Allowed | undefined {
  const { insidergroup, timetrackinggroup, useqacontact } = call.parameters;
  const groups = groupsOfUser(call.store, person.id);
  const isIn = (name: string) => groups.some((group) => group.name === name);
  const groupIds = new Set(groups.map(({ id }) => id));
  const maySee = isBugVisibleTo(bug, { person, groupIds, hasQaContacts: isEnabled(useqacontact) });
  const wants = call.store.get("SELECT id FROM users WHERE id = ? AND email_enabled AND is_enabled", [person.id]);
  return maySee && wants ? { isInsider: isIn(insidergroup), isTimeTracker: isIn(timetrackinggroup) } : undefined;
}

/** The mails that wait to be sent, oldest first. */
export function waitingMails(store: Store): readonly OutboxMail[] {
  return readMails(store, "sent_time IS NULL");
}

/** The mail of a number, whether or not it was sent. */
export function mailById(store: Store, id: number): OutboxMail | undefined {
  return readMails(store, "outbox.id = ?", [id])[0];
}

function readMails(store: Store, condition: string, values: readonly SqlValue[] = []): readonly OutboxMail[] {
  const { mailfrom, urlbase } = readServerParameters(store);
  return store
    .all<Omit<OutboxMail, "from" | "host">>(`${MAILS} WHERE ${condition} ORDER BY outbox.id`, values)
    .map((mail) => ({ ...mail, from: mailfrom, host: hostOf(urlbase) }));
}

const MAILS = `
  SELECT outbox.id, outbox.time, users.login AS "to", bug_id, reasons, subject, body
  FROM outbox JOIN users ON users.id = outbox.user_id`;

/** Notes that a mail was sent, so that it does not wait any more. */
export function markMailSent(store: Store, id: number, time: string): void {
  store.run("UPDATE outbox SET sent_time = ? WHERE id = ?", [time, id]);
}

function hostOf(urlbase: string): string {
  return URL.canParse(urlbase) ? new URL(urlbase).hostname : "localhost";
}
