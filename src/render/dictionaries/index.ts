import type { Dictionary } from './dictionary.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { no } from './no.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { zh } from './zh.ts';
import { zhTw } from './zh-tw.ts';

/** The dictionaries by language of the API. */
export const dictionaries: Readonly<Record<string, Dictionary>> = {
  en,
  fr,
  de,
  es,
  it,
  pt,
  nl,
  no,
  ru,
  ja,
  zh,
  'zh-tw': zhTw,
  ko,
  ar,
  he,
};
