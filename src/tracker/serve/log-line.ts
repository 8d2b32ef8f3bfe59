/** A request's address as it may be logged: without secrets, however their names are written, and in plain characters. */
export function loggedAddress(url: string): string {
  const hidden = url.replace(PAIR, (pair, mark: string, name: string) =>
    SECRET.test(decoded(name)) ? `${mark}${name}=***` : pair,
  );
  return hidden.replace(/[^!-~]/g, "?");
}

const PAIR = /([?&])([^=&]*)=[^&]*/g;
const SECRET = /(?:api_key|token|password)$/i;

function decoded(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? "";
}
