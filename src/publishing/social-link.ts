import { ownValue } from '../contract/values.ts';
import { safeAddress } from '../render/addresses.ts';
import type { SocialLink } from '../render/render-frame.ts';

/** The URLs of accounts, by the name of the service. @ stands for the account. */
const services: Readonly<Record<string, string>> = {
  bluesky: 'https://bsky.app/profile/@',
  discord: 'https://discord.gg/@',
  facebook: 'https://www.facebook.com/@',
  github: 'https://github.com/@',
  gitlab: 'https://gitlab.com/@',
  instagram: 'https://www.instagram.com/@',
  linkedin: 'https://www.linkedin.com/company/@',
  medium: 'https://medium.com/@@',
  reddit: 'https://www.reddit.com/r/@',
  slack: 'https://@.slack.com/',
  telegram: 'https://t.me/@',
  threads: 'https://www.threads.net/@@',
  tiktok: 'https://www.tiktok.com/@@',
  twitter: 'https://x.com/@',
  x: 'https://x.com/@',
  youtube: 'https://www.youtube.com/@@',
};

/** The icons of services whose icon has another name, or which have no icon. */
const icons: Readonly<Record<string, string>> = { x: 'x-twitter', twitter: 'x-twitter' };

/**
 * Creates the link to an account. The handle is a name at a known service, `user@server` on Mastodon, or a whole URL. An account
 * at an unknown service is shown as text without a link.
 */
export function socialLink({ platform, handle }: { platform: string; handle: string }): SocialLink {
  const name = platform.toLowerCase();
  const href = addressOf(name, handle.trim());
  const isKnown = Object.hasOwn(services, name) || name === 'mastodon';
  const icon = isKnown ? (icons[name] ?? name) : undefined;
  return { title: isKnown && href !== undefined ? platform : `${platform}: ${handle}`, href, icon };
}

function addressOf(name: string, handle: string): string | undefined {
  if (/^https?:\/\//i.test(handle)) return safeAddress(handle);
  const account = handle.replace(/^@/, '');
  if (name === 'mastodon') {
    const [, user, server] = /^([\w.-]+)@([\w.-]+)$/.exec(account) ?? [];
    return user === undefined ? undefined : `https://${server}/@${user}`;
  }
  const service = ownValue(services, name);
  if (service === undefined) return undefined;
  if (name === 'slack' && !/^[\w-]+$/.test(account)) return undefined;
  // The last @ is the place of the account.
  const place = service.lastIndexOf('@');
  return service.slice(0, place) + encodeURIComponent(account) + service.slice(place + 1);
}
