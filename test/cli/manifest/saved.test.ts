import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockPathIn, rereadSecret, withLockPath } from '../../../src/cli/manifest/saved.ts';
import type { Session } from '../../../src/cli/session.ts';
import type { PlanDocument } from '../../../src/manifest/plan-document.ts';
import { folderOf } from '../../manifest/read/folder.ts';

it('reads secrets of a saved plan again, from the environment and from the folder of the lock only', () => {
  const cwd = folderOf({});
  mkdirSync(join(cwd, 'org/keys'), { recursive: true });
  writeFileSync(join(cwd, 'org/keys/a.pem'), '\ufeffline\n');
  writeFileSync(join(cwd, 'outside.pem'), 'outside');
  symlinkSync(join(cwd, 'outside.pem'), join(cwd, 'org/link.pem'));
  const secretOf = rereadSecret({ cwd, env: { TOKEN: 'value' } } as unknown as Session['runtime'], join(cwd, 'org/docsctl.lock.json'));
  const found = [
    'env TOKEN',
    'env OTHER',
    'env constructor',
    'file org/keys/a.pem',
    'text of org/keys/a.pem',
    'file outside.pem',
    'file org/../outside.pem',
    'file org/link.pem',
    'file org/none',
    'nothing',
    'file /etc/hostname',
  ];
  expect(found.map(secretOf)).toEqual(['value', undefined, undefined, 'line', 'line\n', undefined, undefined, undefined, undefined, undefined, undefined]);
});

it('finds the lock of a saved plan where it was, or where it is said to be', () => {
  const session = { runtime: { cwd: '/work' } } as unknown as Session;
  const saved = withLockPath({ lock: { serial: 3 } } as PlanDocument, '/work/org/docsctl.lock.json', '/work');
  expect(saved.lock).toEqual({ serial: 3, path: 'org/docsctl.lock.json' });
  expect(lockPathIn(session, saved, undefined)).toBe('/work/org/docsctl.lock.json');
  expect(lockPathIn(session, saved, 'other.json')).toBe('/work/other.json');
  expect(() => lockPathIn(session, { lock: { serial: 3 } } as PlanDocument, undefined)).toThrow('Where is the lock of this plan?');
});
