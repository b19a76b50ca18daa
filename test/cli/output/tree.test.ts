import { expect, it } from 'vitest';
import { drawTree } from '../../../src/cli/output/tree.ts';

const theme = { faint: (text: string) => text };
const tree = {
  label: 'Docs',
  children: [
    {
      label: 'Getting Started',
      note: '/start · default · sec_1234567890',
      children: [{ label: 'Guide', note: 'ssp_1' }],
    },
    { label: 'A title of several words', note: 'sec_2' },
  ],
};

it('drawTree draws one node per line', () => {
  expect(drawTree(tree, theme)).toBe(
    'Docs\n├─ Getting Started /start · default · sec_1234567890\n│  └─ Guide ssp_1\n└─ A title of several words sec_2\n',
  );
});

it('drawTree wraps nodes that are too wide between words', () => {
  expect(drawTree(tree, theme, 26)).toBe(
    'Docs\n├─ Getting Started\n│  │ /start · default ·\n│  │ sec_1234567890\n│  └─ Guide ssp_1\n└─ A title of several\n     words\n     sec_2\n',
  );
});
