/** More bugs than this make a job of several requests, of which some may fail; up to here one request does all or nothing. */
export const MOST_AT_ONCE = 20;
