import { resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** A bucket of an object store, or a prefix in it. */
export interface S3Location {
  readonly kind: 's3';
  /** A normalized URL without credentials. */
  readonly url: string;
  readonly bucket: string;
  /** The start of the keys of all objects; empty or ends with a slash. */
  readonly prefix: string;
  readonly endpoint: string;
  readonly region: string;
  /** Whether requests name the bucket in the path or in the host name. */
  readonly style: 'path' | 'host';
}

/** The location of a blob storage. */
type BlobLocation = { readonly kind: 'folder'; readonly path: string } | S3Location;

const hint =
  'Write it as folder:PATH or as s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION. If DOCSCTL_BLOBS is not set, files are kept in the store; `docsctl store move-blobs store` moves them back.';

/**
 * Parses the location of large files, such as the value of DOCSCTL_BLOBS. Relative paths start from `cwd`.
 * @throws Problem(invalid-input)
 */
export function parseBlobsUrl(
  text: string,
  { cwd, region }: { cwd: string; region?: string | undefined },
): BlobLocation {
  const folder = /^folder:(?:\/\/)?(.+)$/s.exec(text)?.[1];
  if (folder !== undefined) return { kind: 'folder', path: resolve(cwd, folder) };
  const [, bucket = '', rest = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?(?=\?|$)/.exec(text) ?? [];
  if (bucket === '')
    throw wrong(
      text,
      text.startsWith('s3://')
        ? 'has a bucket whose name is not valid'
        : 'names neither a folder nor a bucket',
    );
  const names = rest.split('/').filter((name) => name !== '');
  if (!names.every((name) => /^[\w!.*'()-]+$/.test(name) && !/^\.+$/.test(name)))
    throw wrong(text, "has a prefix with characters other than letters, digits and - _ . ! * ' ( )");
  const query = new URLSearchParams(text.includes('?') ? text.slice(text.indexOf('?') + 1) : '');
  const unknown = [...query.keys()].find((name) => !['endpoint', 'region', 'style'].includes(name));
  if (unknown !== undefined) throw wrong(text, `has the unknown setting "${unknown}"`);
  const ownRegion = query.get('region') ?? region ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,64}$/i.test(ownRegion)) throw wrong(text, 'has a region that is not valid');
  const given = query.get('endpoint');
  const endpoint = given === null ? `https://s3.${ownRegion}.amazonaws.com` : readEndpoint(text, given);
  const style = query.get('style') ?? (given === null && !bucket.includes('.') ? 'host' : 'path');
  if (style !== 'path' && style !== 'host') throw wrong(text, 'has a style other than path and host');
  const prefix = names.length === 0 ? '' : `${names.join('/')}/`;
  const shown = new URLSearchParams({ endpoint, region: ownRegion, style }).toString();
  const url = `s3://${bucket}/${prefix}?${decodeURIComponent(shown)}`;
  return { kind: 's3', url, bucket, prefix, endpoint, region: ownRegion, style };
}

function readEndpoint(text: string, endpoint: string): string {
  const url = parseUrl(endpoint);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw wrong(text, 'has an endpoint that is not an http or https address without a user name');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw wrong(text, 'has an endpoint with a path');
  return url.origin;
}

/** The value may contain a password, so it is not repeated. */
function wrong(text: string, why: string): Problem {
  const shown = `The location of large files${text.includes('@') ? '' : `, "${text.slice(0, 200)}",`}`;
  return new Problem('invalid-input', `${shown} ${why}.`, { hint });
}
