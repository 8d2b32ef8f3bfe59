import { readParameters } from "../parameters.ts";
import type { Store } from "../store/store.ts";
import type { Mail } from "./mail-text.ts";

/** The mails that wait to be sent, oldest first. */
export function waitingMails(store: Store): readonly Mail[] {
  const { mailfrom, urlbase } = readParameters(store);
  return store
    .all<Omit<Mail, "from" | "host">>(WAITING)
    .map((mail) => ({ ...mail, from: mailfrom, host: hostOf(urlbase) }));
}

const WAITING = `
  SELECT outbox.id, outbox.time, users.login AS "to", bug_id, reasons, subject, body
  FROM outbox JOIN users ON users.id = outbox.user_id WHERE sent_time IS NULL ORDER BY outbox.id`;

/** Notes that a mail was sent, so that it does not wait any more. */
export function markSent(store: Store, id: number, time: string): void {
  store.run("UPDATE outbox SET sent_time = ? WHERE id = ?", [time, id]);
}

function hostOf(urlbase: string): string {
  return URL.canParse(urlbase) ? new URL(urlbase).hostname : "localhost";
}
