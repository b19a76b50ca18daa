import { all, make, wordOf } from './elements.ts';
import { setUpScrolling } from './page-parts.ts';

/** The longest text that is drawn, in characters, and the most diagrams of a page. Others stay as they are written. */
const limits = { text: 50_000, diagrams: 200 };
/** Milliseconds that the frame may take for one diagram, and for its first one, for which it loads Mermaid. */
const times = { first: 60_000, each: 15_000 };
/** How often a frame that does not answer is replaced. */
const maxFrames = 3;

/**
 * Draws the blocks of code in the language Mermaid as pictures, and keeps their source below. A frame draws them that can
 * reach neither the page nor anything else, one after the other, so that the page can be read meanwhile. What it cannot draw
 * stays as it is written.
 */
export function setUpDiagrams(): void {
  const { diagrams } = document.body.dataset;
  const blocks = all('.code').filter((block) => block.querySelector('code.language-mermaid') !== null);
  // A page that was opened from a disk cannot give the frame its scripts.
  if (diagrams === undefined || location.protocol === 'file:') return;
  const waiting = blocks
    .slice(0, limits.diagrams)
    .map((block) => ({ block, text: block.querySelector('code')?.textContent ?? '' }))
    .filter(({ text }) => text.length <= limits.text);
  if (waiting.length > 0) drawAll(diagrams, waiting);
}

interface Waiting {
  readonly block: HTMLElement;
  readonly text: string;
}

/** Draws diagrams in a frame, which is removed afterwards. One that does not answer in time is replaced by another one. */
function drawAll(address: string, waiting: readonly Waiting[]): void {
  let [next, frames] = [0, 0];
  const start = (): void => {
    const one = waiting[next];
    if (one === undefined || frames++ === maxFrames) return;
    const frame = make('iframe', {
      src: address,
      sandbox: 'allow-scripts',
      class: 'diagram-frame',
      title: wordOf('diagram'),
      'aria-hidden': 'true',
      tabindex: '-1',
    });
    let timer: number | undefined;
    const end = (): void => {
      removeEventListener('message', onMessage);
      frame.remove();
    };
    const give = (time: number): void => {
      const asked = waiting[next];
      if (asked === undefined) return end();
      const request: Asked = { index: next, text: asked.text };
      // The frame has no origin that could be named.
      frame.contentWindow?.postMessage(request, '*');
      timer = setTimeout(() => {
        next++;
        end();
        start();
      }, time);
    };
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      // Only the frame that was asked answers, and only once to each question.
      if (source === null || source !== frame.contentWindow) return;
      const drawn = data as Partial<Drawn> | null;
      const asked = waiting[next];
      if (drawn?.index !== next || asked === undefined) return;
      clearTimeout(timer);
      next++;
      const [light, dark] = [drawn.pictures?.light, drawn.pictures?.dark];
      if (isPicture(light) && isPicture(dark)) show(asked.block, { light, dark });
      setTimeout(() => give(times.each));
    };
    addEventListener('message', onMessage);
    // Once: if anything leads the frame elsewhere, that page gets nothing.
    frame.addEventListener('load', () => give(times.first), { once: true });
    document.body.append(frame);
  };
  start();
}

export interface Asked {
  readonly index: number;
  readonly text: string;
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

/** Whether the frame sent a picture: a text that draws what it is given may make it send anything. */
function isPicture(value: unknown): value is Picture {
  const { svg, width, height, text } = (value ?? {}) as Partial<Picture>;
  return (
    typeof svg === 'string' &&
    svg.startsWith('<svg') &&
    typeof text === 'string' &&
    [width, height].every((size) => typeof size === 'number' && size > 0 && size < 100_000)
  );
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
