/** The body of an error reply; `error` decides, not the HTTP status. */
export type Failure = {
  readonly error: true;
  readonly code: number;
  readonly message: string;
  readonly documentation?: string;
};
