import type { Drawn, Picture } from './diagrams.ts';

// Runs in a frame of its own, beside Mermaid: it draws the texts that the page sends, and sends pictures back.

/** What is used of Mermaid. */
declare const mermaid: {
  initialize(settings: Readonly<Record<string, unknown>>): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
};

const themes = { light: 'default', dark: 'dark' } as const;

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source === parent && Array.isArray(data)) void drawAll(data.map(String));
});

async function drawAll(sources: readonly string[]): Promise<void> {
  const drawn = sources.map(() => new Map<string, Picture>());
  for (const [name, theme] of Object.entries(themes)) {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme,
      // The same fonts here and in the picture, which can load none.
      fontFamily: 'system-ui, sans-serif',
    });
    for (const [index, text] of sources.entries())
      try {
        const { svg } = await mermaid.render(`diagram-${name}-${index}`, text);
        const picture = toPicture(svg);
        if (picture !== undefined) drawn[index]?.set(name, picture);
      } catch {
        // The page shows what its author wrote.
      }
  }
  for (const [index, pictures] of drawn.entries()) {
    const [light, dark] = [pictures.get('light'), pictures.get('dark')];
    const answer: Drawn =
      light === undefined || dark === undefined ? { index } : { index, pictures: { light, dark } };
    parent.postMessage(answer, '*');
  }
}

/** Makes an SVG for a document of its own: well-formed XML with a size. */
function toPicture(text: string): Picture | undefined {
  const svg = new DOMParser().parseFromString(text, 'text/html').querySelector('svg');
  if (svg === null) return undefined;
  const { width, height } = svg.viewBox.baseVal;
  if (!(width > 0 && height > 0)) return undefined;
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  svg.style.removeProperty('max-width');
  const said = ['title', 'desc'].map(
    (name) => svg.querySelector(`:scope > ${name}`)?.textContent.trim() ?? '',
  );
  return {
    svg: new XMLSerializer().serializeToString(svg),
    width,
    height,
    text: said.filter((part) => part !== '').join('. '),
  };
}
