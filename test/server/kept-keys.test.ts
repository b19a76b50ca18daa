import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { KeptAnswers } from '../../src/server/kept-answers.ts';

it('responses to very long addresses are not cached', () => {
  const keyOf = (isProxied: boolean, url: string, headers: Readonly<Record<string, string>> = {}) => {
    const all = { host: 'docs.test', ...headers };
    const rawHeaders = Object.entries(all).flat();
    const request = { method: 'GET', url, headers: all, rawHeaders, socket: { remoteAddress: '::1' } };
    return new KeptAnswers({}, isProxied).keyOf(request as unknown as IncomingMessage);
  };
  const long = 'x'.repeat(2000);
  expect(keyOf(false, '/sites/acme/docs/setup')).toContain('/sites/acme/docs/setup');
  expect(keyOf(false, `/sites/acme/docs${'/'.repeat(2000)}setup`)).toBeUndefined();
  expect(keyOf(false, '/', { host: long })).toBeUndefined();
  expect(keyOf(true, '/', { 'x-forwarded-host': 'docs.example' })).toContain('docs.example');
  expect(keyOf(true, '/', { 'x-forwarded-host': long })).toBeUndefined();
});
