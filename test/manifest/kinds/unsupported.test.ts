import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { Bench, linesOf } from '../bench.ts';
import { folderOf, problemIn } from '../read/folder.ts';
import { createWorld } from '../../support/world.ts';

const text = `
spaces: { guide: { title: Guide } }
openapi: { billing: { slug: billing, source: { url: "https://a.test/openapi.json" }, wait: true } }
saml: { okta: { label: Okta } }
integrations: { slack: { integration: slack, spaces: [!ref space.guide] } }
translations: { french: { source: { space: !ref space.guide, language: en }, language: fr } }
`;

const missing = /^(openapi|saml|integrations|translations)\./;
const reason = 'This server cannot do it.';

/** A server that has spaces and not much else, like an older or hosted server. */
async function createPoorBench(): Promise<Bench> {
  const world = await createWorld();
  const whole = world.as('admin');
  const call: Api['call'] = (operation, input, options) =>
    missing.test(operation.id)
      ? Promise.reject(new Problem('not-implemented', reason))
      : whole.call(operation, input, options);
  const bench = new Bench(world, folderOf({}), { ...whole, call });
  bench.write(text);
  return bench;
}

describe('kinds that a server does not support', () => {
  it('are listed by the plan, and stop an apply that does not skip them', async () => {
    const bench = await createPoorBench();
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual([
      'unsupported saml.okta',
      'create space.guide title: ⇒ "Guide"',
      'unsupported openapi.billing',
      'unsupported integration.slack',
      'unsupported translation.french',
    ]);
    expect(plan.steps[0]!.reason).toBe(reason);
    bench.forget();
    expect(await problemIn(bench.apply())).toMatchObject({
      reason: 'not-implemented',
      message: '4 steps of the plan cannot be done here. Nothing was changed.',
      hint: 'Remove the listed parts from the manifest, or add --skip-unsupported.',
    });
    expect(bench.changing).toEqual([]);
    expect((await bench.apply({ skipUnsupported: true })).counts).toMatchObject({
      done: 1,
      unsupported: 4,
      failed: 0,
    });
    expect(linesOf(await bench.plan()).filter((line) => !line.startsWith('unsupported'))).toEqual([]);
  });
});
