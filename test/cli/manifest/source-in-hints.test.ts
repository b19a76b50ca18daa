import { expect, it } from 'vitest';
import { withSource } from '../../../src/cli/manifest/source-in-hints.ts';
import type { Runtime } from '../../../src/cli/runtime.ts';

it.each([
  ['docsctl plan --prune', 'docsctl plan --prune -f docs.yaml --state live.json --org Acme'],
  ['docsctl forget team.a', 'docsctl forget team.a --state live.json --org Acme'],
  ['docsctl spaces restore spc_1', 'docsctl spaces restore spc_1 --org Acme'],
])('withSource adds the manifest, state file and organization that `%s` needs', (command, expected) => {
  const source = { file: 'docs.yaml', state: 'live.json' };
  const runtime = { argv: ['apply', '--org', 'Acme'] } as unknown as Runtime;
  expect(withSource({ runtime }, `Run \`${command}\` now.`, source)).toBe(`Run \`${expected}\` now.`);
});
