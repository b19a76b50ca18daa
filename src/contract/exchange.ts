/** One request and its answer, for --trace and --record. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: Uint8Array;
  readonly requestId: string | undefined;
  readonly failure: string | undefined;
}

/** A request that is sent unchanged, whether or not its operation is declared. */
export interface RawRequest {
  readonly method: string;
  /** Path and query below the base of the API: `/orgs?limit=5`. */
  readonly path: string;
  /** A JSON text. */
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** The successful answer to a raw request. Errors are thrown as problems. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly fileName: string | undefined;
  readonly bytes: Uint8Array;
}

/** The successful answer to a raw request. Its body can be read while it arrives. */
export interface StreamedAnswer {
  readonly contentType: string | undefined;
  /**
   * The bytes. The iteration throws if the connection ends before the answer is complete. Read it to the end, or stop it with
   * `return`.
   */
  readonly body: AsyncIterable<Uint8Array>;
}
