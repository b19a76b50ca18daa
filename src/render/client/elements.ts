/** Finds all elements of a page that a selector chooses. */
export function all<T extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T[] {
  return [...within.querySelectorAll<T>(selector)];
}

/** Makes an element with attributes and content. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

let status: HTMLElement | undefined;

/** Says a text to screen readers, which do not notice what only looks different. */
export function announce(text: string): void {
  status ??= document.body.appendChild(make('p', { class: 'visually-hidden', role: 'status' }));
  status.textContent = text;
}

/** The words that the page gives to its scripts. */
export function wordOf(name: string): string {
  return document.body.dataset[name] ?? '';
}

/** Decodes the part of an address after #; one that is not encoded well stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
