"use strict";

// undici reads two things of Node's client: the default limit of headers, which bt sets itself but for what a proxy says, and
// a class of streams, none of which bt sends.
exports.maxHeaderSize = 16 * 1024;
exports.IncomingMessage = class {};
