/** A request to another server, at an address that a user or the operator has set. */
export interface OutgoingRequest {
  /** An http or https URL without a user name and password. */
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Maximum number of redirects (default 3). Each new address is checked. Use 0 for requests that contain a secret. */
  readonly maxRedirects?: number;
  /** Maximum size of the answer in bytes (default 10 MiB). */
  readonly maxBytes?: number;
  /** Return the answer as soon as the status and the headers have arrived, with an empty body. */
  readonly headersOnly?: true;
  /** Milliseconds for the whole exchange (default 15,000). */
  readonly timeout?: number;
  /** The operator has set the address, so it may be a private one. */
  readonly trusted?: true;
  readonly signal?: AbortSignal;
}

/** The answer to an outgoing request, with any status. */
export interface OutgoingAnswer {
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** The URL that answered, after redirects. */
  readonly url: string;
}

/**
 * Sends a request to another server. All requests of handlers and engines use it.
 *
 * @throws Problem(forbidden) for an address that is private, link-local, of this machine or not http(s);
 * Problem(unreachable), Problem(timed-out), Problem(too-large), Problem(interrupted)
 */
export type Outgoing = (request: OutgoingRequest) => Promise<OutgoingAnswer>;

/**
 * Checks an address as `Outgoing` does, but without resolving its host name.
 *
 * @throws Problem(forbidden)
 */
export type AddressCheck = (url: string) => Promise<void>;
