import { isRecord } from '../contract/values.ts';
import type { Action, Element, TextMark, TextRun } from './elements.ts';
import { resolveState } from './resolve-state.ts';
import { linkAddress, safeText, webAddress } from './safe-values.ts';

/** Maximum depth of nested elements. */
export const maxDepth = 30;

export const maxSize = { nodes: 2000, characters: 200_000 };

type Fields = Readonly<Record<string, unknown>>;
const textMarks: readonly TextMark[] = ['bold', 'italic', 'code', 'strikethrough'];

/** Parses elements and counts them. Stops at a limit; the counts show whether one was reached. */
export class ElementReader {
  nodes = 0;
  characters = 0;
  isTooDeep = false;
  readonly #state: Fields;

  constructor(state: Fields) {
    this.#state = state;
  }

  /** Parses a list of elements, one element, or a text. */
  elements(value: unknown, depth: number): Element[] {
    if (depth > maxDepth) this.isTooDeep = true;
    const items = Array.isArray(value) ? value : [value];
    const found: Element[] = [];
    for (const item of items) {
      if (this.#isFull()) break;
      if (item === undefined || item === null || typeof item === 'boolean') continue;
      this.nodes++;
      if (Array.isArray(item)) found.push(...this.elements(item, depth + 1));
      else if (isRecord(item) && !Object.hasOwn(item, '$state')) found.push(...this.#element(item, depth));
      else found.push({ type: 'text', runs: this.#runs(item, [], undefined, depth) });
    }
    return found;
  }

  /** Returns a text; '' for other values. */
  text(value: unknown): string {
    const resolved = resolveState(value, this.#state);
    if (typeof resolved !== 'string' && typeof resolved !== 'number') return '';
    const text = String(resolved);
    this.characters += text.length;
    return this.#isFull() ? '' : safeText(text);
  }

  #isFull(): boolean {
    return this.isTooDeep || this.nodes > maxSize.nodes || this.characters > maxSize.characters;
  }

  #element(fields: Fields, depth: number): readonly Element[] {
    const children = (): Element[] => this.elements(fields['children'], depth + 1);
    const value = (name: string): unknown => resolveState(fields[name], this.#state);
    switch (fields['type']) {
      case 'box':
        return [{ type: 'box', grow: positive(value('grow')), children: children() }];
      case 'hstack':
      case 'vstack': {
        const align = oneOf(['start', 'center', 'end'], value('align'));
        return [{ type: fields['type'], align, children: children() }];
      }
      case 'divider':
        return [{ type: 'divider', size: oneOf(['medium', 'small', 'large'], value('size')) }];
      case 'card':
        return [this.#card(fields, children(), depth)];
      case 'text':
      case 'link':
        return [{ type: 'text', runs: this.#runs(fields, [], undefined, depth) }];
      case 'image':
        return [
          { type: 'image', url: sourceIn(value('source')), aspectRatio: positive(value('aspectRatio')) },
        ];
      case 'markdown':
        return [{ type: 'markdown', content: this.text(fields['content']) }];
      case 'codeblock':
        return [
          {
            type: 'codeblock',
            content: this.text(fields['content']),
            syntax: this.text(fields['syntax']),
            state: this.#key(fields['state']),
            header: this.elements(fields['header'], depth + 1),
            footer: this.elements(fields['footer'], depth + 1),
          },
        ];
      case 'webframe':
        return [
          {
            type: 'webframe',
            url: sourceIn(value('source')),
            aspectRatio: positive(value('aspectRatio')),
            data: this.#action(fields['data']) ?? {},
            buttons: this.elements(fields['buttons'], depth + 1),
          },
        ];
      case 'button':
        return [
          {
            type: 'button',
            label: this.text(fields['label']) || this.text(fields['tooltip']),
            style: oneOf(['secondary', 'primary', 'danger'], value('style')),
            onPress: this.#action(fields['onPress']),
            isDisabled: value('disabled') === true,
          },
        ];
      case 'hint':
        return [{ type: 'hint', children: children() }];
      case 'stepper':
        return [this.#stepper(fields, depth)];
      case 'input':
        return [
          {
            type: 'input',
            label: this.text(fields['label']),
            hint: this.#runs(fields['hint'], [], undefined, depth),
            element: this.elements([fields['element']], depth + 1)[0],
          },
        ];
      case 'textinput':
      case 'select':
      case 'switch':
      case 'checkbox':
      case 'radio':
        return [this.#field(fields['type'], fields)];
      default:
        return children();
    }
  }

  #card(fields: Fields, children: readonly Element[], depth: number): Element {
    const { icon } = fields;
    return {
      type: 'card',
      title: this.text(fields['title']),
      hint: this.#runs(fields['hint'], [], undefined, depth),
      icon: isRecord(icon) ? sourceIn(resolveState(icon['source'], this.#state)) : undefined,
      onPress: this.#action(fields['onPress']),
      buttons: this.elements(fields['buttons'], depth + 1),
      children,
    };
  }

  #stepper(fields: Fields, depth: number): Element {
    const given = Array.isArray(fields['children']) ? (fields['children'] as unknown[]).flat() : [];
    const active = resolveState(fields['activeStep'], this.#state);
    const steps = [];
    for (const step of given) {
      if (this.#isFull()) break;
      if (!isRecord(step) || step['type'] !== 'step') continue;
      this.nodes++;
      const id = this.text(step['id']);
      steps.push({
        id,
        title: this.text(step['title']),
        isActive: id !== '' && active === id,
        children: this.elements(step['children'], depth + 2),
      });
    }
    return { type: 'stepper', steps };
  }

  #field(type: 'textinput' | 'select' | 'switch' | 'checkbox' | 'radio', fields: Fields): Element {
    const state = this.#key(fields['state']) ?? '';
    const value = (name: string): unknown => resolveState(fields[name], this.#state);
    const held = Object.hasOwn(this.#state, state) ? this.#state[state] : value('initialValue');
    const isDisabled = value('disabled') === true;
    if (type === 'switch') return { type, state, isOn: held === true };
    if (type === 'textinput')
      return {
        type,
        state,
        value: this.text(held),
        inputType: oneOf(['text', 'password', 'email'], value('inputType')),
        placeholder: this.text(fields['placeholder']),
        isMultiline: value('multiline') === true,
        isDisabled,
      };
    const values = (Array.isArray(held) ? held.slice(0, maxSize.nodes) : [held]).map((one) => this.text(one));
    if (type === 'checkbox' || type === 'radio') {
      const own = this.text(fields['value']);
      return { type, state, value: own, isOn: held === true || values.includes(own) };
    }
    const given = value('options');
    const options = [];
    for (const option of Array.isArray(given) ? given : []) {
      if (this.#isFull()) break;
      this.nodes++;
      const id = isRecord(option) ? this.text(option['id']) : '';
      if (isRecord(option)) options.push({ id, label: this.text(option['label']) || id });
    }
    return {
      type,
      state,
      values: values.filter((one) => one !== ''),
      placeholder: this.text(fields['placeholder']),
      isMultiple: value('multiple') === true,
      options,
    };
  }

  /** Converts nested texts and links to runs with their marks. */
  #runs(value: unknown, marks: readonly TextMark[], url: string | undefined, depth: number): TextRun[] {
    if (depth > maxDepth) this.isTooDeep = true;
    if (this.#isFull()) return [];
    if (Array.isArray(value))
      return value.flatMap((item) => {
        this.nodes++;
        return this.#runs(item, marks, url, depth + 1);
      });
    if (!isRecord(value) || Object.hasOwn(value, '$state')) {
      const text = this.text(value);
      return text === '' ? [] : [{ text, marks, url }];
    }
    const style = resolveState(value['style'], this.#state);
    const mark = textMarks.find((one) => one === style);
    const own = mark === undefined || marks.includes(mark) ? marks : [...marks, mark];
    const target =
      value['type'] === 'link' ? targetIn(resolveState(value['target'], this.#state)) : undefined;
    return this.#runs(value['children'], own, target ?? url, depth + 1);
  }

  #key(value: unknown): string | undefined {
    return typeof value === 'string' && value !== '' ? this.text(value) : undefined;
  }

  /** Returns a value for the script. Browsers get it as data, so only its size is checked. */
  #action(value: unknown): Action | undefined {
    if (!isRecord(value)) return undefined;
    // An address from the state is checked when it is opened.
    const isAddress = value['action'] === '@ui.url.open' && !isRecord(value['url']);
    if (isAddress && linkAddress(value['url']) === undefined) return undefined;
    try {
      this.characters += JSON.stringify(value).length;
    } catch {
      // A value that JSON cannot represent did not come from a script.
      return undefined;
    }
    return this.#isFull() ? undefined : value;
  }
}

/** Returns the address of an image or a frame. */
function sourceIn(value: unknown): string | undefined {
  return webAddress(isRecord(value) ? value['url'] : value);
}

/** Returns the target of a link. */
function targetIn(value: unknown): string | undefined {
  return linkAddress(isRecord(value) ? value['url'] : value);
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value < 1000 ? value : undefined;
}

/** Returns the value if it is one of the choices, otherwise the first choice. */
function oneOf<const T extends string>(choices: readonly [T, ...T[]], value: unknown): T {
  return choices.find((choice) => choice === value) ?? choices[0];
}
