import { Fault } from "../fault.ts";
import { type Mail, readableText } from "../outbox/mail-text.ts";
import { oneMail } from "../outbox/outbox.ts";
import { type AdminOperation, optional } from "./operation.ts";

/** What can be seen of the mails that changes have caused, whether or not they were sent. */
export const mailOperations: readonly AdminOperation[] = [
  {
    noun: "mail",
    verb: "list",
    about: "Lists the mails that changes of bugs have caused, the newest first; those without sent_time still wait.",
    parameters: [
      optional("to", "text", "only those to this login"),
      optional("bug", "number", "only those about this bug"),
    ],
    changes: false,
    run: ({ store }, { to, bug }) =>
      store.all(LIST, { to: to === undefined ? null : String(to), bug: Number(bug ?? 0) }),
  },
  {
    noun: "mail",
    verb: "show",
    about: "Shows one mail as it reads.",
    parameters: [{ name: "id", kind: "number", about: "the number of the mail, from the list", isRequired: true }],
    changes: false,
    run: ({ store }, { id }) => {
      const mail = oneMail(store, Number(id));
      if (!mail) throw new Fault(404, 51, `There is no mail ${id}.`);
      const { host: _, ...shown } = mail;
      return shown;
    },
    page: (mail) => readableText(mail as Omit<Mail, "host">),
  },
];

const LIST = `
  SELECT outbox.id, time, users.login AS "to", bug_id, reasons, subject, sent_time
  FROM outbox JOIN users ON users.id = outbox.user_id
  WHERE (@to IS NULL OR users.login = @to) AND @bug IN (0, bug_id) ORDER BY outbox.id DESC`;
