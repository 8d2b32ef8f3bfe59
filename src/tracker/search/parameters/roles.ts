/** The fields whose plain parameters become rows: people, by any part of their names, and what comments say. */
export const ROLES: readonly string[] = ["assigned_to", "reporter", "qa_contact", "longdesc", "cc"];
