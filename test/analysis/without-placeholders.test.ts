import { expect, it } from 'vitest';
import { withoutPlaceholders } from '../../src/analysis/without-placeholders.ts';

it.each([
  ['My password is [password], and it fails', 'My password, and it fails'],
  ['Thanks [name]!', 'Thanks!'],
  ["I don't pay by the [DURATION]", "I don't pay by the"],
  ['Call [PERSON_NAME] about the bill', 'Call about the bill'],
  ['Crash in [Excel] and list[0]', 'Crash in [Excel] and list[0]'],
])('removes placeholders from a label: %j', (text, label) => expect(withoutPlaceholders(text)).toBe(label));
