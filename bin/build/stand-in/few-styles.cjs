// The code that ends a style, by the code that begins it: all that wrap-ansi uses of ansi-styles.
const colors = [...Array(8).keys()].flatMap((at) => [
  [30 + at, 39],
  [40 + at, 49],
  [90 + at, 39],
  [100 + at, 49],
]);
exports.codes = new Map([[0, 0], [1, 22], [2, 22], [3, 23], [4, 24], [7, 27], [9, 29], ...colors]);
