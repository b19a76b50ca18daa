import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The failure that replaces the normal answer to a request. */
export type Fault = 'cut' | 'wrong-bytes' | 'close' | 503 | 429 | 403;

/** The keys and names that the server accepts. */
export const account = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'secret-of-the-test',
  region: 'eu-test-1',
};

/**
 * Starts an object store that speaks PUT, GET, HEAD and DELETE of the S3 protocol for the bucket "docs", by path or by
 * host. It computes each signature again from what it received, and refuses those that differ.
 */
export async function startS3Server() {
  const objects = new Map<string, Buffer>();
  const faults: Fault[] = [];
  const requests: string[] = [];
  const hosts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks), response));
  });
  const answer = (request: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '', 'http://x');
    requests.push(`${method} ${request.url}`);
    hosts.push(headers.host ?? '');
    const refuse = (status: number, code: string): void => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>x</Message></Error>`);
    };
    const fault = faults.shift();
    if (fault === 'close') return void request.socket.destroy();
    if (fault === 503) return refuse(503, 'SlowDown');
    if (fault === 429) return refuse(429, 'TooManyRequests');
    if (fault === 403) return refuse(403, 'AccessDenied');
    const problem = checkSignature(request, url, body);
    if (problem !== undefined) return refuse(403, problem);
    const [bucket, key] = place(headers.host ?? '', decodeURIComponent(url.pathname));
    if (bucket !== 'docs') return refuse(404, 'NoSuchBucket');
    if (method === 'PUT') {
      objects.set(key, body);
      return void response.writeHead(200, { etag: '"x"' }).end();
    }
    if (method === 'HEAD') return void response.writeHead(objects.has(key) ? 200 : 404).end();
    if (method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const object = objects.get(key);
    if (object === undefined) return refuse(404, 'NoSuchKey');
    const bytes = fault === 'wrong-bytes' ? Buffer.concat([object.subarray(1), Buffer.from('x')]) : object;
    response.writeHead(200, { 'content-length': bytes.length });
    if (fault !== 'cut') return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length - 1));
    setImmediate(() => request.socket.destroy());
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    objects,
    faults,
    requests,
    hosts,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Splits a URL into bucket and key. */
function place(host: string, path: string): readonly [string, string] {
  const byHost = /^([a-z0-9-]+)\.localhost(?::\d+)?$/.exec(host)?.[1];
  if (byHost !== undefined) return [byHost, path.slice(1)];
  const [, bucket = '', key = ''] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  return [bucket, key];
}

/** Computes the signature of a request as specified, and returns the error code if it differs. */
function checkSignature(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
): string | undefined {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [accessKeyId, day = '', region = '', service = '', end = ''] = credential.split('/');
  if (accessKeyId !== account.accessKeyId) return 'InvalidAccessKeyId';
  const date = String(headers['x-amz-date']);
  if (region !== account.region || service !== 's3' || end !== 'aws4_request' || !date.startsWith(day))
    return 'AuthorizationHeaderMalformed';
  const hash = createHash('sha256').update(body).digest('hex');
  if (headers['x-amz-content-sha256'] !== hash) return 'XAmzContentSHA256Mismatch';
  const signed = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
    return 'AccessDenied';
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    decodeURIComponent(url.pathname).split('/').map(encode).join('/'),
    query.join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hash,
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    date,
    `${day}/${region}/s3/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const sign = (key: string | Buffer, part: string): Buffer =>
    createHmac('sha256', key).update(part).digest();
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    sign,
    Buffer.from(`AWS4${account.secretAccessKey}`),
  );
  return sign(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
