import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findInstalled } from '../../src/files/find-package.ts';

it.each(['fastify', '@sinclair/typebox'])('finds the folder of %s', (name) => {
  const folder = findInstalled(name)!;
  expect(folder.endsWith(join('node_modules', ...name.split('/')))).toBe(true);
  expect(existsSync(join(folder, 'package.json'))).toBe(true);
});

it('finds no package that is not installed', () => {
  expect(findInstalled('no-such-package')).toBeUndefined();
});
