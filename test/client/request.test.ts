import { describe, expect, it } from 'vitest';
import { isLoopback, readServer, requestPath } from '../../src/client/request.ts';
import { Problem } from '../../src/errors/problem.ts';
import { getThing, listThings, thing } from './far-server.ts';

describe('the server address', () => {
  it.each([
    ['https://docs.example.com', 'https://docs.example.com', '/v1'],
    ['https://docs.example.com/', 'https://docs.example.com', '/v1'],
    ['https://docs.example.com/v1', 'https://docs.example.com', '/v1'],
    ['https://docs.example.com/api/v1//', 'https://docs.example.com', '/api/v1'],
    ['HTTP://LOCALHOST:80/api', 'http://localhost', '/api/v1'],
  ])('%s is accepted', (server, origin, prefix) => {
    expect(readServer(server)).toEqual({ origin, prefix });
  });

  it.each([
    '',
    'docs.example.com',
    'ftp://docs.example.com',
    'file:///etc/passwd',
    'https://me:secret@docs.example.com',
    'https://secret@docs.example.com',
    'https://docs.example.com/?secret=1',
    'https://docs.example.com/#secret',
  ])('%s is refused, and not quoted', (server) => {
    const read = () => readServer(server);
    expect(read).toThrow(Problem);
    expect(read).toThrow(
      expect.objectContaining({ reason: 'invalid-input', message: expect.not.stringContaining('secret') }),
    );
  });

  it.each([
    ['docs.example.com', 'https://docs.example.com'],
    ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['dctl_yYHHJhhBNzwKGBrY4We9', 'such as https://docs.example.com'],
    ['eyJhbGciOi.eyJzdWIi.sig', 'such as https://docs.example.com'],
  ])('%s is refused with a hint how to write an address', (server, hint) => {
    expect(() => readServer(server)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(hint) }),
    );
  });

  it('is refused with the name of its setting, and with a port that is too large', () => {
    const address = 'The server address (from DOCSCTL_SERVER)';
    expect(() => readServer('nope', 'DOCSCTL_SERVER')).toThrow(`${address} is not an http or https URL.`);
    expect(() => readServer('http://127.0.0.1:450331', 'DOCSCTL_SERVER')).toThrow(
      `${address} has the port 450331, but ports go up to 65535.`,
    );
  });

  it.each([
    ['http://127.0.0.1:80', true],
    ['http://127.9.9.9', true],
    ['http://[::1]:8080', true],
    ['http://localhost', true],
    ['http://127.0.0.1.example.com', false],
    ['http://localhost.example.com', false],
    ['http://10.0.0.1', false],
  ])('%s is on this machine: %s', (origin, expected) => {
    expect(isLoopback(origin)).toBe(expected);
  });
});

describe('requestPath', () => {
  it('omits query values that are missing', () => {
    expect(
      requestPath(listThings, { params: { organizationId: 'o' }, query: { tag: [], page: 'a=b&c' } }),
    ).toBe('/orgs/o/things?page=a%3Db%26c');
  });

  it.each(['', '.', '..', '\ud800'])('refuses the ID %j, which would change the path', (thingId) => {
    expect(() => requestPath(getThing, { params: { ...thing.params, thingId } })).toThrow(
      expect.objectContaining({
        reason: 'invalid-input',
        violations: [expect.objectContaining({ path: '/params/thingId' })],
      }),
    );
  });

  it('encodes IDs, so that they cannot change the path', () => {
    expect(requestPath(getThing, { params: { organizationId: '../../x', thingId: 'a?b#c%2f$&' } })).toBe(
      '/orgs/..%2F..%2Fx/things/a%3Fb%23c%252f%24%26',
    );
  });
});
