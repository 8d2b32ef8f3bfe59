/** The fields that only those who track time may set and see the history of, as history names them. */
export const TIME_FIELDS: ReadonlySet<string> = new Set(["estimated_time", "remaining_time", "work_time", "deadline"]);
