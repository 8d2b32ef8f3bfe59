// Runs a measure of this folder by its name: `npm run bench [commands|first-sync|functions|mirror|reads|serve] [arguments]`.
import process from "node:process";

const [name = "commands"] = process.argv.splice(2, 1);
await import(`./${name}.js`);
