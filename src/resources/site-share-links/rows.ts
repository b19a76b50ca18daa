import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

export interface ShareLinkRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  readonly name: string;
  readonly active: boolean;
  /** Stored as plain text, because the link is shown again. */
  readonly key: string;
  /** Keys are looked up by their hash, so that the duration of a look-up reveals nothing about the key. */
  readonly hash: string;
  readonly createdAt: string;
}

export const shareLinks = audited(
  table<ShareLinkRow>()('share_links', {
    bySite: { on: ['site'], by: ['createdAt'] },
    byHash: { on: ['site', 'hash'], unique: true },
  }),
  { type: 'share-link', label: 'name', fields: ['site', 'name', 'active'], secrets: ['key'] },
);
