import { all, announce, decode, make, wordOf } from './elements.ts';

/** Adds a button to each block of code that copies it, and shows the other buttons that copy. */
export function setUpCopying(): void {
  // Browsers let no page copy that was loaded over plain HTTP from another machine.
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
  // A page that was opened from a disk can load no other.
  if (location.protocol === 'file:') return;
  for (const button of all<HTMLButtonElement>('[data-copy-page]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copyPage(button.dataset['copyPage'] ?? '', button));
  }
}

/** Copies the Markdown of the page. If it cannot be loaded, the browser opens its address, which says why. */
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

/** Loads what another site shows when a reader asks for it. */
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

/** Marks the heading in the outline that a reader is at. */
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

/** The themes, in the order in which a button switches them. `auto` follows the system. */
const themes = ['auto', 'light', 'dark'] as const;

/** Lets a reader choose a theme, and keeps the choice. */
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
        // A browser that keeps nothing forgets the choice.
      }
    });
  }
}

/** Parts that are not wider than the page need no stop of the keyboard: only those that scroll keep it. */
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
            // The browser shows what the site says when it sends the form itself.
            form.replaceChildren(
              ...[...body].map(([name, value]) => make('input', { type: 'hidden', name, value })),
            );
            form.submit();
            return;
          }
          // The button that had the focus is gone. What takes the focus is read.
          const thanks = make('p', { tabindex: '-1' }, form.dataset['feedback'] ?? '');
          form.replaceChildren(thanks);
          thanks.focus();
        });
    });
}
