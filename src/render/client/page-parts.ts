import { all, announce, decode, make, wordOf } from './elements.ts';

/** Adds a copy button to each block of code, and shows the other copy buttons. */
export function setUpCopying(): void {
  // Browsers do not allow copying on a page that was loaded over plain HTTP from another machine.
  if (!isSecureContext) return;
  for (const block of all('.code')) {
    const button = make('button', { type: 'button', class: 'copy-button' }, wordOf('copy'));
    button.addEventListener('click', () => {
      const lines = all('.line', block);
      const text =
        lines.length > 0
          ? lines.map((line) => line.textContent).join('')
          : (block.querySelector('code')?.textContent ?? '');
      void copy(text, button);
    });
    block.append(button);
  }
  for (const button of all<HTMLButtonElement>('[data-copy-text]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button.dataset['copyText'] ?? '', button));
  }
  // A page that was opened from a disk cannot load other files.
  if (location.protocol === 'file:') return;
  for (const button of all<HTMLButtonElement>('[data-copy-page]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copyPage(button.dataset['copyPage'] ?? '', button));
  }
}

/** Copies the Markdown of the page. If it cannot be loaded, opens its address, which shows the error. */
async function copyPage(address: string, button: HTMLButtonElement): Promise<void> {
  const answer = await fetch(address).catch(() => undefined);
  if (answer?.ok === true) await copy(await answer.text(), button);
  else location.assign(address);
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(text);
  const before = [...button.childNodes];
  button.replaceChildren(wordOf('copied'));
  announce(wordOf('copied'));
  setTimeout(() => button.replaceChildren(...before), 1600);
}

/** Loads embedded content of another site when the reader requests it. */
export function setUpEmbeds(): void {
  for (const embed of all('.embed[data-frame]')) {
    const link = embed.querySelector('a');
    link?.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      link.replaceWith(
        make('iframe', {
          src: embed.dataset['frame'] ?? '',
          title: embed.dataset['title'] ?? '',
          sandbox: embed.dataset['sandbox'] ?? '',
          allow: 'fullscreen',
          referrerpolicy: 'strict-origin-when-cross-origin',
        }),
      );
    });
  }
}

/** Marks the current heading in the outline. */
export function setUpOutline(): void {
  const links = all<HTMLAnchorElement>('.outline a');
  const headings = links.map((link) => document.getElementById(decode(link.hash.slice(1))));
  if (headings.length === 0) return;
  const mark = (): void => {
    const line = innerHeight / 4;
    const passed = headings.filter(
      (heading) => heading !== null && heading.getBoundingClientRect().top < line,
    ).length;
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const current = isAtEnd ? links.length - 1 : Math.max(0, passed - 1);
    for (const [index, link] of links.entries())
      if (index === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}

/** The themes, in the order of the button. `auto` follows the system. */
const themes = ['auto', 'light', 'dark'] as const;

/** Lets a reader choose a theme, and stores the choice. */
export function setUpTheme(): void {
  const root = document.documentElement;
  for (const button of all<HTMLButtonElement>('[data-theme-toggle]')) {
    const indexOf = (): number =>
      Math.max(
        0,
        themes.findIndex((theme) => theme === root.dataset['theme']),
      );
    const describe = (): void => {
      const label = button.dataset[themes[indexOf()] ?? 'auto'] ?? '';
      button.setAttribute('aria-label', label);
      button.title = label;
    };
    button.hidden = false;
    describe();
    button.addEventListener('click', () => {
      const theme = themes[(indexOf() + 1) % themes.length] ?? 'auto';
      root.dataset['theme'] = theme;
      describe();
      try {
        localStorage.setItem('theme', theme);
      } catch {
        // Without storage, the choice is lost.
      }
    });
  }
}

/** Removes elements from the tab order that do not scroll. Only scrolling ones need keyboard focus. */
export function setUpScrolling(
  parts = all('.content :is([tabindex="0"]:is(.table, pre, .math), .katex)'),
): void {
  const kept = new Map(parts.map((part) => [part, part.getAttribute('aria-label')]));
  const adapt = (part: Element): void => {
    const label = kept.get(part as HTMLElement) ?? null;
    const isScrolling = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', label === null ? null : 'region'],
      ['aria-label', label],
    ] as const)
      if (isScrolling && value !== null) part.setAttribute(name, value);
      else part.removeAttribute(name);
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) adapt(target);
  });
  for (const part of parts) observer.observe(part);
}

/** Sends feedback without leaving the page. */
export function setUpFeedback(): void {
  for (const form of all<HTMLFormElement>('form[data-feedback]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const data = new FormData(form, event.submitter);
      const body = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
      const headers = { accept: 'application/json' };
      void fetch(form.action, { method: 'POST', headers, body })
        .catch(() => undefined)
        .then((answer) => {
          if (answer?.ok !== true) {
            // Shows the same message as the server's response to the form.
            form.replaceChildren(
              ...[...body].map(([name, value]) => make('input', { type: 'hidden', name, value })),
            );
            form.submit();
            return;
          }
          // The focused button was removed. Screen readers read the element that gets the focus.
          const thanks = make('p', { tabindex: '-1' }, form.dataset['feedback'] ?? '');
          form.replaceChildren(thanks);
          thanks.focus();
        });
    });
}
