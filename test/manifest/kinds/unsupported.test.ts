import { describe, expect, it } from 'vitest';
import { createBench, linesOf } from '../bench.ts';
import { problemIn } from '../read/folder.ts';

const text = `
spaces: { guide: { title: Guide } }
openapi: { billing: { slug: billing, source: { url: "https://a.test/openapi.json" }, wait: true } }
saml: { okta: { label: Okta } }
integrations: { slack: { integration: slack, spaces: [!ref space.guide] } }
translations: { french: { source: { space: !ref space.guide, language: en }, language: fr } }
`;

describe('what this version cannot do yet', () => {
  it('is said by the plan, and nothing is done unless it is left out', async () => {
    const bench = await createBench(text);
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual([
      'unsupported saml.okta',
      'create space.guide title: ⇒ "Guide"',
      'unsupported openapi.billing',
      'unsupported integration.slack',
      'unsupported translation.french',
    ]);
    expect(plan.steps[0]!.reason).toBe('This operation is declared, but this version of docsctl cannot do it yet.');
    bench.forget();
    expect((await problemIn(bench.apply())).reason).toBe('not-implemented');
    expect(bench.changing).toEqual([]);
    expect((await bench.apply({ skipUnsupported: true })).counts).toMatchObject({ done: 1, unsupported: 4, failed: 0 });
    expect(linesOf(await bench.plan()).filter((line) => !line.startsWith('unsupported'))).toEqual([]);
  });
});
