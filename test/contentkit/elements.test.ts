import { describe, expect, it } from 'vitest';
import { readComponent, readRendered } from '../../src/contentkit/read-component.ts';
import { componentToBlocks } from '../../src/contentkit/to-document.ts';
import { componentToHtml, type HtmlPart } from '../../src/contentkit/to-html.ts';
import { documentToMarkdown } from '../../src/richtext/markdown.ts';

function read(children: unknown, state: object = {}) {
  const { component, problem } = readComponent({ type: 'block', children }, state);
  if (component === undefined) throw new Error(problem);
  return component;
}
const markdown = (...args: Parameters<typeof read>): string =>
  documentToMarkdown({ object: 'document', data: {}, nodes: componentToBlocks(read(...args)) }).trim();

/** Writes a tree in short form. Blocks of documents are written as Markdown. */
function write(part: HtmlPart): string {
  if (typeof part === 'string') return part;
  if ('blocks' in part)
    return `«${documentToMarkdown({ object: 'document', data: {}, nodes: part.blocks }).trim()}»`;
  const attributes = Object.entries(part.attributes).map(([name, value]) =>
    value === true ? ` ${name}` : ` ${name}='${value}'`,
  );
  return `<${part.tag}${attributes.join('')}>${part.children.map(write).join('')}</${part.tag}>`;
}
const html = (...args: Parameters<typeof read>): string =>
  componentToHtml(read(...args))
    .children.map(write)
    .join('');

const text = (...children: unknown[]) => ({ type: 'text', children });
const url = 'https://example.com/a';
const link = "<a href='https://example.com/a' rel='noopener noreferrer'>";
const open = { action: '@ui.url.open', url };

/** Each element with its name, its Markdown and its HTML. */
const table: readonly (readonly [string, unknown, string, string, object?])[] = [
  ['box', { type: 'box', grow: 1, children: [text('a')] }, 'a', "<div class='ck-box' data-ck-grow='1'><p class='ck-text'>a</p></div>"],
  ['hstack', { type: 'hstack', align: 'center', children: [text('a'), text('b')] }, 'a  b', "<div class='ck-hstack ck-align-center'><p class='ck-text'>a</p><p class='ck-text'>b</p></div>"],
  ['vstack', { type: 'vstack', children: [text('a'), text('b')] }, 'a\n\nb', "<div class='ck-vstack ck-align-start'><p class='ck-text'>a</p><p class='ck-text'>b</p></div>"],
  ['divider', { type: 'divider', size: 'large' }, '---', "<hr class='ck-divider ck-large'></hr>"],
  ['card', { type: 'card', title: 'Issue', hint: [text('open')], onPress: open, icon: { type: 'image', source: { url } }, buttons: [{ type: 'button', label: 'Go' }], children: [text('a')] }, `> [**Issue**](${url})\n>\n> open\n>\n> a\n>\n> \\[Go]`, `<div class='ck-card'><img class='ck-icon' src='${url}' alt='' loading='lazy' referrerpolicy='no-referrer'></img><p class='ck-title'>${link}<strong>Issue</strong></a></p><p class='ck-card-hint'>open</p><p class='ck-text'>a</p><div class='ck-hstack'><button type='button' class='ck-button ck-secondary'>Go</button></div></div>`],
  ['text', text('a ', { type: 'text', style: 'bold', children: ['b'] }, 3), 'a **b**3', "<p class='ck-text'>a <strong>b</strong>3</p>"],
  ['link', text({ type: 'link', target: { url }, children: ['a'] }, { type: 'link', target: { url: 'javascript:x' }, children: ['b'] }), `[a](${url})b`, `<p class='ck-text'>${link}a</a>b</p>`],
  ['image', { type: 'image', source: { url }, aspectRatio: 1.5 }, `![](${url})`, `<img class='ck-image' src='${url}' alt='' loading='lazy' referrerpolicy='no-referrer' data-ck-ratio='1.5'></img>`],
  ['an image with a forbidden address', { type: 'image', source: { url: 'data:image/png;base64,x' } }, '', ''],
  ['markdown', { type: 'markdown', content: '# A\n\n[b](javascript:x) ![](data:x) [c](/pages/1) {% include "x" %}' }, '# A\n\nb  c {% include "x" %}', "<div class='ck-markdown'>«# A\n\nb  c {% include \"x\" %}»</div>"],
  ['codeblock', { type: 'codeblock', content: { $state: 'code' }, syntax: 'js', header: [text('h')], footer: text('f') }, 'h\n\n```js\na\n```\n\nf', "<div class='ck-codeblock'><p class='ck-text'>h</p>«```js\na\n```»<p class='ck-text'>f</p></div>", { code: 'a' }],
  ['a code block that readers can edit', { type: 'codeblock', content: 'a', state: 'code' }, '```\na\n```', "<div class='ck-codeblock'><textarea data-ck-state='code' spellcheck='false'>a</textarea></div>"],
  ['webframe', { type: 'webframe', source: { url }, aspectRatio: 2, data: { content: { $state: 'code' } } }, `{% embed url="${url}" %}`, `<div class='ck-webframe'><iframe src='${url}' sandbox='allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox' title='example.com' loading='lazy' referrerpolicy='no-referrer' data-ck-data='{"content":{"$state":"code"}}' data-ck-ratio='2'></iframe></div>`],
  ['button', { type: 'button', label: 'Go', style: 'primary', onPress: { action: 'go', n: 1 } }, '\\[Go]', `<button type='button' class='ck-button ck-primary' data-ck-action='{"action":"go","n":1}'>Go</button>`],
  ['a button that opens a URL', { type: 'button', label: 'Go', onPress: open }, `[\\[Go\\]](${url})`, `<a href='${url}' rel='noopener noreferrer' class='ck-button ck-secondary'>Go</a>`],
  ['a button that opens a script', { type: 'button', label: 'Go', onPress: { action: '@ui.url.open', url: 'javascript:x' } }, '\\[Go]', "<button type='button' class='ck-button ck-secondary'>Go</button>"],
  ['input', { type: 'input', label: 'Name', hint: 'yours', element: { type: 'textinput', state: 'name', placeholder: 'p' } }, '**Name:** Ada\n\nyours', "<label class='ck-input'><span class='ck-label'>Name</span><input data-ck-state='name' name='name' placeholder='p' type='text' value='Ada'></input><span class='ck-input-hint'>yours</span></label>", { name: 'Ada' }],
  ['textinput', { type: 'textinput', state: 'x', initialValue: 'a', multiline: true }, 'a', "<textarea data-ck-state='x' name='x'>a</textarea>"],
  ['password', { type: 'textinput', state: 'x', initialValue: 'a', inputType: 'password' }, '', "<input data-ck-state='x' name='x' type='password' value='a'></input>"],
  ['select', { type: 'select', state: 's', options: [{ id: '1', label: 'One' }, { id: '2', label: 'Two' }] }, 'Two', "<select data-ck-state='s' name='s'><option value='1'>One</option><option value='2' selected>Two</option></select>", { s: '2' }],
  ['switch', { type: 'switch', state: 's', initialValue: true }, 'on', "<input data-ck-state='s' name='s' type='checkbox' role='switch' checked></input>"],
  ['checkbox', { type: 'checkbox', state: 's', value: 'a' }, '\\[x] a', "<input data-ck-state='s' name='s' type='checkbox' value='a' checked></input>", { s: ['a', 'b'] }],
  ['radio', { type: 'radio', state: 's', value: 'a' }, '( ) a', "<input data-ck-state='s' name='s' type='radio' value='a'></input>", { s: 'b' }],
  ['hint', { type: 'hint', children: [text('a')] }, '{% hint style="info" %}\na\n{% endhint %}', "<div class='ck-hint' role='note'><p class='ck-text'>a</p></div>"],
  ['stepper', { type: 'stepper', activeStep: 'two', children: [{ type: 'step', id: 'one', title: 'One', children: [text('a')] }, { type: 'step', id: 'two', title: 'Two', children: [] }] }, '{% stepper %}\n{% step %}\n**One**\n\na\n{% endstep %}\n\n{% step %}\n**Two**\n{% endstep %}\n{% endstepper %}', "<ol class='ck-stepper'><li class='ck-step'><strong>One</strong><p class='ck-text'>a</p></li><li class='ck-step' aria-current='step'><strong>Two</strong></li></ol>"],
  ['an unknown element', { type: 'script', children: ['a', null, false, ['b']] }, 'a\n\nb', "<p class='ck-text'>a</p><p class='ck-text'>b</p>"],
  ['control characters', text('\u001b[2J\u202ea'), '\\u001b\\[2J\\u202ea', "<p class='ck-text'>\\u001b[2J\\u202ea</p>"],
]; // prettier-ignore

describe('an element as Markdown and HTML', () => {
  it.each(table)('%s', (_name, element, inMarkdown, inHtml, values) => {
    const state = values as object | undefined;
    expect(markdown([element], state)).toBe(inMarkdown);
    expect(html([element], state)).toBe(inHtml);
  });
});

it.each([-1, 0, 1000, '2'])('ignores the aspect ratio or grow value %j', (ratio) => {
  const image = { type: 'image', source: { url }, aspectRatio: ratio };
  expect(html([{ type: 'box', grow: ratio, children: [image] }])).not.toContain('data-ck-');
});

it('renders the title and the submit button of a modal', () => {
  const { component } = readComponent({
    type: 'modal',
    title: 'Edit',
    subtitle: 'It',
    submit: { type: 'button', label: 'Save' },
    children: ['a'],
  });
  expect(componentToBlocks(component!)).toHaveLength(4);
  expect(write(componentToHtml(component!))).toBe(
    "<form class='ck-modal' data-ck-root='modal' novalidate><p class='ck-title'><strong>Edit</strong></p><p class='ck-subtitle'>It</p><p class='ck-text'>a</p><button type='button' class='ck-button ck-secondary'>Save</button></form>",
  );
});

describe('the answer of a script', () => {
  const element = { type: 'block', children: ['a'] };
  let deep: unknown = 'a';
  for (let level = 0; level < 100_000; level++) deep = { type: 'box', children: [deep] };
  let cards: unknown = 'a';
  for (let level = 0; level < 40; level++) cards = { type: 'card', buttons: [cards] };

  it.each([
    [{ type: 'element', element }, undefined],
    [{ type: 'element', element: { type: 'configuration' } }, undefined],
    [{ type: 'complete' }, 'The script returned nothing to draw.'],
    [{}, 'The answer of the script has no element.'],
    [null, 'The answer of the script is not an object.'],
    [{ type: 'element', element: { type: 'box' } }, 'The element in the answer of the script is neither a block, a modal nor a configuration.'],
    [{ type: 'element', element: { type: 'block', children: deep } }, 'The elements are nested more than 30 levels deep.'],
    [{ type: 'element', element: { type: 'block', children: [cards] } }, 'The elements are nested more than 30 levels deep.'],
    [{ type: 'element', element: { type: 'block', children: Array(2001).fill('a') } }, 'There are more than 2,000 elements.'],
    [{ type: 'element', element: { type: 'block', children: ['a'.repeat(200_001)] } }, 'The text has more than 200,000 characters.'],
  ])('is read, or refused with a reason: case %#', (answer, problem) => {
    expect(readRendered(answer).problem).toBe(problem);
  }); // prettier-ignore
});
