import { BtError, fileReason } from "../errors.ts";
import { localFile, type OpenedTracker, type OpenOptions, openTracker } from "../tracker/open.ts";

/**
 * Opens a tracker in this process. `another` is the option that selects another file, for hints.
 * @throws BtError of kind local if the data cannot be used
 */
export function openEmbeddedData(
  address: string,
  place: OpenOptions,
  another = "--base-url local:/path/to/file.db",
): OpenedTracker {
  try {
    return openTracker(address, place);
  } catch (error) {
    const where = localFile(address, place.dataDirectory);
    throw new BtError("local", `cannot open the tracker's data at ${where}`, {
      hint: `use another file: ${another}`,
      changed: "nothing",
      details: [fileReason(error)],
    });
  }
}
