import type { Static } from '../../contract/schema.ts';
import { isRecord } from '../../contract/values.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { hasOwnHost } from './address.ts';
import type { SiteFeature } from './contract.ts';

type Feature = Static<typeof SiteFeature>;
type CustomizationFeature = NonNullable<Feature['customizations']>[number];

/** The paths of the settings that belong to each customization feature. */
const customizationPaths: readonly (readonly [CustomizationFeature, ...string[]])[] = [
  ['header-logo', 'header.logo'],
  ['header-primary-link', 'header.primaryLink'],
  ['theme-preset', 'styling.theme'],
  ['premium-fonts', 'styling.font', 'styling.headingFont', 'styling.monospaceFont'],
  ['custom-icons', 'styling.icons'],
  ['footer-logo', 'footer.logo'],
  ['footer-links', 'footer.groups'],
  ['footer-copyright', 'footer.copyright'],
  [
    'semantic-colors',
    'styling.infoColor',
    'styling.successColor',
    'styling.warningColor',
    'styling.dangerColor',
  ],
];

/** Returns the features that a site uses. The plan `basic` includes all of them, because no feature needs a higher plan. */
export function featuresOf(site: SiteRow): Feature[] {
  // Only settings that differ from the defaults are stored.
  const settings = site.customization?.settings;
  const uses = (path: string) => valueAt(settings, path) !== undefined;
  const customizations = customizationPaths.filter(([, ...paths]) => paths.some(uses)).map(([name]) => name);
  const aiMode = valueAt(settings, 'ai.mode');
  const inUse: Readonly<Record<Feature['id'], boolean>> = {
    'sites-adaptive-content': site.adaptiveContent,
    'sites-advanced-customization': customizations.length > 0,
    'sites-ai-assistant': aiMode === 'assistant',
    'sites-ai-search': aiMode === 'search',
    'sites-custom-domain': hasOwnHost(site),
    'sites-custom-subdirectory': site.proxy !== null,
    'sites-page-feedback': uses('feedback.enabled'),
    'sites-pdf-export': uses('pdf.enabled'),
    'sites-sections': site.defaultSection !== null,
    'sites-share-links': site.visibility === 'share-link',
    'sites-unlisted-visibility': site.visibility === 'unlisted',
    'sites-visitor-authentication': site.visibility === 'visitor-auth',
  };
  return Object.entries(inUse)
    .filter(([, isInUse]) => isInUse)
    .map(([id]) => ({
      id: id as Feature['id'],
      plan: 'basic',
      frozen: false,
      ...(id === 'sites-advanced-customization' && { customizations }),
    }));
}

function valueAt(settings: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value: unknown, name) => (isRecord(value) ? value[name] : undefined), settings);
}
