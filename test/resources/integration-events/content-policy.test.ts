import { expect, it } from 'vitest';
import type { IntegrationRow } from '../../../src/core/rows/integrations.ts';
import { contentPolicyOf } from '../../../src/resources/integration-events/content-policy.ts';

const policyOf = (contentSecurityPolicy: unknown): string =>
  contentPolicyOf({ looks: { contentSecurityPolicy } } as unknown as IntegrationRow);

/**
 * Returns the sandbox flags that a browser applies to a page: those of each policy in the header, and in each policy those of
 * the first directive of a name (CSP Level 3, sections 2.2.1 and 2.2.2).
 */
function sandboxOf(header: string): string[][] {
  return header.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/));
    const first = directives.find(([name]) => name === 'sandbox');
    return first === undefined ? [] : [first.slice(1)];
  });
}

it.each([
  ['a text', 'sandbox allow-same-origin allow-scripts'],
  ['a directive after another one', "default-src 'none'; sandbox allow-same-origin"],
  ['a second policy', 'img-src *, sandbox allow-same-origin allow-scripts'],
  ['capital letters', 'img-src *,SandBox allow-same-origin'],
  ['a line break', 'img-src *\n;\fsandbox\tallow-same-origin'],
  ['a map', { sandbox: 'allow-same-origin' }],
  ['the value of a map', { 'img-src': '*, sandbox allow-same-origin' }],
  ['a key of a map', { 'img-src *, sandbox': 'allow-same-origin' }],
])('pages of an integration never share the origin of the server, even with a policy in %s', (_, given) => {
  const sandboxes = sandboxOf(policyOf(given));
  expect(sandboxes).toHaveLength(1);
  expect(sandboxes[0]).toContain('allow-scripts');
  expect(sandboxes[0]).not.toContain('allow-same-origin');
});

it('other directives of an integration are kept, also after a comma', () => {
  expect(policyOf("default-src 'none', img-src https://a.example")).toMatch(
    /^sandbox allow-scripts .*; default-src 'none'; img-src https:\/\/a\.example$/,
  );
  expect(policyOf(undefined)).toMatch(/^sandbox allow-scripts [^;,]*$/);
});
