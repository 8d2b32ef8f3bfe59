// conf compares versions with semver when it is given migrations; bt gives none.
const refuse = () => {
  throw new Error("conf was given migrations, and semver is not part of the bundle");
};
const semver = { clean: refuse, eq: refuse, gt: refuse, lte: refuse, satisfies: refuse };

export { semver as default };
