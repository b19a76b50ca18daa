import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../../contract/api.ts';
import { comparable } from '../../core/redirect-paths.ts';
import { isRecord, plural } from '../../contract/values.ts';
import { openBackend } from '../../manifest/backend.ts';
import { readRedirects } from '../../manifest/kinds/redirects.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { addSection, deleteSection } from '../../resources/site-sections/contract.ts';
import { addSiteSpace, deleteSiteSpace } from '../../resources/site-spaces/contract.ts';
import { deleteSpace } from '../../resources/spaces/contract.ts';
import { noteBrokenRedirects, type Broken } from '../results/broken-redirects.ts';
import { readLinkImpact } from '../results/link-impact.ts';
import { makeMoved } from '../results/make-moved.ts';
import { noteMoved, type Moved } from '../results/moved-redirects.ts';
import type { Session } from '../session/session.ts';

const deletions: ReadonlySet<string> = new Set([deleteSection.id, deleteSiteSpace.id, deleteSpace.id]);

const additions: ReadonlySet<string> = new Set([addSection.id, addSiteSpace.id]);

/** Returns the ID of a created section or site space, and of the site spaces in it. */
function idsIn(answer: unknown): string[] {
  if (!isRecord(answer)) return [];
  const { id, siteSpaces } = answer;
  return [String(id), ...(Array.isArray(siteSpaces) ? siteSpaces.flatMap(idsIn) : [])];
}

/**
 * Collects the redirects that the steps of an apply need, and creates them after the steps. Notes redirects that the steps break.
 */
export class MovedCollector {
  readonly #session: Session;
  readonly #makes: boolean;
  readonly #found = new Map<string, Moved>();
  /** IDs of the sections and site spaces that the steps create. */
  readonly #created = new Set<string>();
  #broken: readonly Broken[] = [];
  /** IDs of the parts of sites, and of the spaces, that the plan deletes. */
  #deletedParts: readonly string[] = [];
  #deletedSpaces: readonly string[] = [];
  #organization = '';
  #asked: Promise<void> | undefined;

  /** With `makes`, the redirects are created, otherwise only noted. */
  constructor(session: Session, makes: boolean) {
    this.#session = session;
    this.#makes = makes;
  }

  /** Returns a session that collects redirects from its calls. */
  watch(): Session {
    let watched: Promise<Api> | undefined;
    const api = () => (watched ??= this.#session.api().then((plain) => this.#watchApi(plain)));
    return { ...this.#session, api };
  }

  /** Records which sites, sections, site spaces and spaces the steps of a plan delete. */
  expect({ organization, steps }: Pick<PlanDocument, 'organization' | 'steps'>): void {
    const deleted = (...kinds: readonly string[]): string[] =>
      steps.flatMap(({ kind, action, id }) =>
        action === 'delete' && id !== undefined && kinds.includes(kind) ? [id] : [],
      );
    this.#organization = organization;
    this.#deletedParts = deleted('site', 'section', 'site-space');
    this.#deletedSpaces = deleted('space');
  }

  #watchApi(api: Api): Api {
    const call: Api['call'] = async (...input) => {
      // A deletion has no answer, so the redirects for all deletions are requested before the first one.
      const isExpected = this.#deletedParts.length + this.#deletedSpaces.length > 0;
      if (deletions.has(input[0].id) && isExpected) await (this.#asked ??= this.#ask(api));
      const answer: unknown = await api.call(...input);
      // A section is added with a temporary path. What moves out of its way may move back.
      if (additions.has(input[0].id)) for (const id of idsIn(answer)) this.#created.add(id);
      else if (isRecord(answer) && !input[0].safe && Array.isArray(answer['redirects']))
        for (const one of answer['redirects'] as Moved[]) if (!this.#isOfNew(one, input[1])) this.#add(one);
      return answer as never;
    };
    return { ...api, call };
  }

  /**
   * Whether a call moves only resources that were created before. Such a part has a temporary path until later calls set the
   * stated path or make it the default, so visitors do not know the temporary path.
   */
  #isOfNew({ destination }: Moved, { params = {}, body }: { params?: object; body?: unknown }): boolean {
    const setsDefault = isRecord(body) && Object.keys(body).some((field) => field.startsWith('default'));
    const moved = setsDefault ? Object.values(destination) : Object.values(params);
    return moved.some((id) => this.#created.has(String(id)));
  }

  async #ask(api: Api): Promise<void> {
    const deleted = true as const;
    const structure = this.#deletedParts.map((id) => ({ id, deleted }));
    const spaces = this.#deletedSpaces.map((space) => ({ space, deleted }));
    const { signal } = this.#session.runtime;
    const impact = await readLinkImpact(
      api,
      this.#organization,
      { spaces, ...(structure.length > 0 && { structure }), links: false },
      signal,
    );
    for (const one of impact?.redirects ?? []) this.#add(one);
    this.#broken = impact?.brokenRedirects ?? [];
  }

  #add(one: Moved): void {
    if (one.object === 'moved-redirect' && !one.done)
      this.#found.set(`${one.site.id} ${one.source.toLowerCase()}`, one);
  }

  /**
   * Creates or notes the collected redirects, and returns them. Redirects of sites whose manifest states all redirects are only
   * noted.
   */
  async finish(
    organizationId: string,
    state: ManifestState,
  ): Promise<{ redirects: readonly Moved[]; brokenRedirects: readonly Broken[] }> {
    const stated: StatedRedirects = new Map(
      state.entries().flatMap(([, { kind, id, fields }]) => {
        const { redirects } = fields;
        return kind === 'site' && Array.isArray(redirects) ? [[id, sourcesIn(redirects)] as const] : [];
      }),
    );
    const all = withoutStated([...this.#found.values()], stated);
    const wanted = this.#makes ? all.filter(({ site }) => !stated.has(site.id)) : [];
    const made = await makeMoved(this.#session, organizationId, wanted);
    const result = all.map((one) => (made.has(one) ? { ...one, done: true } : one));
    const listed = result.filter(({ site, done }) => !done && stated.has(site.id));
    noteMoved(
      this.#session,
      result.filter((one) => !listed.includes(one)),
    );
    if (listed.length > 0) {
      this.#session.note(
        `warning: addresses of published sites changed. The manifest states all redirects of these sites. Add ${plural(listed.length, 'redirect')} to \`redirects:\`, and apply again:`,
      );
      noteListed(this.#session, listed);
    }
    const broken = await this.#findStillBroken(organizationId);
    noteBrokenRedirects(this.#session, broken);
    return { redirects: result, brokenRedirects: broken };
  }

  /** Leaves out the redirects that later steps have changed or deleted. */
  async #findStillBroken(organizationId: string): Promise<readonly Broken[]> {
    const siteIds = [...new Set(this.#broken.map(({ site }) => site.id))];
    if (siteIds.length === 0) return [];
    const { signal } = this.#session.runtime;
    const backend = await openBackend(await this.#session.api(), organizationId, {
      withPeople: false,
      signal,
    });
    const sites = siteIds.map((id) => readRedirects(backend, { kind: 'site', id }));
    const now = new Map((await Promise.all(sites)).flat().map(({ id, destination }) => [id, destination]));
    return this.#broken.filter(({ id = '', destination }) => isDeepStrictEqual(now.get(id), destination));
  }
}

/** The sources of the redirects of each site whose manifest states all of them, by the ID of the site. */
export type StatedRedirects = ReadonlyMap<string, ReadonlySet<string>>;

/** Removes redirects that a manifest states. */
export function withoutStated(redirects: readonly Moved[], stated: StatedRedirects): Moved[] {
  return redirects.filter(
    ({ site, source, action }) =>
      action === 'delete' || stated.get(site.id)?.has(comparable(source)) !== true,
  );
}

/** Returns the sources of stated redirects, in the form in which paths are compared. */
export function sourcesIn(redirects: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    redirects.flatMap((one) =>
      isRecord(one) && typeof one['source'] === 'string' ? [comparable(one['source'])] : [],
    ),
  );
}

function noteListed(session: Session, listed: readonly Moved[]): void {
  for (const { site, source, target = '', action } of listed.slice(0, 20))
    session.note(`  ${site.title}: ${action === 'delete' ? `remove ${source}` : `${source} → ${target}`}`);
}
