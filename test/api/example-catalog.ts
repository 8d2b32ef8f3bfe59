import { buildCatalog } from "../../src/api/catalog/catalog.ts";
import type { Field } from "../../src/wire/resources.ts";
import fields from "./fields.json" with { type: "json" };

/** The catalog of the recorded tracker, as a client makes it from the fields endpoint. */
export const exampleCatalog = buildCatalog(fields as readonly Field[]);

/** A fixed time and zone to read dates against. */
export const exampleContext = { catalog: exampleCatalog, now: new Date("2026-11-20T04:34:52Z"), zone: "UTC" };
