import { expect, it } from 'vitest';
import { namesInReferences } from '../../src/publishing/page-links.ts';
import { textNode } from '../../src/richtext/nodes.ts';

it('namesInReferences finds the spaces of references in a document with very many nodes', () => {
  const text = textNode([{ text: 'a', marks: [] }]);
  const paragraph = { object: 'block', type: 'paragraph', nodes: [text] };
  const link = {
    object: 'inline',
    type: 'link',
    data: { ref: { kind: 'space', space: 'spc_1' } },
    nodes: [text],
  };
  const nodes = [...Array.from({ length: 300_000 }, () => paragraph), { ...paragraph, nodes: [link] }];
  expect([...namesInReferences({ nodes }, 'space')]).toEqual(['spc_1']);
  expect([...namesInReferences([{ kind: 'file', file: 'fil_1' }, null, 'text'], 'file')]).toEqual(['fil_1']);
});
