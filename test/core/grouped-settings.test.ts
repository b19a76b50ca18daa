import { expect, it } from 'vitest';
import { mergeSettings, settingsApartFrom } from '../../src/core/grouped-settings.ts';

const isGroup = (path: string): boolean => ['styling', 'styling.sidebar'].includes(path);
const base = {
  title: 'Docs',
  styling: { theme: 'clean', sidebar: { list: 'line', width: 10 } },
  logo: { light: 'a', dark: 'b' },
};

it.each([
  ['nothing', {}, {}],
  ['nothing for equal settings, even in groups', base, {}],
  [
    'only the changed setting of a nested group',
    { styling: { theme: 'clean', sidebar: { list: 'pill', width: 10 } } },
    { styling: { sidebar: { list: 'pill' } } },
  ],
  [
    'a whole object that is not a group',
    { logo: { light: 'a', dark: 'c' } },
    { logo: { light: 'a', dark: 'c' } },
  ],
  ['no nulls', { title: null, styling: { theme: null } }, {}],
  ['a value that replaces a group', { styling: 'plain' }, { styling: 'plain' }],
  ['lists that differ in order or length', { tags: ['b', 'a'] }, { tags: ['b', 'a'] }],
])('settingsApartFrom returns %s', (_, settings, apart) => {
  expect(settingsApartFrom({ ...base, tags: ['a', 'b'] }, settings, isGroup)).toEqual(apart);
});

it('mergeSettings overrides single settings within groups, and null removes a setting', () => {
  const over = {
    title: null,
    styling: { sidebar: { width: 12 } },
    logo: { light: 'x' },
    icon: undefined,
  };
  expect(mergeSettings(base, over, isGroup)).toEqual({
    styling: { theme: 'clean', sidebar: { list: 'line', width: 12 } },
    logo: { light: 'x' },
  });
});
