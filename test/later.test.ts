import { expect, it } from 'vitest';
import { listCommands } from '../src/cli/commands/commands.ts';

/** What is declared and cannot be done yet. This list only shrinks. */
const waiting: readonly string[] = [
  'conversations clusters get',
  'conversations clusters list',
  'conversations clusters update',
  'conversations issues get',
  'conversations issues list',
  'integrations disable-dev',
  'integrations enable-dev',
  'integrations events get',
  'integrations events list',
  'integrations get',
  'integrations installations add-site',
  'integrations installations add-space',
  'integrations installations create',
  'integrations installations delete',
  'integrations installations get',
  'integrations installations list',
  'integrations installations update',
  'integrations list',
  'integrations publish',
  'integrations sites',
  'integrations spaces',
  'integrations unpublish',
  'openapi create',
  'openapi delete',
  'openapi get',
  'openapi list',
  'openapi replace',
  'openapi update',
  'saml create',
  'saml delete',
  'saml get',
  'saml list',
  'saml update',
  'sso list',
  'translations create',
  'translations delete',
  'translations get',
  'translations list',
  'translations run',
  'translations update',
];

it('declares every operation, and says which cannot be done yet', async () => {
  const commands = await listCommands();
  expect(commands.filter(({ works }) => !works).map(({ id }) => id)).toEqual(waiting);
  const operations = commands.filter(({ operation }) => operation !== null);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});
