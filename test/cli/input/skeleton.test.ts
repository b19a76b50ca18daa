import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { skeletonText } from '../../../src/cli/input/skeleton.ts';
import { violationsOf } from '../../../src/contract/check.ts';
import { isOperation, type Operation } from '../../../src/contract/operation.ts';
import { nouns } from '../../../src/resources/index.ts';
import { docsctl } from '../../support/cli.ts';

const operations: Operation[] = [];
for (const { contract } of nouns) operations.push(...Object.values(await contract()).filter(isOperation));
const withBody = operations.filter(({ body }) => body !== undefined).map((one) => [one.id, one] as const);

/** Finds mistakes in a body, except values that a user still has to choose. */
const faultsOf = ({ body }: Operation, text: string) =>
  violationsOf(body!, parse(text), '').filter(({ message }) => /known field|is required/.test(message));

describe('--skeleton', () => {
  it.each(withBody)('%s: the template is valid, with and without its optional fields', (_, operation) => {
    const text = skeletonText(operation);
    expect(faultsOf(operation, text)).toEqual([]);
    expect(text.includes('Remove the #')).toBe(/^#\w/m.test(text));
    expect(faultsOf(operation, text.replace(/^#(?! )/gm, ''))).toEqual([]);
  });

  it('shows the command with the arguments that it needs', () => {
    const text = skeletonText(operations.find(({ id }) => id === 'sites.share-links.update')!);
    expect(text).toContain('#   docsctl sites share-links update SHARE-LINK --site SITE --body FILE\n');
  });

  it('shows a value that the request accepts, even if another value of the same schema is refused', () => {
    const text = skeletonText(operations.find(({ id }) => id === 'orgs.update')!);
    expect(text).toContain('#mergeRules:\n#  type: none\n');
  });

  it('prints the template and sends nothing, without a store', async () => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-skeleton-'));
    const run = (...words: string[]) => docsctl(['spaces', 'create', '--skeleton', ...words], { home });
    const { exit, stdout } = await run();
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^# The body of `docsctl spaces create`/);
    expect(JSON.parse((await run('-o', 'json')).stdout)).toMatchObject({ title: 'text' });
  });

  it.each([
    'translations create',
    'translations update',
    'saml create',
    'saml update',
    'integrations publish',
  ])('prints the template of docsctl %s, which is not a single operation', async (words) => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-skeleton-'));
    const { exit, stdout } = await docsctl([...words.split(' '), '--skeleton'], { home });
    expect(exit).toBe(0);
    expect(stdout).toContain(`# The body of \`docsctl ${words}\`. `);
  });
});
