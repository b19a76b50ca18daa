import { expect, it } from 'vitest';
import { withSource } from '../../../src/cli/manifest/source-in-hints.ts';

it.each([
  ['docsctl plan --prune', 'docsctl plan --prune -f docs.yaml --state live.json --org Acme'],
  ['docsctl forget team.a', 'docsctl forget team.a --state live.json --org Acme'],
  ['docsctl spaces restore spc_1', 'docsctl spaces restore spc_1 --org Acme'],
  ['docsctl spaces list', 'docsctl spaces list'],
])('names the manifest, state and place that `%s` needs', (command, expected) => {
  const source = { file: 'docs.yaml', state: 'live.json' };
  expect(withSource({ flags: { org: 'Acme' } }, `Run \`${command}\` now.`, source)).toBe(
    `Run \`${expected}\` now.`,
  );
});
