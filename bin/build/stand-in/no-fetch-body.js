// undici turns forms, blobs and streams into bodies as fetch does; bt sends texts.
export function extractBody() {
  throw new Error("a request was given a body that is no text, and what reads it is not part of the bundle");
}
