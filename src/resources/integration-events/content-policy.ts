import type { IntegrationRow } from '../../core/rows/integrations.ts';

/**
 * Returns the directives of an integration's content security policy, which is a text or a map of directives. Values may end with
 * line breaks and semicolons. A comma also ends a directive, because in a header it would start another policy.
 */
export function policyDirectives({ looks }: IntegrationRow): readonly string[] {
  const given = (looks as { contentSecurityPolicy?: string | Readonly<Record<string, string>> })
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
 * Pages of scripts get their own origin, so they have no access to data of this server. The directive comes first in the header,
 * because browsers ignore repeated directives of a policy.
 */
const sandbox =
  'sandbox allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads';

/** Returns the Content-Security-Policy header for responses of an integration. */
export function contentPolicyOf(integration: IntegrationRow): string {
  const own = policyDirectives(integration).filter((directive) => !/^sandbox\b/i.test(directive));
  return [sandbox, ...own].join('; ');
}
