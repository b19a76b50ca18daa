import { isObject } from '../contract/values.ts';
import * as content from '../content/rows.ts';
import * as changeRequestReviewers from './change-request-reviewers/rows.ts';
import * as changeRequestReviews from './change-request-reviews/rows.ts';
import * as contributors from './change-requests/rows.ts';
import * as comments from './comments/rows.ts';
import * as conversationIssues from './conversation-issues/rows.ts';
import * as conversations from './conversations/rows.ts';
import * as appSessions from '../core/rows/app-sessions.ts';
import * as auditEvents from '../core/rows/audit-events.ts';
import * as changeRequests from '../core/rows/change-requests.ts';
import * as installed from '../core/rows/installed.ts';
import * as integrations from '../core/rows/integrations.ts';
import * as jobs from '../core/rows/jobs.ts';
import * as organizations from '../core/rows/organizations.ts';
import * as permissions from '../core/rows/permissions.ts';
import * as revisions from '../core/rows/revisions.ts';
import * as sites from '../core/rows/sites.ts';
import * as spaces from '../core/rows/spaces.ts';
import type { Table } from '../core/store.ts';
import * as customHostnames from '../core/rows/custom-hostnames.ts';
import * as emailDomains from './email-domains/rows.ts';
import * as gitSync from './git-sync/rows.ts';
import * as glossary from './glossary/rows.ts';
import * as integrationEvents from './integration-events/rows.ts';
import * as invites from './invites/rows.ts';
import * as openapi from '../content/generated/specification-rows.ts';
import * as saml from './saml/rows.ts';
import * as siteExternalLinks from './site-external-links/rows.ts';
import * as siteInsights from './site-insights/rows.ts';
import * as sitePublishingAuth from './site-publishing-auth/rows.ts';
import * as siteRedirects from './site-redirects/rows.ts';
import * as siteSectionGroups from './site-section-groups/rows.ts';
import * as siteSections from './site-sections/rows.ts';
import * as siteShareLinks from './site-share-links/rows.ts';
import * as siteSpaces from '../core/rows/site-spaces.ts';
import * as teams from '../core/rows/teams.ts';
import * as translations from './translations/rows.ts';

/** All tables of a store. A new `rows.ts` must be added here. */
export const tables: readonly Table[] = [
  appSessions,
  auditEvents,
  changeRequestReviewers,
  changeRequestReviews,
  changeRequests,
  comments,
  content,
  contributors,
  conversationIssues,
  conversations,
  customHostnames,
  emailDomains,
  gitSync,
  glossary,
  integrationEvents,
  installed,
  integrations,
  invites,
  jobs,
  openapi,
  organizations,
  permissions,
  revisions,
  saml,
  siteExternalLinks,
  siteInsights,
  sitePublishingAuth,
  siteRedirects,
  siteSectionGroups,
  siteSections,
  siteShareLinks,
  siteSpaces,
  sites,
  spaces,
  teams,
  translations,
].flatMap((rows) => Object.values(rows).filter(isTable));

function isTable(value: unknown): value is Table {
  return isObject(value) && 'indexes' in value;
}
