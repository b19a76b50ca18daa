import { parseUrl } from '../contract/parse-url.ts';
/** A site whose content may be shown in a frame. */
interface Embed {
  readonly name: string;
  readonly frame: string;
  /** The shape of the frame: of a video, of a document, or of a line. */
  readonly shape: 'video' | 'document' | 'audio';
}

interface KnownSite extends Omit<Embed, 'frame'> {
  readonly hosts: readonly string[];
  readonly frameHost: string;
  readonly frameOf: (url: URL) => string | undefined;
}

const id = '([\\w-]{1,100})';
const match = (pattern: string, text: string): string | undefined =>
  new RegExp(`^${pattern}`).exec(text)?.[1];

const knownSites: readonly KnownSite[] = [
  {
    name: 'YouTube',
    hosts: ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be', 'www.youtube-nocookie.com'],
    frameHost: 'https://www.youtube-nocookie.com',
    shape: 'video',
    frameOf: ({ hostname, pathname, searchParams }) => {
      const video =
        hostname === 'youtu.be'
          ? match(`/${id}`, pathname)
          : (match(`/(?:embed|shorts|live)/${id}`, pathname) ?? match(id, searchParams.get('v') ?? ''));
      return video === undefined ? undefined : `https://www.youtube-nocookie.com/embed/${video}`;
    },
  },
  {
    name: 'Vimeo',
    hosts: ['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'],
    frameHost: 'https://player.vimeo.com',
    shape: 'video',
    frameOf: ({ pathname }) => {
      const video = match('/(?:video/)?(\\d{1,12})', pathname);
      return video === undefined ? undefined : `https://player.vimeo.com/video/${video}`;
    },
  },
  {
    name: 'Loom',
    hosts: ['loom.com', 'www.loom.com'],
    frameHost: 'https://www.loom.com',
    shape: 'video',
    frameOf: ({ pathname }) => {
      const video = match(`/(?:share|embed)/${id}`, pathname);
      return video === undefined ? undefined : `https://www.loom.com/embed/${video}`;
    },
  },
  {
    name: 'Figma',
    hosts: ['figma.com', 'www.figma.com'],
    frameHost: 'https://www.figma.com',
    shape: 'document',
    frameOf: ({ href, pathname }) =>
      match('/((?:file|design|proto|board)/)', pathname) === undefined
        ? undefined
        : `https://www.figma.com/embed?embed_host=docs&url=${encodeURIComponent(href)}`,
  },
  {
    name: 'CodePen',
    hosts: ['codepen.io'],
    frameHost: 'https://codepen.io',
    shape: 'document',
    frameOf: ({ pathname }) => {
      const pen = match(`/([\\w-]{1,100}/)(?:pen|embed)/`, pathname);
      const name = match(`/[\\w-]{1,100}/(?:pen|embed)/${id}`, pathname);
      return pen === undefined || name === undefined ? undefined : `https://codepen.io/${pen}embed/${name}`;
    },
  },
  {
    name: 'CodeSandbox',
    hosts: ['codesandbox.io'],
    frameHost: 'https://codesandbox.io',
    shape: 'document',
    frameOf: ({ pathname }) => {
      const box = match(`/(?:s|embed)/${id}`, pathname);
      return box === undefined ? undefined : `https://codesandbox.io/embed/${box}`;
    },
  },
  {
    name: 'Spotify',
    hosts: ['open.spotify.com'],
    frameHost: 'https://open.spotify.com',
    shape: 'audio',
    frameOf: ({ pathname }) => {
      const item = match('/(?:embed/)?((?:track|album|playlist|episode|show)/\\w{1,100})', pathname);
      return item === undefined ? undefined : `https://open.spotify.com/embed/${item}`;
    },
  },
];

/**
 * The sandbox of frames. They keep their own origin (`allow-same-origin`), because otherwise players cannot read their settings
 * or call their own servers, and show an error. A frame still has no access to a site, because its origin is one of the hosts in
 * the table above, which differs from the origin of every site. (A frame with the origin of the site could remove its sandbox.)
 * Frames cannot navigate the site or themselves to other pages, submit forms, or show dialogs.
 */
export const frameSandbox = 'allow-scripts allow-same-origin allow-popups allow-presentation';

/** The allowed hosts of frames, for the Content-Security-Policy of a site. */
export const frameHosts: readonly string[] = [...new Set(knownSites.map(({ frameHost }) => frameHost))];

/** Returns how to show an address of a known site in a frame; undefined for all other addresses. */
export function embedOf(address: string): Embed | undefined {
  const url = parseUrl(address);
  if (url === undefined) return undefined;
  const site = knownSites.find(({ hosts }) => hosts.includes(url.hostname));
  const frame = site?.frameOf(url);
  return site === undefined || frame === undefined
    ? undefined
    : { name: site.name, shape: site.shape, frame };
}
