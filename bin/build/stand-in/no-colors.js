// chalk looks at terminals for its default; bt says itself how many colours there are.
export default { stdout: false, stderr: false };
