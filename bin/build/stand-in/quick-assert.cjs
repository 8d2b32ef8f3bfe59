"use strict";

// Node words a failed assertion by parsing the file that it stands in, which takes seconds for a chunk of the bundle, whose
// lines have no end.
class AssertionError extends Error {
  name = "AssertionError";
}

module.exports = function assert(/** @type {unknown} */ holds, message = "a condition that the package counts on") {
  if (!holds) throw message instanceof Error ? message : new AssertionError(message);
};
