import type { Static } from '../contract/schema.ts';
import type { SiteEvent } from '../resources/site-insights/contract.ts';
import type { AdmittedVisitor } from './admit-visitor.ts';
import type { LocatedSite } from './locate-site.ts';
import type { PageCache } from './page-cache.ts';
import type { SiteAnswer, SiteRequest } from './site-request.ts';
import type { SiteView } from './site-view.ts';

/** A request to a site with its visitor and its view of the site. */
export interface Visit {
  readonly request: SiteRequest;
  readonly located: LocatedSite;
  readonly visitor: Pick<AdmittedVisitor, 'base' | 'segments'>;
  readonly view: SiteView;
  readonly cache: PageCache;
  /** Whether the answer depends on the visitor. */
  readonly isPrivate: boolean;
  /** False if blocks of integrations are shown without running their scripts, such as in copies. */
  readonly runsScripts?: false;
  /** Answers the same request in another thread. Absent: the whole answer is made in this thread. */
  readonly answerApart?: (() => Promise<SiteAnswer>) | undefined;
  /** Receives the events of the visit. Absent: nothing is counted. */
  readonly onEvent?: ((event: Static<typeof SiteEvent>) => void) | undefined;
}
