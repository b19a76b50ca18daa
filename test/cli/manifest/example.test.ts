import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
  // The example would adopt an existing space with the same title as its own.
  await desk.done(['spaces', 'update', 'Guide', '--title', 'Handbook']);
  cpSync(fileURLToPath(new URL('../../../examples/organization', import.meta.url)), desk.at('organization'), {
    recursive: true,
  });
});
afterAll(() => desk.discard());

it('the example of the README can be applied, and then has an empty plan', async () => {
  expect((await desk.run(['validate', '-f', 'organization'])).stdout).toMatch(
    /^Valid: \d+ resources and 1 import in 4 files/,
  );
  const first = await desk.run(['apply', '-f', 'organization', '-y']);
  expect(first.stderr).toMatch(
    /\n\d+ done, 0 failed, 0 skipped, 0 unsupported; 0 unchanged\. Imports: 60 new, 0 changed, 0 unchanged, 0 failed\.\n$/,
  );
  expect(first.exit).toBe(0);
  expect(await desk.run(['plan', '-f', 'organization', '--detailed-exitcode'])).toMatchObject({
    exit: 0,
    stdout: 'No changes.\nImports: nothing new in 1 file.\n',
  });
  expect(
    (await desk.done(['sites', 'structure', 'Acme Docs (staging)'])).stdout.replaceAll(
      /( · | )site\w+_[0-9A-Z]{26}/g,
      '',
    ),
  ).toMatchInlineSnapshot(`
    "Acme Docs (staging)
    ├─ Guide /guide · default
    │  └─ Guide /guide · default
    └─ Developers
       ├─ API /api
       │  ├─ API /v2 · default
       │  └─ API v1 /v1 · hidden
       └─ Beta /beta · if visitor.claims.unsigned.beta == true
          └─ Changelog /changelog · default
    "
  `);
  const { stdout } = await desk.run(['plan', '-f', 'organization', '--var', 'env=production']);
  expect(stdout).toContain('title: "Acme Docs (staging)" → "Acme Docs (production)"');
}, 60_000);
