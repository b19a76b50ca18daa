import { closeSync, fchmodSync, ftruncateSync, openSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../contract/exchange.ts';
import { checkDepth } from '../contract/limits.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { escapeControls } from './output/escape-controls.ts';
import type { Runtime } from './runtime.ts';
import { redacted, redactSecrets, secretNames } from './secret-texts.ts';

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
  const responseType = exchange.responseHeaders['content-type'] ?? '';
  const sent = requestBody === undefined ? undefined : readJson(requestBody);
  const answered = isText(responseType) ? readJson(Buffer.from(responseBody).toString()) : undefined;
  const hide = hiding([...secretsIn(exchange.url), ...secretFields(sent), ...secretFields(answered)]);
  const url = hide(redactUrl(exchange.url));
  const unknownSizes = { headersSize: -1, cookies: [], httpVersion: 'HTTP/1.1' };
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: milliseconds,
    request: {
      method,
      url,
      ...unknownSizes,
      headers: headersOf(exchange.requestHeaders, hide),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      bodySize: requestBody === undefined ? 0 : Buffer.byteLength(requestBody),
      ...(requestBody !== undefined && {
        postData: { mimeType: 'application/json', text: redactText(sent, hide) },
      }),
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? '',
      ...unknownSizes,
      headers: headersOf(exchange.responseHeaders, hide),
      content: {
        size: responseBody.length,
        mimeType: responseType,
        ...(responseBody.length === 0
          ? { text: '' }
          : isText(responseType)
            ? { text: redactText(answered, hide) }
            : { comment: 'The content is not recorded.' }),
      },
      redirectURL: hide(exchange.responseHeaders['location'] ?? ''),
      bodySize: responseBody.length,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    ...(failure !== undefined && { comment: hide(failure) }),
  };
}

const secretHeaders = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$/i;

type Hide = (text: string) => string;

function headersOf(headers: Readonly<Record<string, string>>, hide: Hide): object[] {
  return Object.entries(headers).map(([name, value]) => ({
    name,
    value: secretHeaders.test(name) ? redacted : hide(value),
  }));
}

/** Replaces secrets by their form, and the given ones wherever they occur, such as the key of a share link in an address. */
function hiding(secrets: readonly string[]): Hide {
  const found = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
  // A secret may contain another one.
  found.sort((one, other) => other.length - one.length);
  return (text) => redactSecrets(found.reduce((rest, secret) => rest.replaceAll(secret, redacted), text));
}

/** Shorter values are words that occur by chance. */
const minSecret = { parameter: 8, field: 16 };

/** The values of the query parameters with the name of a secret. */
function secretsIn(url: string): string[] {
  return [...new URL(url).searchParams].flatMap(([name, value]) =>
    secretNames.test(name) && value.length >= minSecret.parameter ? [value] : [],
  );
}

/** The texts of all fields with the name of a secret, however deep. */
function secretFields(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretFields);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string'
      ? secretNames.test(key) && inner.length >= minSecret.field
        ? [inner]
        : []
      : secretFields(inner),
  );
}

function redactUrl(text: string): string {
  const url = new URL(text);
  const shown = [...url.searchParams].map(([name, value]): [string, string] => [
    name,
    secretNames.test(name) ? redacted : redactSecrets(value),
  ]);
  const search = new URLSearchParams(shown).toString();
  if (search !== url.searchParams.toString()) url.search = search;
  return redactSecrets(url.href);
}

/** Whether the content of an answer is recorded. */
function isText(type: string): boolean {
  return /json|text|yaml|xml/i.test(type);
}

/** The value of a JSON text; undefined for another text and for one that is nested too deep to be searched. */
function readJson(text: string): unknown {
  try {
    checkDepth(text);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON text without the values of secrets. A text that is no JSON is left out, because secrets cannot be found in it. */
function redactText(value: unknown, hide: Hide): string {
  return value === undefined ? redacted : JSON.stringify(redact(value, hide));
}

/** A value without its secrets. Of one that has the name of a secret, all texts are secrets. */
function redact(value: unknown, hide: Hide, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? redacted : hide(value);
  if (Array.isArray(value)) return value.map((item) => redact(item, hide, isSecret));
  if (!isRecord(value)) return value;
  // The address of a share link is all that a visitor needs.
  const isShareLink = value['object'] === 'share-link';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      redact(inner, hide, isSecret || secretNames.test(key) || (isShareLink && key === 'urls')),
    ]),
  );
}
