import { describe, expect, it } from 'vitest';
import { createAllowedMethods } from '../../src/server/routes.ts';

const allowed = createAllowedMethods([
  { method: 'GET', url: '/v1/spaces/:spaceId' },
  { method: 'HEAD', url: '/v1/spaces/:spaceId' },
  { method: 'DELETE', url: '/v1/spaces/:spaceId' },
  { method: 'POST', url: '/v1/spaces/search' },
  { method: 'PUT', url: '/v1/spaces/:spaceId/content' },
]);

describe('createAllowedMethods', () => {
  it.each([
    ['/v1/spaces/a', ['DELETE', 'GET', 'HEAD']],
    ['/v1/spaces/search', ['DELETE', 'GET', 'HEAD', 'POST']],
    ['/v1/spaces/a/content', ['PUT']],
    ['/v1/spaces/', []],
    ['/v1/spaces', []],
    ['/v1/spaces/a/b', []],
    ['', []],
  ])('returns for %j the methods %j', (path, methods) => expect(allowed(path)).toEqual(methods));
});
