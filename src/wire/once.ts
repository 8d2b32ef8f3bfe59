/** A function that makes a value at its first call and returns it at each; a promise is made again once it was rejected. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (made) return made.value;
    made = { value: make() };
    Promise.resolve(made.value).catch(() => {
      made = undefined;
    });
    return made.value;
  };
}
