import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";

/** The default people of components, each with the column of its id. */
export const DEFAULT_PERSON_COLUMNS = DEFAULT_PEOPLE.map((person) => ({ ...person, column: `${person.written}_id` }));

/** SQL that joins components with their default people, each under the name of its field of bugs. */
export const JOINED_PEOPLE = DEFAULT_PERSON_COLUMNS.map(
  ({ field, column, isOptional }) => `${isOptional ? "LEFT " : ""}JOIN users AS ${field} ON ${field}.id = ${column}`,
).join("\n  ");

/** SQL of the logins of joined people, by their names in what is read or written; `nobody` is SQL, too. */
export function defaultLogins(names: "read" | "written", nobody = "''"): string {
  return DEFAULT_PEOPLE.map((person) => `coalesce(${person.field}.login, ${nobody}) AS ${person[names]}`).join(", ");
}
