import { eachPage } from '../../../contract/each-page.ts';
import type { Static } from '../../../contract/schema.ts';
import { defined } from '../../../contract/values.ts';
import { listSpaces } from '../../../resources/spaces/contract.ts';
import type { Translation } from '../../../resources/translations/contract.ts';
import { languageName } from '../../../translation/language-name.ts';
import type { Session } from '../../session/session.ts';

type Item = Static<typeof Translation>;

/** A translation with the titles of its spaces and the name of its language. */
interface NamedTranslation extends Item {
  /** The title of the target space, or of the space to be created. */
  readonly title: string;
  /** The title of the source space. */
  readonly from: string;
  readonly languageName: string;
  /** The status, with the reason if the latest run failed. */
  readonly state: string;
}

/**
 * Reads the titles of spaces, and returns a function that adds names to translations. With `isWhole`, all spaces are read;
 * otherwise only the first page, and IDs replace other titles.
 */
export async function nameTranslations(
  session: Session,
  organizationId: string,
  isWhole: boolean,
): Promise<(items: readonly unknown[]) => NamedTranslation[]> {
  const titles = new Map<string, string>();
  const list = (page?: string) =>
    session.call(listSpaces, { params: { organizationId }, query: { limit: 1000, ...defined({ page }) } });
  for await (const { items } of eachPage(list)) {
    for (const { id, title } of items) titles.set(id, title);
    if (!isWhole) break;
  }
  return (items) => (items as readonly Item[]).map((item) => addNames(item, titles));
}

function addNames(item: Item, titles: ReadonlyMap<string, string>): NamedTranslation {
  const { source, language, result, status, problem } = item;
  const titleOf = (spaceId: string) => titles.get(spaceId) ?? spaceId;
  const from = titleOf(source.space);
  const name = languageName(language);
  const title = result === undefined ? `${from} (${name})` : titleOf(result.space);
  const state = problem === undefined ? status : `${status}: ${problem.message}`;
  return { ...item, from, languageName: name, title, state };
}
