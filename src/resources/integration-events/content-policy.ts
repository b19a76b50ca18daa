import type { IntegrationRow } from '../../core/rows/integrations.ts';

/**
 * Returns the directives of an integration's content security policy. It may be a text or a map of directives, whose values
 * may have line breaks and semicolons at their ends. A comma ends a directive too: in a header, it would begin another policy.
 */
export function policyDirectives({ looks }: IntegrationRow): readonly string[] {
  const given = (looks as { readonly contentSecurityPolicy?: string | Readonly<Record<string, string>> })
    .contentSecurityPolicy;
  const text =
    typeof given === 'object'
      ? Object.entries(given)
          .map(([name, value]) => `${name} ${value.replace(/[;\s]+$/, '')}`)
          .join(';')
      : (given ?? '');
  return text
    .split(/[;,]/)
    .map((directive) => directive.replace(/[^\x21-\x7e]+/g, ' ').trim())
    .filter((directive) => directive !== '');
}

/**
 * Pages of scripts get an origin of their own, so they reach nothing that belongs to this server. It comes first in the header,
 * because browsers ignore a directive that its policy already has.
 */
const sandbox =
  'sandbox allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads';

/** Returns the header Content-Security-Policy of answers of an integration. */
export function contentPolicyOf(integration: IntegrationRow): string {
  const own = policyDirectives(integration).filter((directive) => !/^sandbox\b/i.test(directive));
  return [sandbox, ...own].join('; ');
}
