/** Returns all elements of a page that match a selector. */
export function all<T extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T[] {
  return [...within.querySelectorAll<T>(selector)];
}

/** Creates an element with attributes and content. */
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

/** Announces a text to screen readers, which do not notice visual changes. */
export function announce(text: string): void {
  status ??= document.body.appendChild(make('p', { class: 'visually-hidden', role: 'status' }));
  status.textContent = text;
}

/** Returns a word of the page for its scripts, in the language of the site. */
export function wordOf(name: string): string {
  return document.body.dataset[name] ?? '';
}

/** Decodes the fragment of an address. Returns it unchanged if its encoding is invalid. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
