import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../../contract/exchange.ts';
import { parseJson } from '../../contract/limits.ts';
import { isRecord } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Runtime } from '../runtime.ts';
import { checkFree, replaceFile } from '../results/save-file.ts';
import { redacted, redactSecrets, secretNames } from './secret-texts.ts';

/** Formats a line of --trace: method, path, status, time and request ID. */
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

/**
 * Starts a recording. Its file is written completely when the recording ends, and only its owner can read it.
 * @throws Problem(invalid-input), Problem(guard-refused) if the file cannot be written, or is a link or another file
 */
export function startRecording({ cwd, version, randomBytes }: Runtime, given: string): Recording {
  const path = resolve(cwd, given);
  checkRecord(path, given);
  const entries: object[] = [];
  return {
    add: (exchange) => void entries.push(entryOf(exchange)),
    save: () => {
      const log = { version: '1.2', creator: { name: 'docsctl', version }, entries };
      checkRecord(path, given);
      try {
        replaceFile(path, Buffer.from(`${JSON.stringify({ log }, undefined, 2)}\n`), randomBytes, 0o600);
      } catch (cause) {
        const { code = String(cause) } = cause as NodeJS.ErrnoException;
        throw new Problem('invalid-input', `The file ${given} of --record could not be written (${code}).`, {
          hint: 'The command itself has finished. Check the folder of the file and the free space of the disk.',
          cause,
        });
      }
    },
  };
}

/** Checks that a recording can be written to a path, and would replace only another recording. @throws Problem */
function checkRecord(path: string, given: string): void {
  const hint =
    '--record replaces only empty files and recordings of docsctl. Move the file away, or name another one.';
  try {
    checkFree(path, given, isRecording(path), hint);
    if (!statSync(dirname(path)).isDirectory()) throw new Error('not a folder');
    accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    if (cause instanceof Problem && cause.reason === 'guard-refused') throw cause;
    throw new Problem('invalid-input', `The file ${given || '""'} of --record cannot be written.`, {
      hint: 'Choose a regular file in a folder that exists.',
      cause,
    });
  }
}

/** The start of every recording. */
const recordingStart = /^\{\s*"log":\s*\{\s*"version":\s*"1\.2",\s*"creator":\s*\{\s*"name":\s*"docsctl"/;

/** Whether a file is empty, for example from mktemp, or starts like a recording of docsctl. */
function isRecording(path: string): boolean {
  try {
    // Opening a pipe would otherwise wait for its writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const start = Buffer.alloc(200);
      const length = readSync(file, start, 0, start.length, 0);
      return length === 0 || recordingStart.test(start.toString('utf8', 0, length));
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
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

/**
 * Returns a function that replaces secrets by their form, and the given ones anywhere, such as the key of a share link in a URL.
 */
function hiding(secrets: readonly string[]): Hide {
  const found = [
    ...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])),
  ];
  // Longer ones first, because a secret may contain another one.
  found.sort((one, other) => other.length - one.length);
  return (text) => redactSecrets(found.reduce((rest, secret) => rest.replaceAll(secret, redacted), text));
}

/** Minimum length of secrets. Shorter values may be normal words. */
const minSecret = { parameter: 8, field: 16 };

/** Returns the values of query parameters with a secret name (`secretNames`). */
function secretsIn(url: string): string[] {
  return [...new URL(url).searchParams].flatMap(([name, value]) =>
    secretNames.test(name) && value.length >= minSecret.parameter ? [value] : [],
  );
}

/** Returns the texts of all fields with a secret name, at any depth. */
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

/** Parses JSON text; undefined if it is not JSON or nested too deeply to be searched. */
function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Removes secrets from JSON text. Other text is left out completely, because secrets cannot be found in it. */
function redactText(value: unknown, hide: Hide): string {
  return value === undefined ? redacted : JSON.stringify(redact(value, hide));
}

/** Returns a value without its secrets. In a field with a secret name, all texts are secrets. */
function redact(value: unknown, hide: Hide, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? redacted : hide(value);
  if (Array.isArray(value)) return value.map((item) => redact(item, hide, isSecret));
  if (!isRecord(value)) return value;
  // Anyone with the URL of a share link can visit the site.
  const isShareLink = value['object'] === 'share-link';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      redact(inner, hide, isSecret || secretNames.test(key) || (isShareLink && key === 'urls')),
    ]),
  );
}
