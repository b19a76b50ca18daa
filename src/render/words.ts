import { en } from './dictionaries/en.ts';
import type { Dictionary } from './dictionaries/dictionary.ts';
import { dictionaries } from './dictionaries/index.ts';

/** The texts of a site that its authors did not write, in the language of its readers. */
export interface Words extends Dictionary {
  readonly parameters: Readonly<Record<'path' | 'query' | 'header' | 'cookie', string>>;
  /** Formats a day such as 2026-02-28 for readers. Returns other texts unchanged. */
  readonly date: (day: string) => string;
  /** Formats a size in bytes. */
  readonly size: (bytes: number) => string;
  readonly rating: (value: number, most: number) => string;
}

const made = new Map<string, Words>();

/** Returns the words in a language of the API; in English if that language has no dictionary. */
export function wordsOf(language: string): Words {
  const known = made.get(language);
  if (known !== undefined) return known;
  const dictionary = dictionaries[language] ?? dictionaries[language.replace(/-.*$/, '')] ?? en;
  const locale = { yue: 'zh-Hant-HK', 'zh-tw': 'zh-TW', zh: 'zh-CN' }[language] ?? language;
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const words: Words = {
    ...dictionary,
    parameters: {
      path: dictionary.pathParameters,
      query: dictionary.queryParameters,
      header: dictionary.headers,
      cookie: dictionary.cookies,
    },
    date: (day) => (Number.isNaN(Date.parse(day)) ? day : days.format(new Date(day))),
    size: (bytes) => sizeIn(locale, bytes),
    rating: (value, most) => `${value} / ${most}`,
  };
  made.set(language, words);
  return words;
}

function sizeIn(locale: string, bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const options = {
    style: 'unit',
    unit: units[step] ?? 'byte',
    // Only bytes have a long name: 12 bytes, 3 kB.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(locale, options).format(bytes / 1000 ** step);
}
