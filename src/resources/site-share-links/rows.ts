import { table } from '../../core/store.ts';

export interface ShareLinkRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  readonly name: string;
  readonly active: boolean;
  /** Readable, since the link is shown again to those who administer the site. */
  readonly key: string;
  /** Keys are looked up by their hash, so that the time it takes says nothing about them. */
  readonly hash: string;
  readonly createdAt: string;
}

export const shareLinks = table<ShareLinkRow>()('share_links', {
  bySite: { on: ['site'], by: ['createdAt'] },
  byHash: { on: ['site', 'hash'], unique: true },
});
