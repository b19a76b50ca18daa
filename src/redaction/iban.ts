import { isWord, type Span } from './span.ts';

/** Country codes, each with the length of its account numbers (SWIFT IBAN registry). */
const lengths =
  'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30';

/** Finds international bank account numbers (ISO 13616) with the length of their country and valid check digits. */
export function findIbans(text: string): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const { 0: start, index: from } of text.matchAll(/[A-Za-z]{2}\d{2}/g)) {
    if (from < done || isWord(text, from - 1)) continue;
    const length = lengthOf(start.slice(0, 2).toUpperCase());
    let letters = '';
    let to = from;
    for (; letters.length < length && to < text.length; to++) {
      const letter = text.charAt(to);
      if (/[A-Za-z0-9]/.test(letter)) letters += letter;
      else if (!/[ \u00a0-]/.test(letter) || !/[A-Za-z0-9]/.test(text.charAt(to + 1))) break;
    }
    if (length === 0 || letters.length < length || isWord(text, to)) continue;
    if (!hasValidCheckDigits(letters.toUpperCase())) continue;
    spans.push({ from, to });
    done = to;
  }
  return spans;
}

function lengthOf(country: string): number {
  for (let at = 0; at < lengths.length; at += 4)
    if (lengths.startsWith(country, at)) return Number(lengths.slice(at + 2, at + 4));
  return 0;
}

/** Checks ISO 7064 mod 97-10. */
function hasValidCheckDigits(letters: string): boolean {
  let remainder = 0;
  for (const letter of letters.slice(4) + letters.slice(0, 4)) {
    const value = parseInt(letter, 36);
    remainder = (value > 9 ? remainder * 100 + value : remainder * 10 + value) % 97;
  }
  return remainder === 1;
}
