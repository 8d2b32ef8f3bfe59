/** Where clients before REST send their calls. */
export const XML_RPC_PATH = "/xmlrpc.cgi";
