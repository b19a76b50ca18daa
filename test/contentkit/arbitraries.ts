import fc from 'fast-check';

const types = [
  'box', 'hstack', 'vstack', 'divider', 'card', 'text', 'link', 'image', 'markdown', 'codeblock', 'webframe',
  'button', 'input', 'textinput', 'select', 'switch', 'checkbox', 'radio', 'hint', 'stepper', 'step', 'script',
]; // prettier-ignore

/** URLs, most of them forbidden. */
const address = fc.constantFrom(
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'https://user:word@example.com/',
  '//example.com/',
  'https://example.com/a',
  'mailto:a@example.com',
);
const text = fc.oneof(
  fc.string(),
  address,
  address.map((url) => `[x](${url}) <img src="${url}"> {% embed url="${url}" %} <a href="${url}">y</a>`),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '\u001b[2J',
    '\u202e',
    '\ud800',
    '{% include "x" %}',
    '# a\n\n| b |',
  ),
);
const source = fc.oneof(
  address.map((url) => ({ url })),
  address,
);

/** Any component trees that JSON can contain. */
export const { component, element } = fc.letrec<{ component: unknown; element: unknown }>((tie) => ({
  element: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'element', withCrossShrink: true },
    text,
    fc.jsonValue(),
    fc.constantFrom('a', 'b', 'toString', '__proto__').map((key) => ({ $state: key })),
    fc.record(
      {
        type: fc.constantFrom(...types),
        children: fc.oneof(fc.array(tie('element'), { maxLength: 4 }), tie('element')),
        title: text,
        label: text,
        content: text,
        syntax: text,
        source,
        target: source,
        icon: fc.record({ source }),
        url: address,
        style: fc.constantFrom('bold', 'italic', 'code', 'strikethrough', 'primary', 'other'),
        onPress: fc.record({ action: fc.constantFrom('@ui.url.open', 'go'), url: address }),
        buttons: fc.array(tie('element'), { maxLength: 2 }),
        hint: tie('element'),
        header: tie('element'),
        footer: tie('element'),
        element: tie('element'),
        data: fc.dictionary(text, fc.jsonValue()),
        state: fc.oneof(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue()),
        initialValue: fc.jsonValue(),
        options: fc.oneof(fc.array(fc.record({ id: text, label: text }), { maxLength: 3 }), fc.jsonValue()),
        value: text,
        multiline: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
  ),
  component: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        type: fc.constantFrom('block', 'modal', 'configuration'),
        children: fc.array(tie('element'), { maxLength: 5 }),
        title: text,
        submit: tie('element'),
      }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
}));
