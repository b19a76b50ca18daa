import type { CodeSample } from './stated-samples.ts';
import type { ContentView, OperationView } from './view-operation.ts';
import { isRecord } from '../contract/values.ts';
import { parseUrl } from '../contract/parse-url.ts';

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | undefined;
  /** The fields of a form, if the body is one. */
  readonly form?: Form | undefined;
}

interface Form {
  readonly isMultipart: boolean;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly isFile: boolean }[];
}

/**
 * Returns the samples of an operation from the specification. If it has none, creates a request with curl, in JavaScript, in
 * Python and as HTTP; webhooks get none.
 */
export function writeSamples(operation: OperationView): readonly CodeSample[] {
  if (operation.samples !== undefined) return operation.samples;
  if (operation.isWebhook) return [];
  const request = requestOf(operation);
  return [
    { label: 'curl', syntax: 'bash', code: writeCurl(request) },
    { label: 'JavaScript', syntax: 'javascript', code: writeJavaScript(request) },
    { label: 'Python', syntax: 'python', code: writePython(request) },
    { label: 'HTTP', syntax: 'http', code: writeHttp(request) },
  ];
}

function requestOf({ method, path, servers, parameters, security, body }: OperationView): Request {
  const fields = (place: string) => parameters.find((each) => each.place === place)?.fields ?? [];
  const required = (place: string) => fields(place).filter(({ isRequired }) => isRequired);
  const query = new URLSearchParams();
  for (const { name, samples } of required('query')) for (const value of samples) query.append(name, value);
  const cookies = required('cookie').map(({ name, samples }) => `${name}=${samples.join(',')}`);
  const headers: [string, string][] = required('header').map(({ name, samples }) => [
    name,
    samples.join(','),
  ]);
  const set = (name: string, value: string): void => {
    const at = headers.findIndex(([other]) => other.toLowerCase() === name.toLowerCase());
    headers.splice(at === -1 ? headers.length : at, 1, [name, value]);
  };
  for (const { place } of security[0] ?? []) {
    const [, kind, name = '', scheme] = /^(header|query|cookie) ([^:\s]+)(?:: (\S+))?$/.exec(place) ?? [];
    if (kind === 'header') set(name, scheme === undefined ? 'YOUR_API_KEY' : `${scheme} YOUR_SECRET_TOKEN`);
    if (kind === 'query') query.append(name, 'YOUR_API_KEY');
    if (kind === 'cookie') cookies.push(`${name}=YOUR_API_KEY`);
    if (/^O(?:Auth|penID)/.test(place)) set('Authorization', 'Bearer YOUR_SECRET_TOKEN');
  }
  if (cookies.length > 0) set('Cookie', cookies.join('; '));
  const [content] = body?.contents ?? [];
  const form = content === undefined ? undefined : formOf(content);
  if (content !== undefined) set('Content-Type', content.mediaType);
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return {
    method: method.toUpperCase(),
    url: `${absolute(servers[0] ?? '').replace(/\/$/, '')}${path}${search}`,
    // Clients themselves add the content type of a multipart form, with its boundary.
    headers: form?.isMultipart === true ? headers.filter(([name]) => !/^content-type$/i.test(name)) : headers,
    ...(form === undefined ? { body: content === undefined ? undefined : textOf(content) } : { form }),
  };
}

/** Returns the address of a server with a host: an example if it has none, because clients cannot send requests without it. */
function absolute(server: string): string {
  if (server.startsWith('//')) return `https:${server}`;
  return server === '' || server.startsWith('/') ? `https://api.example.com${server}` : server;
}

/** Returns the text of a body; undefined if there is only the JSON example of a schema for an XML body. */
function textOf({ mediaType, examples: [example] }: ContentView): string | undefined {
  return /\bxml\b/.test(mediaType) && isJsonText(example?.text ?? '') ? undefined : example?.text;
}

/** Returns the form of a body; undefined if the body is not a form, or its example has no fields. */
function formOf({ mediaType, schema, examples: [example] }: ContentView): Form | undefined {
  const [, kind] = /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.exec(mediaType) ?? [];
  const values: unknown =
    kind !== undefined && isJsonText(example?.text ?? '') ? JSON.parse(example?.text ?? '') : undefined;
  if (!isRecord(values)) return undefined;
  const files = new Set(
    schema.fields.filter((field) => /\b(binary|file)\b/.test(field.schema.type)).map(({ name }) => name),
  );
  return {
    isMultipart: kind?.toLowerCase() === 'multipart/form-data',
    fields: Object.entries(values).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
      isFile: files.has(name),
    })),
  };
}

function writeCurl({ method, url, headers, body, form }: Request): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`} ${quote(url)}`,
    ...headers.map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${quote(body)}`]),
    ...(form?.fields ?? []).map(({ name, value, isFile }) =>
      isFile
        ? `  -F ${quote(`${name}=@FILE`)}`
        : `  ${form?.isMultipart === true ? '--form-string' : '--data-urlencode'} ${quote(`${name}=${value}`)}`,
    ),
  ].join(' \\\n');
}

function writeJavaScript({ method, url, headers, body, form }: Request): string {
  const made = form?.isMultipart === true ? 'FormData' : 'URLSearchParams';
  const lines = (form?.fields ?? []).map(
    ({ name, value, isFile }) =>
      `form.append(${JSON.stringify(name)}, ${isFile ? 'file' : JSON.stringify(value)});\n`,
  );
  const isJson = body !== undefined && isJsonText(body);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
          '  },',
        ]),
    ...(body === undefined
      ? []
      : [`  body: ${isJson ? `JSON.stringify(${indent(body, 2)})` : JSON.stringify(body)},`]),
    ...(form === undefined ? [] : ['  body: form,']),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const top = form === undefined ? '' : `const form = new ${made}();\n${lines.join('')}\n`;
  return `${top}const response = await fetch(${JSON.stringify(url)}${call});\nconst data = await response.json();`;
}

function writePython({ method, url, headers, body, form }: Request): string {
  const fields = (form?.fields ?? []).map(({ name, value, isFile }) => {
    const plain = form?.isMultipart === true ? `(None, ${JSON.stringify(value)})` : JSON.stringify(value);
    return `        ${JSON.stringify(name)}: ${isFile ? 'open("FILE", "rb")' : plain},`;
  });
  const isJson = body !== undefined && isJsonText(body);
  const lines = [
    `    ${JSON.stringify(url)},`,
    ...(headers.length === 0
      ? []
      : [
          '    headers={',
          ...headers.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
          '    },',
        ]),
    ...(body === undefined
      ? []
      : [
          isJson ? `    json=${indent(pythonOf(JSON.parse(body)), 4)},` : `    data=${JSON.stringify(body)},`,
        ]),
    ...(form === undefined ? [] : [`    ${form.isMultipart ? 'files' : 'data'}={`, ...fields, '    },']),
  ];
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n${lines.join('\n')}\n)\nprint(response.json())`;
}

function writeHttp({ method, url, headers, body, form }: Request): string {
  const { host, pathname, search } = parseUrl(url) ?? { host: '', pathname: url, search: '' };
  const top = [
    `${method} ${decodePath(pathname)}${search} HTTP/1.1`,
    ...(host === '' ? [] : [`Host: ${host}`]),
  ];
  return [
    ...top,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
    ...(form === undefined ? [] : writeForm(form)),
  ].join('\n');
}

/** Returns the lines of a form after the other headers: the content type if it is multipart, an empty line, and the body. */
function writeForm({ isMultipart, fields }: Form): string[] {
  if (!isMultipart)
    return [
      '',
      new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString(),
    ];
  const parts = fields.flatMap(({ name, value, isFile }) => [
    '--BOUNDARY',
    `Content-Disposition: form-data; name="${name}"${isFile ? '; filename="FILE"' : ''}`,
    '',
    isFile ? '…' : value,
  ]);
  return ['Content-Type: multipart/form-data; boundary=BOUNDARY', '', ...parts, '--BOUNDARY--'];
}

/** Decodes a path, so that the braces of its parameters are readable. Returns it unchanged if it is not UTF-8. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Whether a text is JSON. */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

/** Returns a JSON value in Python syntax. */
function pythonOf(value: unknown, depth = 0): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const pad = '    '.repeat(depth + 1);
  const end = `\n${'    '.repeat(depth)}`;
  const parts = Array.isArray(value)
    ? value.map((each) => pad + pythonOf(each, depth + 1))
    : Object.entries(value).map(
        ([key, each]) => `${pad}${JSON.stringify(key)}: ${pythonOf(each, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}${end}${close}`;
}
