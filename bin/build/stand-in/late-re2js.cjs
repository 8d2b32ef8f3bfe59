"use strict";

// Regular expressions of searches and groups: most commands have none.
Object.defineProperties(exports, {
  RE2JS: { enumerable: true, get: () => require("re2js").RE2JS },
  RE2JSSyntaxException: { enumerable: true, get: () => require("re2js").RE2JSSyntaxException },
});
