import { describe, expect, it } from 'vitest';
import { desiredFaults, desiredOf } from '../desired.ts';

describe('a condition in a manifest', () => {
  const claims = { plan: { type: 'string', description: 'Plan', enum: ['pro', 'free'] } };
  const files = {
    'visitor.json': JSON.stringify({ type: 'object', properties: claims, additionalProperties: false }),
  };
  const site = (condition: string, adaptive: string) =>
    `spaces: { s: {} }\nsites:\n  docs:\n    ${adaptive}\n    sections: [{ path: p, siteSpaces: [{ path: v, space: !ref space.s, condition: ${condition} }] }, { path: q, space: !ref space.s, condition: ${condition} }]`;
  const schema = 'adaptive: { enabled: false, jsonSchema: !file visitor.json }';
  const fit = 'the condition does not fit the adaptive schema of the site:';

  it.each([
    [
      `'visitor.claims.plan = "pro"'`,
      'the condition is not valid: column 21: a condition cannot assign; compare with "=="',
    ],
    [`'visitor.claims.plan =='`, 'the condition is not valid: column 23: the expression ends too early'],
    [
      `'visitor.claims.paln == "pro"'`,
      `${fit} column 16: there is no claim "paln" in visitor.claims; did you mean "plan"?`,
    ],
    [
      `'visitor.claims.plan == "por"'`,
      `${fit} column 24: visitor.claims.plan is never "por"; did you mean "pro"?`,
    ],
  ])('%s is reported for a section and a site space', async (condition, message) => {
    const found = await desiredFaults(site(condition, schema), files);
    expect(found.map((fault) => fault.replace(/^org\.yaml:6:\d+: /, ''))).toEqual([message, message]);
    expect(new Set(found).size).toBe(2);
  });

  it.each(['title: Docs', 'adaptive: { enabled: false, jsonSchema: null }'])(
    'is not checked against the schema if the manifest does not state it: %s',
    async (adaptive) => {
      const desired = await desiredOf(site('visitor.claims.anything', adaptive));
      expect(desired.byAddress.get('section.docs/q')!.fields.get('condition')!.value).toBe(
        'visitor.claims.anything',
      );
      expect(await desiredFaults(site('"a +"', adaptive))).toHaveLength(2);
    },
  );

  it('passes if it fits the schema, or is null', async () => {
    expect((await desiredOf(site(`'visitor.claims.plan == "pro"'`, schema), files)).byAddress.size).toBe(6);
    expect((await desiredOf(site('null', schema), files)).byAddress.size).toBe(6);
  });
});
