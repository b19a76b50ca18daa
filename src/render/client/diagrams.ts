import { all, make, wordOf } from './elements.ts';
import { setUpScrolling } from './page-parts.ts';

/** Maximum length of a drawn text in characters, and maximum number of drawn diagrams of a page. Others are shown as code. */
const limits = { text: 50_000, diagrams: 200 };
/**
 * Time limits of the frame in milliseconds: for its first diagram, which includes loading Mermaid, and for each other diagram.
 */
const times = { first: 60_000, each: 15_000 };
/** Maximum number of frames that are tried if one does not answer. */
const maxFrames = 3;

/**
 * Draws Mermaid code blocks as pictures, and keeps their source below. They are drawn one after the other in an isolated frame
 * without access to the page or the network, so that the page can be read meanwhile. Code that cannot be drawn is shown as code.
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

/** Draws diagrams in a frame, and then removes the frame. A frame that does not answer in time is replaced. */
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
      // The frame has an opaque origin, so no target origin can be given.
      frame.contentWindow?.postMessage(request, '*');
      timer = setTimeout(() => {
        next++;
        end();
        start();
      }, time);
    };
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      // Accepts only the frame that was asked, and only one answer to each request.
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
    // Only once: if the frame navigates to another page, that page must not get any data.
    frame.addEventListener('load', () => give(times.first), { once: true });
    document.body.append(frame);
  };
  start();
}

export interface Asked {
  readonly index: number;
  readonly text: string;
}

/** A diagram as SVG for one theme. */
export interface Picture {
  readonly svg: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The description from the author of the diagram; '' if there is none. */
  readonly text: string;
}

/** The answer of the frame for each diagram; without pictures if it cannot draw the diagram. */
export interface Drawn {
  readonly index: number;
  readonly pictures?: Readonly<Record<'light' | 'dark', Picture>>;
}

/**
 * Whether a value from the frame is a picture. It must be checked, because a malicious diagram may make the frame send anything.
 */
function isPicture(value: unknown): value is Picture {
  const { svg, width, height, text } = (value ?? {}) as Partial<Picture>;
  return (
    typeof svg === 'string' &&
    svg.startsWith('<svg') &&
    typeof text === 'string' &&
    [width, height].every((size) => typeof size === 'number' && size > 0 && size < 100_000)
  );
}

/** Minimum scale of a picture (1: its own size). */
const minScale = 0.6;

function show(block: HTMLElement, pictures: NonNullable<Drawn['pictures']>): void {
  const images = (['light', 'dark'] as const).map((theme) => {
    const { svg, width, height, text } = pictures[theme];
    const image = make('img', {
      class: `only-${theme}`,
      // SVG in an image cannot run scripts or load anything.
      src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
      alt: text || wordOf('diagram'),
      width: String(Math.ceil(width)),
      height: String(Math.ceil(height)),
    });
    // A wide picture scrolls instead of becoming unreadable.
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
