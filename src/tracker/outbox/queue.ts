import type { Call } from "../call.ts";
import { shownText } from "../comments/read.ts";
import { isOn } from "../parameters.ts";
import { loggedIn } from "../people/find.ts";
import { groupsOf, userByLogin } from "../people/requester.ts";
import { loadBug } from "../record/load.ts";
import type { Bug, SetFlag } from "../rules/bug.ts";
import type { Change } from "../rules/change.ts";
import { EMPTY_COMMENT, type NewComment } from "../rules/comment.ts";
import { without } from "../rules/edit.ts";
import { type Letter, letter, letterOnDependency } from "../rules/letter.ts";
import { type Concerned, concerned, type Part } from "../rules/recipients.ts";
import { bugPage } from "../rules/see-also.ts";
import { isVisibleTo } from "../rules/visibility.ts";
import { prune } from "../store/prune.ts";
import type { Store } from "../store/store.ts";

/** What happened to a bug, for those whom it concerns. */
export type Happening = {
  readonly before: Bug;
  readonly after: Bug;
  readonly isNew: boolean;
  readonly changes: readonly Change[];
  readonly comment: NewComment | undefined;
};

/** Puts a mail in the outbox for everybody whom a change concerns, who wants mail, and who may see any of it. */
export function queueMails(call: Call, { before, after, ...news }: Happening): void {
  const who = loggedIn(call);
  const page = pageOf(call, after);
  const comment = news.comment && { ...news.comment, text: shownText({ ...news.comment, file: null }) };
  for (const { person, roles } of concerned(before, after, flagWatchers(call, { before, after }))) {
    const reader = readerOf(call, { person, roles }, after);
    const mail = reader && letter({ ...news, bug: after, who, page, comment }, { ...reader, roles });
    if (mail) put(call, { person, roles }, { bug: after.id, ...mail });
  }
}

/**
 * The users on the `cc_list` of the types of the flags that were set, changed or cleared.
 * @see Bugzilla::Flag::notify
 */
function flagWatchers({ store }: Call, { before, after }: Pick<Happening, "before" | "after">): readonly Part[] {
  const key = ({ id, status, requestee }: SetFlag) => `${id} ${status} ${requestee?.id ?? ""}`;
  const changed = [...without(after.flags, before.flags, key), ...without(before.flags, after.flags, key)];
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
export function queueForWaiting(call: Call, { after, changes }: Happening): void {
  for (const waiting of after.blocks.map((id) => loadBug(call.store, id, []))) {
    const news = { bug: after, who: loggedIn(call), changes, page: pageOf(call, waiting) };
    for (const { person, roles } of concerned(waiting, waiting)) {
      const reader = readerOf(call, { person, roles }, after) && readerOf(call, { person, roles }, waiting);
      const mail = reader && letterOnDependency(waiting, news, { ...reader, roles });
      if (mail) put(call, { person, roles }, { bug: waiting.id, ...mail });
    }
  }
}

/** Something said about a bug, in its final words. */
export type Remark = { readonly bugId: number; readonly text: string; readonly isPrivate: boolean };

/** Puts mails in the outbox about something that was only said. */
export function queueRemark(call: Call, { bugId, text, isPrivate }: Remark): void {
  const bug = loadBug(call.store, bugId, []);
  const comment = { ...EMPTY_COMMENT, text, isPrivate };
  queueMails(call, { before: bug, after: bug, isNew: false, changes: [], comment });
}

function pageOf({ parameters: { urlbase } }: Call, { id }: Bug): string {
  return urlbase === "" ? "" : bugPage(urlbase, id);
}

function put(call: Call, { person, roles }: Concerned, mail: Letter & { readonly bug: number }): void {
  prune(call.store, "outbox", call.now);
  call.store.run(QUEUE, { time: call.now, user: person.id, reasons: roles.join(", "), ...mail });
}

const QUEUE = `INSERT INTO outbox (time, user_id, bug_id, reasons, subject, body)
  VALUES (@time, @user, @bug, @reasons, @subject, @body)`;

type Allowed = { readonly isInsider: boolean; readonly isTimeTracker: boolean };

function readerOf(call: Call, { person }: Concerned, bug: Bug): Allowed | undefined {
  const { insidergroup, timetrackinggroup, useqacontact } = call.parameters;
  const groups = groupsOf(call.store, person.id);
  const isIn = (name: string) => groups.some((group) => group.name === name);
  const groupIds = new Set(groups.map(({ id }) => id));
  const maySee = isVisibleTo(bug, { person, groupIds, hasQaContacts: isOn(useqacontact) });
  const wants = call.store.get("SELECT id FROM users WHERE id = ? AND email_enabled AND is_enabled", [person.id]);
  return maySee && wants ? { isInsider: isIn(insidergroup), isTimeTracker: isIn(timetrackinggroup) } : undefined;
}
