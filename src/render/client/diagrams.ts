import { all, make, wordOf } from './elements.ts';
import { setUpScrolling } from './page-parts.ts';

/**
 * Draws the blocks of code in the language Mermaid as pictures, and keeps their source below. A frame draws them that can
 * reach neither the page nor anything else. What it cannot draw stays as it is written.
 */
export function setUpDiagrams(): void {
  const { diagrams } = document.body.dataset;
  const blocks = all('.code').filter((block) => block.querySelector('code.language-mermaid') !== null);
  // A page that was opened from a disk cannot give the frame its scripts.
  if (diagrams === undefined || blocks.length === 0 || location.protocol === 'file:') return;
  const frame = make('iframe', {
    src: diagrams,
    sandbox: 'allow-scripts',
    class: 'diagram-frame',
    title: wordOf('diagram'),
    'aria-hidden': 'true',
    tabindex: '-1',
  });
  let missing = blocks.length;
  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== frame.contentWindow) return;
    const drawn = data as Partial<Drawn> | null;
    const block = blocks[Number(drawn?.index)];
    if (block !== undefined && drawn?.pictures !== undefined) show(block, drawn.pictures);
    if (--missing === 0) frame.remove();
  });
  frame.addEventListener('load', () => {
    const sources = blocks.map((block) => block.querySelector('code')?.textContent ?? '');
    // The frame has no origin that could be named.
    frame.contentWindow?.postMessage(sources, '*');
  });
  document.body.append(frame);
}

/** A diagram as SVG, in the colors of a theme. */
export interface Picture {
  readonly svg: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** What its author says that it shows; '' for nothing. */
  readonly text: string;
}

/** What the frame answers for each diagram; no pictures for one that it cannot draw. */
export interface Drawn {
  readonly index: number;
  readonly pictures?: Readonly<Record<'light' | 'dark', Picture>>;
}

/** The smallest size of a picture, where 1 is its own. */
const minScale = 0.6;

function show(block: HTMLElement, pictures: NonNullable<Drawn['pictures']>): void {
  const images = (['light', 'dark'] as const).map((theme) => {
    const { svg, width, height, text } = pictures[theme];
    const image = make('img', {
      class: `only-${theme}`,
      // Nothing in a picture runs, and it loads nothing.
      src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
      alt: text || wordOf('diagram'),
      width: String(Math.ceil(width)),
      height: String(Math.ceil(height)),
    });
    // A wide one scrolls before nobody could read it.
    image.style.minWidth = `${Math.ceil(width * minScale)}px`;
    return image;
  });
  const figure = make(
    'figure',
    { class: 'diagram', tabindex: '0', role: 'region', 'aria-label': wordOf('diagram') },
    ...images,
  );
  block.before(figure);
  setUpScrolling([figure]);
  const source = make('details', { class: 'diagram-source' }, make('summary', {}, wordOf('diagramSource')));
  block.replaceWith(source);
  source.append(block);
}
