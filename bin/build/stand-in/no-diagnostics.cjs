"use strict";

// undici tells 17 channels what it does, which nobody in this process listens to, and logs it if NODE_DEBUG says so.
const silent = { hasSubscribers: false };
exports.channels = new Proxy({}, { get: () => silent });
