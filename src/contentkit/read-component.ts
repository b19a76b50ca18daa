import { isRecord, recordOf } from '../contract/values.ts';
import { ElementReader, maxDepth, maxSize } from './read-elements.ts';
import type { Component } from './elements.ts';

/** A component, or one sentence that says why the value is not one. */
type ReadComponent =
  | { readonly component: Component; readonly problem?: undefined }
  | { readonly problem: string; readonly component?: undefined };

const roots = ['block', 'modal', 'configuration'] as const;

/**
 * Parses the element in a script's answer. The answer is not trusted: unknown elements are replaced by their children, and
 * invalid parts are left out. Never throws.
 */
export function readComponent(element: unknown, state: unknown = {}): ReadComponent {
  const type = isRecord(element) ? roots.find((root) => root === element['type']) : undefined;
  if (!isRecord(element) || type === undefined)
    return {
      problem: 'The element in the answer of the script is neither a block, a modal nor a configuration.',
    };
  const reader = new ElementReader(recordOf(state));
  const children = reader.elements(element['children'], 1);
  const [submit] = reader.elements([element['submit']], 1);
  const component = {
    type,
    title: reader.text(element['title']),
    subtitle: reader.text(element['subtitle']),
    submit: submit?.type === 'button' ? submit : undefined,
    children,
  };
  const { nodes, characters, isTooDeep } = reader;
  if (isTooDeep) return { problem: `The elements are nested more than ${maxDepth} levels deep.` };
  if (nodes > maxSize.nodes)
    return { problem: `There are more than ${maxSize.nodes.toLocaleString('en')} elements.` };
  if (characters > maxSize.characters)
    return { problem: `The text has more than ${maxSize.characters.toLocaleString('en')} characters.` };
  return { component };
}

/** Parses the answer of a script to the event `ui_render`. */
export function readRendered(answer: unknown): ReadComponent {
  if (!isRecord(answer)) return { problem: 'The answer of the script is not an object.' };
  if (answer['type'] === 'complete') return { problem: 'The script returned nothing to draw.' };
  if (answer['type'] !== 'element') return { problem: 'The answer of the script has no element.' };
  return readComponent(answer['element'], answer['state']);
}
