import { describe, expect, it } from 'vitest';
import { preferredSpaces, type SpaceVersion } from '../../../src/resources/search/preferred-spaces.ts';

const space = (path: string, title: string, more: Partial<SpaceVersion> = {}): SpaceVersion => ({
  path,
  title,
  language: undefined,
  section: undefined,
  isHidden: false,
  ...more,
});

const guide = space('guide', 'Guide', { section: 'guide', language: 'en' });
const guideV1 = space('guide/v1', 'v1', { section: 'guide', language: 'en' });
const guideGerman = space('guide/de', 'Deutsch', { section: 'guide', language: 'de' });
const api = space('api', 'API', { section: 'api', language: 'en' });
const apiV1 = space('api/v1', 'v1', { section: 'api', language: 'en' });
const apiGerman = space('api/de', 'API auf Deutsch', { section: 'api', language: 'de' });
const all = [guideV1, guide, guideGerman, apiGerman, api, apiV1];

const preferred = (here: SpaceVersion | undefined, spaces = all): SpaceVersion[] => [
  ...preferredSpaces(spaces, here),
];

describe('the preferred spaces of a site search', () => {
  it('are the default spaces with the shortest path if no space is open', () => {
    expect(preferred(undefined)).toEqual([guide, api]);
  });

  it('are the open space and others with the same title', () => {
    expect(preferred(guideV1)).toEqual([guideV1, apiV1]);
  });

  it('are others in the same language if none has the same title', () => {
    expect(preferred(guideGerman)).toEqual([guideGerman, apiGerman]);
  });

  it('are otherwise the default spaces whose language is the same or unknown', () => {
    expect(preferred(guide)).toEqual([guide, api]);
    const french = space('guide/fr', 'Français', { section: 'guide', language: 'fr' });
    expect(preferred(french, [...all, french])).toEqual([french, api]);
    const plain = space('guide/x', 'Plain', { section: 'guide' });
    expect(preferred(plain, [...all, plain])).toEqual([plain, api]);
  });

  it('omit hidden spaces, unless all are hidden or the open space is hidden', () => {
    const hidden = { ...api, isHidden: true };
    expect(preferred(undefined, [hidden, apiV1])).toEqual([apiV1]);
    expect(preferred(undefined, [hidden])).toEqual([hidden]);
    expect(preferred(hidden, [hidden, apiV1])).toEqual([hidden]);
    expect(preferred(guideGerman, [guideGerman, api, { ...apiGerman, isHidden: true }])).toEqual([guideGerman, api]); // prettier-ignore
  });

  it('include only one of the spaces without a section', () => {
    const [one, other] = [space('', 'Docs'), space('v1', 'v1')];
    expect(preferred(undefined, [other, one])).toEqual([one]);
    expect(preferred(other, [other, one])).toEqual([other]);
  });
});
