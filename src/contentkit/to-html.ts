import { defined } from '../contract/values.ts';
import type { RichNode } from '../contract/shapes.ts';
import type { Component, Element, TextMark, TextRun } from './elements.ts';
import { openedAddress } from './opened-address.ts';
import { codeOf, markdownBlocks } from './to-document.ts';

/** An HTML element. Texts and attribute values are not escaped yet; an attribute with the value true has no value in HTML. */
interface HtmlElement {
  readonly tag: HtmlTag;
  readonly attributes: Readonly<Record<string, string | true>>;
  readonly children: readonly HtmlPart[];
}

/** Blocks that the document renderer draws: Markdown and code. */
interface DocumentPart {
  readonly blocks: readonly RichNode[];
}

export type HtmlPart = string | HtmlElement | DocumentPart;

/** The tags of drawn components. None of them runs a script in the page. */
export const htmlTags = [
  'a', 'button', 'code', 'div', 'em', 'fieldset', 'form', 'hr', 'iframe', 'img', 'input', 'label', 'legend',
  'li', 'ol', 'option', 'p', 's', 'select', 'span', 'strong', 'textarea',
] as const; // prettier-ignore
type HtmlTag = (typeof htmlTags)[number];

const markTags: Readonly<Record<TextMark, HtmlTag>> = {
  bold: 'strong',
  italic: 'em',
  code: 'code',
  strikethrough: 's',
};

/** The sandbox of frames. Without `allow-same-origin`, a frame has no access to the page, even on the same host. */
const sandbox = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox';

/**
 * Converts a component to a tree of HTML for the client script of a site. `data-ck-state` contains the state key of an input,
 * `data-ck-action` the action that a click sends, `data-ck-data` the data for a frame; the last two are JSON.
 */
export function componentToHtml({ type, title, subtitle, submit, children }: Component): HtmlElement {
  return make('form', { class: `ck-${type}`, 'data-ck-root': type, novalidate: true }, [
    ...(title === '' ? [] : [make('p', { class: 'ck-title' }, [make('strong', {}, [title])])]),
    ...(subtitle === '' ? [] : [make('p', { class: 'ck-subtitle' }, [subtitle])]),
    ...elementsToHtml(children),
    ...elementsToHtml(submit === undefined ? [] : [submit]),
  ]);
}

function elementsToHtml(elements: readonly Element[]): HtmlPart[] {
  return elements.flatMap(partsOf);
}

function partsOf(element: Element): HtmlPart[] {
  switch (element.type) {
    case 'box':
      return [
        make(
          'div',
          { class: 'ck-box', ...optional('data-ck-grow', element.grow) },
          elementsToHtml(element.children),
        ),
      ];
    case 'hstack':
    case 'vstack':
      return [
        make(
          'div',
          { class: `ck-${element.type} ck-align-${element.align}` },
          elementsToHtml(element.children),
        ),
      ];
    case 'divider':
      return [make('hr', { class: `ck-divider ck-${element.size}` })];
    case 'card':
      return [cardOf(element)];
    case 'text':
      return [make('p', { class: 'ck-text' }, runsToHtml(element.runs))];
    case 'image':
      return element.url === undefined ? [] : [imageOf(element.url, 'ck-image', element.aspectRatio)];
    case 'markdown':
      return [make('div', { class: 'ck-markdown' }, [{ blocks: markdownBlocks(element.content) }])];
    case 'codeblock':
      return [codeblockOf(element)];
    case 'webframe':
      return webframeOf(element);
    case 'button':
      return [buttonOf(element)];
    case 'input':
      return [
        make('label', { class: 'ck-input' }, [
          ...(element.label === '' ? [] : [make('span', { class: 'ck-label' }, [element.label])]),
          ...elementsToHtml(element.element === undefined ? [] : [element.element]),
          ...(element.hint.length === 0
            ? []
            : [make('span', { class: 'ck-input-hint' }, runsToHtml(element.hint))]),
        ]),
      ];
    case 'hint':
      return [make('div', { class: 'ck-hint', role: 'note' }, elementsToHtml(element.children))];
    case 'stepper':
      return [
        make(
          'ol',
          { class: 'ck-stepper' },
          element.steps.map(({ title, isActive, children }) =>
            make('li', { class: 'ck-step', ...(isActive ? { 'aria-current': 'step' } : {}) }, [
              ...(title === '' ? [] : [make('strong', {}, [title])]),
              ...elementsToHtml(children),
            ]),
          ),
        ),
      ];
    default:
      return [fieldOf(element)];
  }
}

function cardOf(card: Element & { type: 'card' }): HtmlElement {
  const { title, hint, icon, onPress, buttons, children } = card;
  const url = openedAddress(onPress);
  const heading = make('strong', {}, [title]);
  return make('div', { class: 'ck-card', ...(url === undefined ? actionOf(onPress) : {}) }, [
    ...(icon === undefined ? [] : [imageOf(icon, 'ck-icon')]),
    ...(title === ''
      ? []
      : [make('p', { class: 'ck-title' }, [url === undefined ? heading : linkTo(url, [heading])])]),
    ...(hint.length === 0 ? [] : [make('p', { class: 'ck-card-hint' }, runsToHtml(hint))]),
    ...elementsToHtml(children),
    ...(buttons.length === 0 ? [] : [make('div', { class: 'ck-hstack' }, elementsToHtml(buttons))]),
  ]);
}

function codeblockOf(codeblock: Element & { type: 'codeblock' }): HtmlElement {
  const { content, syntax, state, header, footer } = codeblock;
  const code: HtmlPart =
    state === undefined
      ? { blocks: [codeOf(content, syntax)] }
      : make('textarea', { 'data-ck-state': state, spellcheck: 'false' }, [content]);
  return make('div', { class: 'ck-codeblock' }, [...elementsToHtml(header), code, ...elementsToHtml(footer)]);
}

function webframeOf({ url, aspectRatio, data, buttons }: Element & { type: 'webframe' }): HtmlPart[] {
  if (url === undefined) return [];
  const frame = make('iframe', {
    src: url,
    sandbox,
    title: new URL(url).host,
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    'data-ck-data': JSON.stringify(data),
    ...optional('data-ck-ratio', aspectRatio),
  });
  return [make('div', { class: 'ck-webframe' }, [frame, ...elementsToHtml(buttons)])];
}

function buttonOf({ label, style, onPress, isDisabled }: Element & { type: 'button' }): HtmlElement {
  const url = openedAddress(onPress);
  if (url !== undefined && !isDisabled) return linkTo(url, [label], `ck-button ck-${style}`);
  return make(
    'button',
    {
      type: 'button',
      class: `ck-button ck-${style}`,
      ...actionOf(onPress),
      ...(isDisabled ? { disabled: true } : {}),
    },
    [label],
  );
}

type Field = Element & { type: 'textinput' | 'select' | 'switch' | 'checkbox' | 'radio' };

function fieldOf(field: Field): HtmlElement {
  const bound = { 'data-ck-state': field.state, name: field.state };
  const checked = 'isOn' in field && field.isOn ? { checked: true as const } : {};
  switch (field.type) {
    case 'textinput': {
      const shared = {
        ...bound,
        ...(field.placeholder === '' ? {} : { placeholder: field.placeholder }),
        ...(field.isDisabled ? { disabled: true as const } : {}),
      };
      return field.isMultiline
        ? make('textarea', shared, [field.value])
        : make('input', { ...shared, type: field.inputType, value: field.value });
    }
    case 'select': {
      const options = field.options.map(({ id, label }) =>
        make('option', { value: id, ...(field.values.includes(id) ? { selected: true } : {}) }, [label]),
      );
      const none =
        field.isMultiple || field.values.length > 0
          ? []
          : [make('option', { value: '' }, [field.placeholder])];
      return make('select', { ...bound, ...(field.isMultiple ? { multiple: true } : {}) }, [
        ...none,
        ...options,
      ]);
    }
    case 'switch':
      return make('input', { ...bound, type: 'checkbox', role: 'switch', ...checked });
    default:
      return make('input', { ...bound, type: field.type, value: field.value, ...checked });
  }
}

function runsToHtml(runs: readonly TextRun[]): HtmlPart[] {
  return runs.map(({ text, marks, url }) => {
    const marked = marks.reduceRight<HtmlPart>((inner, mark) => make(markTags[mark], {}, [inner]), text);
    return url === undefined ? marked : linkTo(url, [marked]);
  });
}

function linkTo(url: string, children: readonly HtmlPart[], name?: string): HtmlElement {
  return make('a', { href: url, rel: 'noopener noreferrer', ...defined({ class: name }) }, children);
}

function imageOf(url: string, name: string, aspectRatio?: number): HtmlElement {
  const looks = { class: name, src: url, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer' };
  return make('img', { ...looks, ...optional('data-ck-ratio', aspectRatio) });
}

function actionOf(action: unknown): { 'data-ck-action'?: string } {
  return action === undefined ? {} : { 'data-ck-action': JSON.stringify(action) };
}

function optional(name: string, value: number | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: String(value) };
}

function make(
  tag: HtmlTag,
  attributes: HtmlElement['attributes'],
  children: readonly HtmlPart[] = [],
): HtmlElement {
  return { tag, attributes, children };
}
