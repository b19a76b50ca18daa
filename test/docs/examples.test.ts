import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { backgroundEnded } from '../../src/core/background.ts';
import { verifyVisitorToken } from '../../src/core/jwt.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import {
  listTemplateConditions,
  updateAdaptiveSchema,
} from '../../src/resources/site-adaptive-schema/contract.ts';
import { publishedSite } from '../publishing/published-site.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { quickjs } from '../script-runtime/samples.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/sites.md'), 'utf8');

/** The first code block of a language in the guide to sites that contains a word. */
function blockWith(language: string, word: string): string {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))];
  const found = blocks.map(([, block = '']) => block).find((block) => block.includes(word));
  if (found === undefined) throw new Error(`docs/sites.md has no block of ${language} with ${word}`);
  return found;
}

it('the example of a visitor token signs tokens that sites accept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-token-'));
  const script = join(folder, 'token.mjs');
  writeFileSync(script, blockWith('js', 'createHmac'));
  const key = 'k'.repeat(43);
  const token = execFileSync(process.execPath, [script, key, '{"plan":"pro"}'], { encoding: 'utf8' }).trim();
  rmSync(folder, { recursive: true });
  const now = new Date().toISOString();
  expect(await verifyVisitorToken(token, { key, now, audience: ['site_1'] })).toMatchObject({ plan: 'pro' });
});

it('the example of an adaptive schema is valid, and visitors can set unsigned claims as described', async () => {
  const { call, site, visit } = await publishedSite([
    { title: 'Welcome', text: '{% if visitor.claims.unsigned.beta %}\nThe beta.\n{% endif %}' },
  ]);
  const body = parse(blockWith('yaml', 'jsonSchema')) as never;
  await call(updateAdaptiveSchema, site, { body });
  await call(updateSite, site, { body: { adaptiveContent: { enabled: true } } });
  const conditions = (await call(listTemplateConditions, site)).items.map(({ condition }) => condition);
  expect(conditions).toContain('visitor.claims.plan == "pro"');
  expect((await visit('')).body).not.toContain('The beta.');
  const entered = await visit('?visitor.beta=true');
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  expect((await visit('', { cookie })).body).toContain('The beta.');
});

it('the example integration draws its block on a site, and counts', async () => {
  const folder = join(root, 'examples/greeting');
  const { name, ...manifest } = parse(readFileSync(join(folder, 'gitbook-manifest.yaml'), 'utf8'));
  const site = await publishedSite([
    { title: 'Welcome', text: 'Hello.' },
    { title: 'Block', text: '{% @greeting/greet name="Ana" %}' },
  ]);
  const scripts = quickjs();
  try {
    Object.assign(site.core, { scripts });
    const script = readFileSync(join(folder, 'script.js'), 'utf8');
    await publish(site.world, name, { ...manifest, script });
    await install(site.world, name);
    await site.visit('block');
    await backgroundEnded(site.core);
    const { body } = await site.visit('block');
    expect(body).toMatch(/Hello <strong>Ana<\/strong>, 0 times\./);
    const place = JSON.parse((/data-ck-block="([^"]*)"/.exec(body)?.[1] ?? '{}').replaceAll('&quot;', '"'));
    const acted = await site.server.inject({
      method: 'POST',
      url: '/sites/acme/docs/~gitbook/blocks',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ...place, state: { count: 4 }, action: { action: 'more' } }),
    });
    expect(acted.body).toMatch(/5 times/);
  } finally {
    await scripts.close();
  }
});
