import { afterEach, describe, expect, it } from 'vitest';
import { publish } from '../../resources/integrations/support.ts';
import { createBench, type Bench } from '../bench.ts';
import { rehearseBench } from './rehearse-bench.ts';

let bench: Bench;
afterEach(() => bench.world.core.store.close());

const account = { properties: { channel: { type: 'string' as const } }, required: ['channel'] };
const text = (fields: string) => `spaces: { a: { title: A } }\nintegrations: { bot: { ${fields} } }`;

/** The status of each step of a rehearsal, and the reason of those that fail. */
async function rehearse(wanted: string) {
  bench.write(wanted);
  const { rows, notCopied } = await rehearseBench(bench);
  const shown = rows.map(({ address, action, status, problem }) =>
    [address, action, status, problem?.reason].join(' ').trim(),
  );
  return { shown, notCopied };
}

describe('a rehearsal with integrations', () => {
  it('installs one, changes its settings, and fails for settings that the integration refuses', async () => {
    bench = await createBench();
    await publish(bench.world, 'bot', { configurations: { account } });
    const first = text('configuration: { channel: docs }, spaces: [!ref space.a]');
    expect(await rehearse(first)).toEqual({
      shown: ['space.a create done', 'integration.bot create done'],
      notCopied: [],
    });
    await bench.bring(first);
    expect(await rehearse(text('configuration: { channel: all }, spaces: []'))).toEqual({
      shown: ['integration.bot update done'],
      notCopied: [],
    });
    expect(await rehearse(text('configuration: { channel: 7 }'))).toEqual({
      shown: ['integration.bot update failed invalid-input'],
      notCopied: [],
    });
  });
});
