import { AwsV4Signer } from 'aws4fetch';
import type { BlobStorage } from '../../core/blob-storage.ts';
import { isoTime, type Clock } from '../../core/clock.ts';
import type { Outgoing, OutgoingAnswer } from '../../core/outgoing.ts';
import { sha256 } from '../../content/hashing.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import type { S3Location } from './parse-blobs-url.ts';

/** The credentials that sign the requests to an object store. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface S3Options {
  readonly credentials: S3Credentials;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A request to the object store. `key` is the key of an object below the prefix. */
interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly body?: Uint8Array;
}

/** Milliseconds before each retry. A request that timed out is not sent again, because its client is waiting. */
const delays = [200, 1000, 3000];
/** Milliseconds for one request, and for one that sends a file. A file has at most 10 MiB. */
const timeout = 30_000;
const timeoutToPut = 60_000;
const maxBytes = 256 * 1024 * 1024;
const secondsToRetry = 5;

/** Opens a bucket of an object store with the Amazon S3 protocol (signature version 4). */
export function openS3Blobs(location: S3Location, options: S3Options): BlobStorage {
  const send = (request: S3Request): Promise<OutgoingAnswer> => exchange(location, options, request);
  return {
    url: location.url,
    put: async (key, bytes) => {
      const answer = await send({ method: 'PUT', key, body: bytes });
      if (answer.status !== 200) throw refused(location, 'PUT', answer);
    },
    get: async (key) => {
      const answer = await send({ method: 'GET', key });
      if (answer.status === 200)
        return Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
      if (answer.status === 404 && errorCode(answer) !== 'NoSuchBucket') return undefined;
      throw refused(location, 'GET', answer);
    },
    has: async (key) => {
      const answer = await send({ method: 'HEAD', key });
      if (answer.status !== 200 && answer.status !== 404) throw refused(location, 'HEAD', answer);
      return answer.status === 200;
    },
    remove: async (key) => {
      const answer = await send({ method: 'DELETE', key });
      if (
        ![200, 204].includes(answer.status) &&
        !(answer.status === 404 && errorCode(answer) === 'NoSuchKey')
      )
        throw refused(location, 'DELETE', answer);
    },
  };
}

/** Sends a request, and repeats it after transient failures. @throws Problem(store-failed) if the last attempt fails */
async function exchange(
  location: S3Location,
  options: S3Options,
  request: S3Request,
): Promise<OutgoingAnswer> {
  for (let attempt = 0; ; attempt++) {
    const delay = delays[attempt];
    try {
      const answer = await sendOnce(location, options, request);
      const mayPass = answer.status >= 500 || answer.status === 429 || answer.status === 408;
      if (!mayPass) return answer;
      if (delay === undefined)
        throw away(location, `answered with ${answer.status} ${errorCode(answer) ?? ''}`.trimEnd());
    } catch (error) {
      if (isProblem(error, 'interrupted', 'store-failed')) throw error;
      const mayPass = isProblem(error, 'unreachable', 'timed-out') || isCut(error);
      if (!mayPass) throw error;
      if (delay === undefined || isProblem(error, 'timed-out'))
        throw away(location, `failed: ${(error as Error).message.replace(/\.$/, '')}`, error);
    }
    await options.wait(delay);
  }
}

async function sendOnce(
  { endpoint, bucket, prefix, region, style }: S3Location,
  { credentials, outgoing, clock }: S3Options,
  { method, key, body }: S3Request,
): Promise<OutgoingAnswer> {
  const url = new URL(endpoint);
  if (style === 'host') url.hostname = `${bucket}.${url.hostname}`;
  url.pathname = style === 'host' ? `/${prefix}${key}` : `/${bucket}/${prefix}${key}`;
  const signed = await new AwsV4Signer({
    ...credentials,
    sessionToken: credentials.sessionToken ?? '',
    method,
    url: url.href,
    service: 's3',
    region,
    datetime: isoTime(clock()).replace(/[:-]|\.\d{3}/g, ''),
    headers: { 'x-amz-content-sha256': sha256(body ?? '') },
  }).sign();
  return outgoing({
    url: signed.url.href,
    method,
    headers: Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>),
    ...(body === undefined ? {} : { body }),
    maxRedirects: 0,
    maxBytes,
    timeout: body === undefined ? timeout : timeoutToPut,
    trusted: true,
  });
}

/** Whether a connection ended before the answer was complete. */
function isCut(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(UND_ERR_|HPE_|ECONNRESET$|EPIPE$)/.test(code);
}

function away({ url }: S3Location, what: string, cause?: unknown): Problem {
  return new Problem('store-failed', `The blob storage ${url} ${what}.`, {
    hint: 'Check that the object store runs and can be reached from here, then try again.',
    retryAfter: secondsToRetry,
    cause,
  });
}

function refused({ url }: S3Location, what: string, answer: OutgoingAnswer): Problem {
  const code = errorCode(answer);
  const hint =
    answer.status === 403
      ? 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the clock of this machine, and that the key may read, write and delete objects and list the bucket.'
      : code === 'NoSuchBucket'
        ? 'Create the bucket, or correct DOCSCTL_BLOBS.'
        : 'Check the bucket, the region and the endpoint in DOCSCTL_BLOBS.';
  return new Problem(
    'store-failed',
    `The blob storage ${url} refused ${what} with ${answer.status}${code === undefined ? '' : ` ${code}`}.`,
    { hint },
  );
}

/** The code of an error, such as NoSuchKey. */
function errorCode(answer: OutgoingAnswer): string | undefined {
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(textOf(answer).slice(0, 4096))?.[1];
}

function textOf({ bytes }: OutgoingAnswer): string {
  return new TextDecoder().decode(bytes);
}
