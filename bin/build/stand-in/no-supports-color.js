// chalk finds out what its terminal can do and opens it for that; bt has found out before, and tells chalk.
export const supportsColor = { stdout: false, stderr: false };
export { supportsColor as default };
