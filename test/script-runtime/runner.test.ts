import { expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { ask, quickjs, scriptOf } from './samples.ts';

it('a request that cannot be sent fails in the script, which goes on', async () => {
  const runtime = quickjs({
    outgoing: async () => {
      throw new Problem('unreachable', 'It is gone.');
    },
  });
  onTestFinished(() => runtime.close());
  const code = `
    try { await fetch('https://example.com/'); return new Response('sent'); }
    catch (error) { return Response.json([error instanceof Error, error.message]); }`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code));
  expect([error, json()]).toEqual([undefined, [true, expect.stringContaining('gone')]]);
});
