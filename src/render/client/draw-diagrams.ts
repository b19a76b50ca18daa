import type { Asked, Drawn, Picture } from './diagrams.ts';

// Runs in its own frame, together with Mermaid. It draws the texts that the page sends, and sends pictures back.

declare const mermaid: {
  initialize(settings: Readonly<Record<string, unknown>>): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
};

const themes = { light: 'default', dark: 'dark' } as const;

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  const { index, text } = (data ?? {}) as Partial<Asked>;
  if (source === parent && typeof index === 'number' && typeof text === 'string') void draw({ index, text });
});

async function draw({ index, text }: Asked): Promise<void> {
  const pictures = new Map<string, Picture>();
  for (const [name, theme] of Object.entries(themes)) {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme,
      // The picture cannot load fonts, so the same system fonts must be used when it is measured here.
      fontFamily: 'system-ui, sans-serif',
    });
    try {
      const { svg } = await mermaid.render(`diagram-${name}-${index}`, text);
      const picture = toPicture(svg);
      if (picture !== undefined) pictures.set(name, picture);
    } catch {
      // The page then shows the source.
    }
  }
  const [light, dark] = [pictures.get('light'), pictures.get('dark')];
  const answer: Drawn =
    light === undefined || dark === undefined ? { index } : { index, pictures: { light, dark } };
  parent.postMessage(answer, '*');
}

/** Elements that a picture does not need. They have no effect in an image, but might have one if somebody opens it directly. */
const needless = 'script, iframe, object, embed, link, meta, base, form, animate[attributeName="href"], set';

/** Creates an SVG that can be shown as an image: well-formed XML with a size, without scripts or external links. */
function toPicture(text: string): Picture | undefined {
  const svg = new DOMParser().parseFromString(text, 'text/html').querySelector('svg');
  if (svg === null) return undefined;
  const { width, height } = svg.viewBox.baseVal;
  if (!(width > 0 && height > 0)) return undefined;
  for (const element of svg.querySelectorAll(needless)) element.remove();
  for (const element of [svg, ...svg.querySelectorAll('*')])
    for (const { name, value } of Array.from(element.attributes))
      if (/^on/i.test(name) || (/^(?:xlink:)?(?:href|src|srcset)$/i.test(name) && !isInside(value)))
        element.removeAttribute(name);
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

/** Whether an address is a fragment or an embedded image. */
function isInside(address: string): boolean {
  return /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp);)/i.test(address);
}
