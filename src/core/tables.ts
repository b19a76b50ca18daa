import * as analysis from './rows/analysis.ts';
import * as changeRequests from './rows/change-requests.ts';
import * as comments from './rows/comments.ts';
import * as content from './rows/content.ts';
import * as conversationIssues from './rows/conversation-issues.ts';
import * as conversations from './rows/conversations.ts';
import * as integrations from './rows/integrations.ts';
import * as invites from './rows/invites.ts';
import * as jobs from './rows/jobs.ts';
import * as openapi from './rows/openapi.ts';
import * as organizations from './rows/organizations.ts';
import * as revisions from './rows/revisions.ts';
import * as saml from './rows/saml.ts';
import * as sections from './rows/sections.ts';
import * as sites from './rows/sites.ts';
import * as teams from './rows/teams.ts';
import * as translations from './rows/translations.ts';
import type { Table } from './store.ts';

/** Every table of a store, for drivers that lay them out ahead. A new rows file is one line here. */
export const tables: readonly Table[] = [
  analysis,
  changeRequests, //
  comments,
  content,
  conversationIssues,
  conversations,
  integrations,
  invites,
  jobs,
  openapi,
  organizations,
  revisions,
  saml,
  sections,
  sites,
  teams,
  translations,
].flatMap((rows) => Object.values(rows).filter(isTable));

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && 'indexes' in value;
}
