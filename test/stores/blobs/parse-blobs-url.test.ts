import { describe, expect, it } from 'vitest';
import { parseBlobsUrl } from '../../../src/stores/blobs/parse-blobs-url.ts';

describe('parseBlobsUrl', () => {
  it.each([
    ['folder:blobs', '/srv/blobs'],
    ['folder:./x/../blobs', '/srv/blobs'],
    ['folder:/var/blobs', '/var/blobs'],
    ['folder:///var/blobs', '/var/blobs'],
  ])('reads %s as the folder %s', (text, path) => {
    expect(parseBlobsUrl(text, { cwd: '/srv' })).toEqual({ kind: 'folder', path });
  });

  it('returns the same URL for every way to write a bucket', () => {
    const parse = (text: string, region?: string) => parseBlobsUrl(text, { cwd: '/', region });
    expect(parse('s3://docs')).toEqual({
      kind: 's3',
      url: 's3://docs/?endpoint=https://s3.us-east-1.amazonaws.com&region=us-east-1&style=host',
      bucket: 'docs',
      prefix: '',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
      style: 'host',
    });
    const minio = parse('s3://docs/a//b?endpoint=http://10.0.0.1:9000/&region=eu');
    expect(minio).toMatchObject({
      url: 's3://docs/a/b/?endpoint=http://10.0.0.1:9000&region=eu&style=path',
      prefix: 'a/b/',
    });
    expect(parse('s3://docs/a/b/?style=path&region=eu&endpoint=http://10.0.0.1:9000')).toEqual(minio);
    expect(parse((minio as { url: string }).url, 'other')).toEqual(minio);
    expect(parse('s3://docs', 'eu-west-1')).toMatchObject({ endpoint: 'https://s3.eu-west-1.amazonaws.com' });
    expect(parse('s3://my.docs')).toMatchObject({ style: 'path' });
  });

  it.each([
    ['blobs', 'names neither a folder nor a bucket'],
    ['folder:', 'names neither'],
    ['s3://', 'has a bucket whose name is not valid'],
    ['s3://Docs', 'has a bucket whose name is not valid'],
    ['s3://docs#x', 'has a bucket whose name is not valid'],
    ['s3://docs/a b', 'has a prefix'],
    ['s3://docs/../x', 'has a prefix'],
    ['s3://docs?key=x', 'has the unknown setting "key"'],
    ['s3://docs?region=a/b', 'has a region that is not valid'],
    ['s3://docs?style=x', 'has a style'],
    ['s3://docs?endpoint=ftp://x', 'has an endpoint that is not'],
    ['s3://docs?endpoint=https://x/y', 'has an endpoint with a path'],
  ])('refuses %s', (text, why) => {
    expect(() => parseBlobsUrl(text, { cwd: '/' })).toThrow(`The location of large files, "${text}", ${why}`);
  });

  it('never shows a password', () => {
    for (const text of ['s3://user:canary@docs', 's3://docs?endpoint=https://user:canary@x'])
      expect(() => parseBlobsUrl(text, { cwd: '/' })).toThrow(/^(?!.*canary)/);
  });
});
