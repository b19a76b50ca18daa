import { expect, it } from 'vitest';
import { missingRole } from '../../src/core/missing-role.ts';

it('quotes the email in the command that creates another token', () => {
  const own = { memberRole: 'admin', maxRole: 'read' } as const;
  const { hint } = missingRole(own, { action: 'edit', level: 'admin', email: "o'neil@acme.test" });
  expect(hint).toContain("--role admin --user 'o'\\''neil@acme.test'`");
});
