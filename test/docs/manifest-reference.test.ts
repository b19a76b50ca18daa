import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { blocksOf, toManifestReference } from '../../.scripts/manifest-reference.js';
import { jobFields } from '../../src/cli/manifest/read-jobs.ts';
import { manifestSchema } from '../../src/manifest/block-schema.ts';
import { withContent, type ContentEngine } from '../../src/manifest/content.ts';
import { kinds } from '../../src/manifest/kinds/index.ts';
import { readDesired } from '../../src/manifest/read-desired.ts';
import { folderOf, readFolder } from '../manifest/read/folder.ts';
import { makeCertificate } from '../saml/certificate-maker.ts';

const page = fileURLToPath(new URL('../../docs/manifest-reference.md', import.meta.url));
const engine: Partial<ContentEngine> = { refusal: () => undefined };
const table = withContent(kinds, engine as ContentEngine);
const schema = manifestSchema(table, jobFields);
const blocks = blocksOf(table, schema);

/** `npx vitest run test/docs -u` updates the page. */
it('docs/manifest-reference.md describes every block of a manifest', async () => {
  await expect(toManifestReference(table, schema)).toMatchFileSnapshot(page);
});

it('docs/manifest-reference.md describes every field in a phrase', () => {
  const wrong = blocks.flatMap(({ title, rows }) =>
    rows.flatMap(({ name, description = '' }) =>
      /^[a-zA-Z!].{5,}[^.]$/.test(description) ? [] : [`${title} ${name}: ${description}`],
    ),
  );
  expect(wrong).toEqual([]);
});

it.each(blocks)('$title has a valid example', async ({ title, example }) => {
  const folder = folderOf({});
  writeFileSync(
    join(folder, 'okta.pem'),
    makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  );
  writeFileSync(join(folder, 'org.yaml'), `version: 1\n${example}\n`);
  const { byAddress, beside } = readDesired((await readFolder(folder)).root, table, jobFields);
  const [last = ''] = /[a-zA-Z]+(?=[.[\]A-Z`]*$)/.exec(title.replaceAll(/\.(NAME|EMAIL)|\[\]/g, '')) ?? [];
  expect(example).toContain(`${last}:`);
  expect(byAddress.size + beside.size).toBeGreaterThan(0);
});

it('docs/manifests.md links to the manifest reference', () => {
  const guide = readFileSync(fileURLToPath(new URL('../../docs/manifests.md', import.meta.url)), 'utf8');
  expect(guide).toContain('(manifest-reference.md)');
});
