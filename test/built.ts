import process from "node:process";

/**
 * Whether a test of the project "built" runs, which takes what was built in place of the sources. Processes of `bt` are built
 * ones in both projects, so that what only starts them is skipped there.
 */
export const isBuilt = process.env["BT_TEST_BUILT"] !== undefined;
