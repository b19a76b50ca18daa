import { findSocialSecurityNumbers } from './social-security.ts';
import { mergeSpans, type Span } from './span.ts';

/** Words for secrets, with the connector after them: ":", "=", "is", or nothing. */
const secretCue =
  /(?<![\p{L}\p{N}])(?:(?<word>pass ?words?|pass ?phrase|pass ?code|passwd|pwd?|pass(?=\s?[:=])|passw[oö]rter|passwort|kennwort|zugangsdaten|zugangscode|contraseñas?|contrasenas?|clave(?: de acceso| secreta)?|mots? de passe|mdp|senhas?|wachtwoord|lösenord|hasło|parol[ae]|пароль|密码|密碼|パスワード|secret(?: key| word| answer)?|api[ _-]?(?:key|token|secret)|access[ _-]?(?:key|token)(?:[ _-]id)?|client[ _-]?secret|private[ _-]?key|auth(?:entication)?[ _-]?token|bearer[ _-]?token|token|security answer)|(?<pin>ssn|social security (?:number|no\.?)|pin(?:[ -]?(?:code|number|nummer))?|t-?pin|tan|otp|cvv2?|cvc2?|one[- ]time (?:code|password)|(?:verification|security|access|confirmation|login|sms|2fa|mfa|auth(?:entication)?|recovery|backup|unlock|door|entry|gate|alarm|activation|bestätigungs|sicherheits|zugangs|freischalt)[- ]?code|code de (?:sécurité|confirmation|vérification|validation)|code secret|code confidentiel|código de (?:seguridad|verificación|confirmación|acceso|segurança|verificação)|codice di sicurezza)|(?<code>code|kode|código|codigo|codice))(?![\p{L}\p{N}])(?<link>\s{0,3}(?:[:=：]|:=|->|=>|→)\s{0,3}|(?:\s+(?:for|to|of|für|para|pour)\s[^\s.!?:=]{1,30}){0,1}\s+(?:is|was|were|are|should be|ist|war|lautet|heißt|sind|es|era|est|était|è|é|era|to|auf|en|à|als|von|von|from|like)(?:\s+(?:now|currently|still|jetzt|ahora|maintenant|agora)|\s*[:=])?\s+|\s+(?=["“„«(#]|\S{0,40}\d))/giu;

/** Words before "code" for codes that are not secret. */
const publicCode =
  /(?:error|status|exit|http|response|return|reason|zip|postal|post|country|area|dial\w*|source|promo\w*|discount|coupon|voucher|gift|bar|qr|product|item|article|fault|sort|swift|bic|iban|branch|bank|currency|colou?r|language|region|dress|tax|fehler|rabatt|gutschein|vorwahl|länder|artikel|erreur|promotionnel|error|descuento|promocional|erro|errore|sconto|fout|failed|fails|failure|booking|flight|airport|country|tracking)[\s-]{0,3}(?:(?:the|a|its|this|with|message|says|said|and|:|,|der|mit|le|el|con)\s){0,3}$/iu;

/** Words that describe a secret instead of being one. */
const states: ReadonlySet<string> = new Set(
  `a about accepted active again all already also always an and any anything are ask asked at available back bad be because been before being blank blocked both broken but by can cannot case change changed compromised contains correct
  currently dead default denied different disabled displayed does doing due empty enough even exactly expired exposed failing fine for forgotten from gesperrt given gone good guessable hacked hard hashed have here hidden his how i if in
  incorrect insecure invalid is it its just known lacking late leaked like locked long longer lost me mandatory masked me meant missing mine most my needed never new no none not nothing now null obsolete ok okay old on one only optional or our out
  outdated over please pending private public random ready really rejected required reset right safe same saved secure secret sent set short shown simple since so something still stolen stored strong stuck such that the their them then there they this to
  today too true two undefined unique unknown unset until up updated us used user useless using valid very via visible was weak what when where which why will with without working works wrong yes yesterday you your yours email phone number sms text
  abgelaufen abgelehnt falsch gesperrt korrekt leer nicht noch nur richtig schwach sicher ungültig unbekannt vergessen verloren weg zu zurücksetzen zurückgesetzt geändert ändern auch aber mein meine das der die ein eine gut neu alt kein keine wo wie jetzt
  correcta correcto incorrecta incorrecto caducada caducado no es muy la el los una un mi su para olvidada bloqueada bloqueado inválida segura seguro débil válida que esta este nueva nuevo
  expiré expirée incorrect incorrecte oublié oublié perdu refusé refusée valide faible le la les pas trop un une mon ma ne n'est bloqué bloquée invalide que
  expirou errada errado incorreta inválida não fraca forgot
  sbagliata scaduta non corretta errata verlopen onjuist fout niet verkeerd
  reset forgot change recovery help issue problem error page link field box form policy manager screen login settings email
  asking hunting hello thanks`.split(/\s+/),
);

const stateEnding = /(?:ed|ing|ly|able|ible|less|ful|ous|ent|ant|ive|iert|bar|lich|ado|ada|ido|ida|ée?s?)$/u;
const units =
  /^\s*(?:-\s*)?(?:char\w*|letters?|digits?|symbols?|numbers?|days?|months?|weeks?|years?|hours?|times?|attempts?|minutes?|seconds?|mins?|people|users?|or|and more|zeichen|stellen|ziffern|tage|mal|stunden|caracter\w*|dígitos?|días?|veces|caractères?|chiffres?|jours?|fois|%)/iu;

/**
 * Finds passwords, PINs, codes and keys that a text calls so: "my password is hunter2", "PIN 4711", "Kennwort: hunter2". A plain
 * word is a password if it follows ":" or "is" and ends the clause. Also finds social security numbers.
 */
export function findPasswords(text: string): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(secretCue)) {
    const { index, groups = {} } = match;
    const link = groups['link'] ?? '';
    const from = index + match[0].length;
    if (index < done) continue;
    const value = readValue(text, from);
    if (value === undefined) continue;
    const cue = {
      kind: groups['pin'] !== undefined ? 'pin' : groups['code'] !== undefined ? 'code' : 'word',
      link: linkKind(link, text.charAt(from)),
      before: text.slice(Math.max(0, index - 40), index),
    } as const;
    const more = cue.kind === 'word' && cue.link !== 'none' ? digitsAfter(text, value) : 0;
    if (more === 0 && !isSecret(text, value, cue)) continue;
    spans.push({ from: value.from, to: value.to + more });
    done = value.to + more;
  }
  return mergeSpans([...spans, ...findSocialSecurityNumbers(text)]);
}

/** Returns the length of a number after a plain word, as in "my password is sunny 487". */
function digitsAfter(text: string, { from, to }: Span): number {
  const word = text.slice(from, to);
  if (!/^\p{L}{3,}$/u.test(word) || isState(word)) return 0;
  return (
    /^ \d{2,8}(?![\p{L}\p{N}])(?! (?:days|times|characters|digits|hours|minutes|months|years))/u.exec(
      text.slice(to, to + 24),
    )?.[0].length ?? 0
  );
}

function linkKind(link: string, next: string): Cue['link'] {
  if (/[:=→>：]/.test(link)) return 'strong';
  if (quotes[next] !== undefined) return 'quoted';
  return link.trim() === '' ? 'none' : 'weak';
}

interface Cue {
  readonly kind: 'word' | 'pin' | 'code';
  readonly link: 'strong' | 'weak' | 'quoted' | 'none';
  readonly before: string;
}

const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
  '`': '`',
  '(': ')',
};

/** Reads a value: the text in quotes, or everything up to a space without punctuation at its end. */
function readValue(text: string, from: number): Span | undefined {
  const close = quotes[text.charAt(from)];
  if (close !== undefined) {
    const end = text.slice(from + 1, from + 82).indexOf(close);
    if (end > 0) return { from: from + 1, to: from + 1 + end };
    from++;
  }
  let to = from;
  while (to < text.length && to - from < 256 && !/[\s,;，。、]/.test(text.charAt(to))) to++;
  while (to > from && /[.:)\]"'”’»>]/.test(text.charAt(to - 1))) to--;
  return to - from < 2 || text[from] === '[' ? undefined : { from, to };
}

function isSecret(text: string, { from, to }: Span, { kind, link, before }: Cue): boolean {
  const value = text.slice(from, to);
  const after = text.slice(to, to + 20);
  const hasDigit = /\d/.test(value);
  if (units.test(after) && /^\d{1,3}$/.test(value)) return false;
  if (/^(?:https?:|www\.)/i.test(value)) return false;
  if (kind !== 'word') {
    if (kind === 'code' && (publicCode.test(before) || link === 'none')) return false;
    if (!hasDigit)
      return (
        link !== 'none' &&
        link !== 'weak' &&
        kind === 'pin' &&
        isClauseEnd(after) &&
        !isState(value) &&
        /^[A-Z]{4,12}$/.test(value)
      );
    if (link === 'none' && kind === 'pin')
      return /^#?\d{3,8}$/.test(value) || /^(?=.*\d)[A-Z\d-]{4,12}$/.test(value);
    return value.length >= (kind === 'code' ? 4 : 3) && !/^(?:19|20)\d\d-\d\d/.test(value);
  }
  if (link === 'none') return hasDigit && /\p{L}/u.test(value) && value.length >= 5 && !units.test(after);
  if (hasDigit)
    return (
      value.length >= 3 &&
      !(link === 'weak' && /^\d{1,3}$/.test(value)) &&
      !/^\d+(?:st|nd|rd|th|x)$/i.test(value)
    );
  if (isState(value)) return false;
  if (link === 'quoted') return value.length >= 3 && !/\s\S+\s/.test(value);
  const isMixed = /\p{Ll}\p{Lu}|[^\p{L}\s'’.,!?/-]/u.test(value);
  if (isMixed && value.length >= 4) return true;
  if (
    link === 'weak' &&
    /\b(?:to|auf|en|à|als|von|from|like)\s*$/iu.test(text.slice(Math.max(0, from - 6), from))
  )
    return false;
  return value.length >= 4 && isClauseEnd(after) && /^[\p{L}-]+$/u.test(value);
}

function isState(value: string): boolean {
  const lower = value.toLowerCase().replace(/[.!?,"'”]+$/, '');
  return states.has(lower) || (lower.length > 4 && stateEnding.test(lower)) || lower.endsWith("n't");
}

function isClauseEnd(after: string): boolean {
  return /^["'”’»)]?\s{0,2}(?:$|[.,;!?\n]|(?:and|but|und|aber|y|et|e|pero|mais)\s)/iu.test(after);
}
