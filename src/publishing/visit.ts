import type { Static } from '../contract/schema.ts';
import type { SiteEvent } from '../resources/site-insights/contract.ts';
import type { AdmittedVisitor } from './admit-visitor.ts';
import type { LocatedSite } from './locate-site.ts';
import type { PageCache } from './page-cache.ts';
import type { SiteAnswer, SiteRequest } from './site-request.ts';
import type { SiteView } from './site-view.ts';

/** A site as one request finds it. */
export interface Visit {
  readonly request: SiteRequest;
  readonly located: LocatedSite;
  readonly visitor: AdmittedVisitor;
  readonly view: SiteView;
  readonly cache: PageCache;
  /** Whether the answer depends on who asks. */
  readonly isPrivate: boolean;
  /** False where blocks of integrations are shown as they are without their scripts, such as in copies. */
  readonly runsScripts?: false;
  /** Answers the same request in another thread. Absent: all of the answer is made in this one. */
  readonly answerApart?: (() => Promise<SiteAnswer>) | undefined;
  /** Takes what is counted about the visit. Absent: nothing is counted. */
  readonly onEvent?: ((event: Static<typeof SiteEvent>) => void) | undefined;
}
