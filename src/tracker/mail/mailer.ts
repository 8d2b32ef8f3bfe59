import type { Store } from "../store/store.ts";
import { deleteMail, type OutboxMail, waitingMails } from "./queue.ts";

/** Sends a mail, or writes it to a file. @throws Error if that fails */
export type Deliver = (mail: OutboxMail) => Promise<void>;

/** Sends what is queued, after what is being sent; mails that fail stay in the queue. The promise never rejects. */
export type Mailer = () => Promise<void>;

/** A mailer for the queue of a tracker; `report` receives a line about what could not be sent. */
export function createMailer(store: Store, deliver: Deliver, now: () => Date, report: (line: string) => void): Mailer {
  let isQueued = false;
  let sending = Promise.resolve();

  async function sendQueued(): Promise<void> {
    isQueued = false;
    for (const mail of waitingMails(store, now())) {
      await deliver(mail).catch((error: Error) => {
        if (!isRefused(error)) throw error;
        report(`cannot send a mail to ${mail.to}: ${error.message}`);
      });
      deleteMail(store, mail.id);
    }
  }

  const reportFailure = ({ message }: Error) => report(`cannot send mail, retrying after the next change: ${message}`);

  return () => {
    if (!isQueued) sending = sending.then(sendQueued).catch(reportFailure);
    isQueued = true;
    return sending;
  };
}

/** True if a server refuses the recipient for good, so that the next mails need not wait for this one. */
function isRefused(error: Error & { command?: unknown; responseCode?: unknown }): boolean {
  return error.command === "RCPT TO" && Number(error.responseCode) >= 500;
}
