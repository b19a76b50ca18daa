import { expect, it } from 'vitest';
import { belowHeadings } from '../../src/specification/describe-block.ts';

it('lowers headings, but not lines of code that look like headings', () => {
  const code = '```sh\n# install\nnpm i\n``\n```';
  expect(belowHeadings(`# One\r\n\r\n${code}\n\n#### Four\n##### Five\n~~~\n# x\n~~~~`)).toBe(
    `### One\n\n${code}\n\n###### Four\n##### Five\n~~~\n# x\n~~~~`,
  );
  expect(belowHeadings('```js``` is inline\n# One')).toBe('```js``` is inline\n### One');
});

it('closes a fence of code that a description leaves open', () => {
  expect(belowHeadings('Text\n\n  ````\n# code\n```\n')).toBe('Text\n\n  ````\n# code\n```\n````');
  expect(belowHeadings('~~~')).toBe('~~~\n~~~');
});

it('does not change many closed fences', () => {
  const text = '```\nx\n```\n'.repeat(50_000);
  expect(belowHeadings(text)).toBe(text);
});
