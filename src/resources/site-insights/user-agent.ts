import { defined } from '../../contract/values.ts';

/** Information about a visitor from the user agent. */
interface Client {
  readonly browser: string;
  readonly device: string;
  readonly os: string;
  readonly bot?: string;
}

type Rule = readonly [pattern: RegExp, name: string];

/** The first matching rule counts: specific names come before general ones. */
const bots: readonly Rule[] = [
  [/chatgpt-user/i, 'chatgpt'],
  [/gptbot/i, 'gptbot'],
  [/oai-searchbot|openai/i, 'openai'],
  [/claude-code/i, 'claude-code'],
  [/claudebot/i, 'claudebot'],
  [/claude-(user|web|searchbot)/i, 'claude'],
  [/anthropic/i, 'anthropic'],
  [/googlebot|google-inspectiontool/i, 'googlebot'],
  [/gemini|google-extended/i, 'gemini'],
  [/bingbot/i, 'bingbot'],
  [/duckassistbot/i, 'duckassist'],
  [/duckduckbot/i, 'duckduckbot'],
  [/applebot/i, 'applebot'],
  [/perplexity/i, 'perplexity'],
  [/cohere-/i, 'cohere'],
  [/mistralai/i, 'mistral'],
  [/deepseek/i, 'deepseek'],
  [/meta-externalfetcher/i, 'meta-fetcher'],
  [/meta-webindexer/i, 'meta-webindexer'],
  [/meta-externalads/i, 'meta-ads'],
  [/meta-external/i, 'meta'],
  [/facebookexternalhit|facebookbot/i, 'facebookbot'],
  [/bytespider/i, 'bytespider'],
  [/ccbot/i, 'ccbot'],
  [/amzn-searchbot/i, 'amzn-searchbot'],
  [/amzn-user/i, 'amzn-user'],
  [/amazonbot/i, 'amazonbot'],
  [/youbot/i, 'youbot'],
  [/github-?copilot/i, 'github-copilot'],
  [/opencode/i, 'opencode'],
  [/\bcodex\b/i, 'codex'],
  [/\bcursor\b/i, 'cursor'],
  [/\bvscode\b|visual studio code/i, 'vscode'],
  [/\bgrok\b|xai-/i, 'grok'],
  [/bot\b|crawler|spider|slurp|headless/i, 'unknown'],
];
const browsers: readonly Rule[] = [
  [/edg(e|a|ios)?\//i, 'edge'],
  [/opr\/|opera/i, 'opera'],
  [/firefox\/|fxios\//i, 'firefox'],
  [/chrome\/|crios\/|chromium\//i, 'chrome'],
  [/trident\/|msie /i, 'ie'],
  [/safari\//i, 'safari'],
];
const systems: readonly Rule[] = [
  [/iphone|ipad|ipod/i, 'ios'],
  [/android/i, 'android'],
  [/windows/i, 'windows'],
  [/mac os x|macintosh/i, 'macos'],
  [/linux|x11|cros/i, 'linux'],
];
const devices: readonly Rule[] = [
  [/ipad|tablet|android(?!.*mobile)/i, 'tablet'],
  [/mobi|iphone|ipod/i, 'mobile'],
  [/windows|macintosh|x11|linux|cros/i, 'desktop'],
];

/** Returns the browser, device, operating system and bot of a user agent. Each may be `unknown`. */
export function clientOf(userAgent: string): Client {
  const bot = nameIn(bots, userAgent);
  return {
    browser: nameIn(browsers, userAgent) ?? 'unknown',
    device: nameIn(devices, userAgent) ?? 'unknown',
    os: nameIn(systems, userAgent) ?? 'unknown',
    ...defined({ bot }),
  };
}

function nameIn(rules: readonly Rule[], userAgent: string): string | undefined {
  return rules.find(([pattern]) => pattern.test(userAgent))?.[1];
}
