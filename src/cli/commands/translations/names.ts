import type { OutputOf } from '../../../contract/operation.ts';
import { listSpaces } from '../../../resources/spaces/contract.ts';
import type { Translation } from '../../../resources/translations/contract.ts';
import type { Static } from '../../../contract/schema.ts';
import { languageName } from '../../../translation/language-name.ts';
import { eachPage } from '../../../contract/each-page.ts';
import type { Session } from '../../session.ts';

type Item = Static<typeof Translation>;

/** A translation by what people call it: the titles of its spaces, and its language. */
export interface NamedTranslation extends Item {
  /** Title of the space that it is written to, or is to have. */
  readonly title: string;
  readonly from: string;
  readonly languageName: string;
}

/** Gives translations their names. `isWhole` looks through all spaces; without it one call must do, and an id stands for what that did not find. */
export async function nameTranslations(
  session: Session,
  organizationId: string,
  isWhole: boolean,
): Promise<(items: readonly unknown[]) => NamedTranslation[]> {
  const titles = new Map<string, string>();
  const api = await session.api();
  const call = (page?: string): Promise<OutputOf<typeof listSpaces>> =>
    api.call(
      listSpaces,
      {
        params: { organizationId },
        query: { limit: 1000, ...(page === undefined ? {} : { page }) },
      },
      { signal: session.runtime.signal },
    );
  for await (const { items } of eachPage(call)) {
    for (const { id, title } of items) titles.set(id, title);
    if (!isWhole) break;
  }
  return (items) => items.map((item) => named(item as Item, titles));
}

function named(item: Item, titles: ReadonlyMap<string, string>): NamedTranslation {
  const { source, language, result } = item;
  const from = titles.get(source.space) ?? source.space;
  const name = languageName(language);
  return {
    ...item,
    from,
    languageName: name,
    title: result === undefined ? `${from} (${name})` : (titles.get(result.space) ?? result.space),
  };
}
