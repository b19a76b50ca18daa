import { defined } from '../../contract/values.ts';
import type { ReferenceResolver, ReferenceSource } from '../../content/links/reference-resolver.ts';
import { settingsOf } from '../../content/page-settings.ts';
import type { PageEntry } from '../../content/rows.ts';
import { defaultLayout } from '../../contract/page-layout.ts';
import { mayHaveSettings, type PageCover, type Variables } from '../../richtext/page-settings.ts';
import type { PageBody } from './schemas.ts';

type Settings = Pick<PageBody, 'layout' | 'cover' | 'variables' | 'metaLinks' | 'tags'>;
type PageLink = NonNullable<NonNullable<PageBody['metaLinks']>['canonical']>;
type Image = NonNullable<NonNullable<PageBody['cover']>['ref']>;

/** The data for resolving the references of a page. */
interface Place {
  readonly space: string;
  readonly path: string;
  readonly references: ReferenceResolver;
}

/** The settings of a page whose front matter has none of these fields. */
export const defaultSettings: Settings = { layout: defaultLayout, tags: [] };

/** Whether the front matter of a page sets its layout, cover, variables, links or tags. */
export function hasOwnSettings({ settings, frontMatter }: PageEntry): boolean {
  return settings !== undefined || (frontMatter !== undefined && mayHaveSettings(frontMatter));
}

/** Returns the layout, cover, variables, links and tags of a page in the form of the API. */
export async function shapeSettings(page: PageEntry, place: Place): Promise<Settings> {
  const { layout, cover, variables, metaLinks, tags = [] } = await settingsOf(page);
  const shaper = new Shaper(page, place);
  return {
    layout: { ...defaultLayout, ...layout },
    ...(await shaper.cover(cover)),
    ...(variables === undefined ? {} : { variables: textsOf(variables) }),
    ...(metaLinks === undefined
      ? {}
      : {
          metaLinks: defined({
            canonical: metaLinks.canonical === undefined ? undefined : await shaper.link(metaLinks.canonical),
            alternates: metaLinks.alternates && (await Promise.all(metaLinks.alternates.map(shaper.link))),
          }),
        }),
    tags: tags.map(({ tag, primary }) => ({ tag: { kind: 'tag', tag }, ...defined({ primary }) })),
  };
}

/** Returns the values of variables as texts. In front matter, they can also be numbers and booleans. */
function textsOf(variables: Variables): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]));
}

class Shaper {
  readonly #place: Place;
  readonly #source: ReferenceSource;

  constructor(page: PageEntry, place: Place) {
    this.#place = place;
    this.#source = place.references.sourceOf(page, place.path);
  }

  async cover({ ref, refDark, yPos = 0, height }: PageCover = {}): Promise<Pick<PageBody, 'cover'>> {
    if (ref === undefined && refDark === undefined) return {};
    return {
      cover: defined({
        ref: ref === undefined ? undefined : await this.#image(ref),
        refDark: refDark === undefined ? undefined : await this.#image(refDark),
        yPos,
        height,
      }),
    };
  }

  readonly link = async (address: string): Promise<PageLink> => {
    const ref = await this.#place.references.resolve(this.#source, address);
    return ref.kind === 'page' ? { space: this.#place.space, ...ref } : { kind: 'url', url: address };
  };

  async #image(address: string): Promise<Image> {
    const ref = await this.#place.references.resolve(this.#source, address);
    return ref.kind === 'file' ? { space: this.#place.space, ...ref } : { kind: 'url', url: address };
  }
}
