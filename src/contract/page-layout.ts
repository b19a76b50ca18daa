/** The parts of a page that its front matter can show or hide. */
export const layoutFlags = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
] as const;
export const layoutWidths = ['default', 'wide'] as const;
export const coverSizes = ['hero', 'full', 'background'] as const;
export const coverMasks = ['none', 'radial'] as const;

export type PageLayout = Readonly<Record<(typeof layoutFlags)[number] | 'cover', boolean>> & {
  readonly width: (typeof layoutWidths)[number];
  readonly coverSize: (typeof coverSizes)[number];
  readonly coverMask: (typeof coverMasks)[number];
};

/** The layout of a page without layout settings in its front matter. */
export const defaultLayout: PageLayout = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
};

/** Minimum and maximum height of a cover, in pixels. */
export const coverHeights = { min: 10, max: 700 } as const;
/** Maximum number of characters of a text variable. */
export const maxVariableLength = 256;
