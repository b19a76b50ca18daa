import { expect, it } from 'vitest';
import { validateSpecification } from '../../src/specification/validate-specification.ts';

it('a mistake in a path is reported there, even if the start of the path is another path', async () => {
  const responses = { 200: { description: 'found' } };
  const id = { name: 'id', in: 'path', type: 'string', required: true };
  const bodies = ['one', 'two'].map((name) => ({ name, in: 'body', schema: {} }));
  const paths = [
    ['/users', { get: { responses } }],
    ['/users/{id}', { get: { responses, parameters: [id, ...bodies] } }],
  ] as const;
  for (const entries of [paths, paths.toReversed()]) {
    const info = { title: 'Shop', version: '1' };
    const found = await validateSpecification({ swagger: '2.0', info, paths: Object.fromEntries(entries) });
    expect(found.map(({ pointer }) => pointer)).toEqual([['paths', '/users/{id}', 'get']]);
  }
});
