import { closeSync, fchmodSync, ftruncateSync, openSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../contract/exchange.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { escapeControls } from './output/escape-controls.ts';
import type { Runtime } from './runtime.ts';
import { redacted, redactSecrets } from './secret-texts.ts';

/** The line of --trace: method, path, status, time and request ID. */
export function traceLine({ method, url, status, milliseconds, requestId, failure }: Exchange): string {
  const { pathname, search } = new URL(redactUrl(url));
  const outcome = status === 0 ? 'no answer' : String(status);
  const end = requestId ?? (status === 0 ? failure : undefined);
  return escapeControls(
    redactSecrets(
      [method, pathname + search, outcome, `${milliseconds} ms`, ...(end === undefined ? [] : [end])].join(
        ' ',
      ),
    ),
  );
}

/** Collects exchanges for a HAR file. */
interface Recording {
  readonly add: (exchange: Exchange) => void;
  readonly save: () => void;
}

/** Opens the file of --record, readable for its owner only. @throws Problem(usage) */
export function startRecording({ cwd, version }: Runtime, path: string): Recording {
  const file = openRecord(resolve(cwd, path), path);
  const entries: object[] = [];
  return {
    add: (exchange) => void entries.push(entryOf(exchange)),
    save: () => {
      const log = { version: '1.2', creator: { name: 'docsctl', version }, entries };
      try {
        ftruncateSync(file, 0);
        writeFileSync(file, `${JSON.stringify({ log }, undefined, 2)}\n`);
      } catch (cause) {
        const { code = String(cause) } = cause as NodeJS.ErrnoException;
        throw new Problem('usage', `The file ${path} of --record could not be written (${code}).`, {
          hint: 'The command itself has finished. To record it, name a file on a disk that has space.',
          cause,
        });
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Opens a regular file to write. @throws Problem(usage) for anything else */
function openRecord(path: string, given: string): number {
  try {
    // Opening a pipe would wait for its reader.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) throw new Error('not a regular file');
    const file = openSync(path, 'w', 0o600);
    // A file that is there already keeps its mode.
    fchmodSync(file, 0o600);
    return file;
  } catch (cause) {
    throw new Problem('usage', `The file ${given || '""'} of --record cannot be written.`, {
      hint: 'Choose a regular file in a folder that exists.',
      cause,
    });
  }
}

/** An entry of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/). */
function entryOf(exchange: Exchange): object {
  const { method, startedAt, milliseconds, status, responseBody, failure, requestBody } = exchange;
  const url = redactUrl(exchange.url);
  const responseType = exchange.responseHeaders['content-type'] ?? '';
  const content = textOf(responseBody, responseType);
  const unknownSizes = { headersSize: -1, cookies: [], httpVersion: 'HTTP/1.1' };
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: milliseconds,
    request: {
      method,
      url,
      ...unknownSizes,
      headers: headersOf(exchange.requestHeaders),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      bodySize: requestBody === undefined ? 0 : Buffer.byteLength(requestBody),
      ...(requestBody !== undefined && {
        postData: { mimeType: 'application/json', text: redactText(requestBody) },
      }),
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? '',
      ...unknownSizes,
      headers: headersOf(exchange.responseHeaders),
      content: { size: responseBody.length, mimeType: responseType, ...content },
      redirectURL: exchange.responseHeaders['location'] ?? '',
      bodySize: responseBody.length,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    ...(failure !== undefined && { comment: redactSecrets(failure) }),
  };
}

const secretHeaders = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$/i;
/** Names of fields and query parameters that hold secrets, such as `token`, `signingSecret` and `privateKey`. */
const secretNames =
  /(token|secret|secrets|password|credential|credentials|private_?key|signing_?key|api_?key|authorization|code|verifier|assertion|key)$/i;

function headersOf(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => ({
    name,
    value: secretHeaders.test(name) ? redacted : value,
  }));
}

function redactUrl(text: string): string {
  const url = new URL(text);
  for (const name of new Set(url.searchParams.keys()))
    if (secretNames.test(name)) url.searchParams.set(name, redacted);
  return redactSecrets(url.href);
}

/** The text of an answer. Files and what is no text are left out. */
function textOf(bytes: Uint8Array, type: string): { readonly text?: string; readonly comment?: string } {
  if (bytes.length === 0) return { text: '' };
  if (!/json|text|yaml|xml/i.test(type)) return { comment: 'The content is not recorded.' };
  return { text: redactText(Buffer.from(bytes).toString()) };
}

/** A JSON text without the values of secrets. A text that is no JSON is left out, because secrets cannot be found in it. */
function redactText(text: string): string {
  try {
    return JSON.stringify(redact(JSON.parse(text)));
  } catch {
    return redacted;
  }
}

/** A value without its secrets. Of one that has the name of a secret, all texts are secrets. */
function redact(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? redacted : redactSecrets(value);
  if (Array.isArray(value)) return value.map((item) => redact(item, isSecret));
  if (!isRecord(value)) return value;
  // The address of a share link is all that a visitor needs.
  const isShareLink = value['object'] === 'share-link';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      redact(inner, isSecret || secretNames.test(key) || (isShareLink && key === 'urls')),
    ]),
  );
}
