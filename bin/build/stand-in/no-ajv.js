// conf validates with ajv when it is given a schema; bt gives none.
export class Ajv2020 {
  constructor() {
    throw new Error("conf was given a schema, and ajv is not part of the bundle");
  }
}

export const addFormats = { default: Ajv2020 };
export { addFormats as default };
