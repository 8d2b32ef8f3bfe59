import { readParameters } from "../parameters.ts";
import type { Value } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { Mail } from "./mail-text.ts";

/** The mails that wait to be sent, oldest first. */
export function waitingMails(store: Store): readonly Mail[] {
  return mails(store, "sent_time IS NULL");
}

/** The mail of a number, whether or not it was sent. */
export function oneMail(store: Store, id: number): Mail | undefined {
  return mails(store, "outbox.id = ?", [id])[0];
}

function mails(store: Store, condition: string, values: readonly Value[] = []): readonly Mail[] {
  const { mailfrom, urlbase } = readParameters(store);
  return store
    .all<Omit<Mail, "from" | "host">>(`${MAILS} WHERE ${condition} ORDER BY outbox.id`, values)
    .map((mail) => ({ ...mail, from: mailfrom, host: hostOf(urlbase) }));
}

const MAILS = `
  SELECT outbox.id, outbox.time, users.login AS "to", bug_id, reasons, subject, body
  FROM outbox JOIN users ON users.id = outbox.user_id`;

/** Notes that a mail was sent, so that it does not wait any more. */
export function markSent(store: Store, id: number, time: string): void {
  store.run("UPDATE outbox SET sent_time = ? WHERE id = ?", [time, id]);
}

function hostOf(urlbase: string): string {
  return URL.canParse(urlbase) ? new URL(urlbase).hostname : "localhost";
}
