import { isEnglish, rephraseEnglish, type PhraseKind } from './english-phrases.ts';

interface Phrase {
  readonly text: string;
  readonly kind: PhraseKind;
  readonly isEnglish: boolean;
}

/**
 * The openings of requests in German, French, Spanish, Portuguese, Italian, Dutch and Chinese. The text after them names the
 * request: "Wie kann ich mein Passwort zurücksetzen?" becomes "Passwort zurücksetzen".
 */
const openings: readonly RegExp[] = [
  /^(?:hallo|guten (?:tag|morgen|abend)|bitte|bonjour|bonsoir|svp|hola|buenos días|buenas(?: tardes| noches)?|por favor|olá|oi|bom dia|boa tarde|ciao|buongiorno|salve|per favore|goedendag|alstublieft|您好|你好|请问|請問)(?![\p{L}\p{M}])[\s,!.:，！-]*/iu,
  /^(?:wie|wo) (?:kann|können|könnte|muss|soll) (?:ich|man|wir) (?:denn |bitte |hier |nun )?(?:mein(?:e[nmrs]?)? |unser(?:e[nmrs]?)? )?/iu,
  /^(?:kann|könnte|darf) (?:ich|man) (?:auch |hier |bitte )?(?:mein(?:e[nmrs]?)? )?/iu,
  /^(?:können|könnten|kannst|könntest) (?:sie|du|ihr) (?:mir |uns |bitte |mal )*(?:mein(?:e[nmrs]?)? )?/iu,
  /^(?:ich|wir) (?:möchten?|will|wollen|würden? gern(?:e)?|muss|müssen|brauchen?|benötigen?) (?:bitte |gern(?:e)? )?(?:mein(?:e[nmrs]?)? |unser(?:e[nmrs]?)? )?/iu,
  /^(?:comment|où|est-ce que je|est-ce qu'on) ?(?:puis-je|peut-on|pourrais-je|dois-je|est-ce que je peux|je peux|faire pour|peux|puis) /iu,
  /^(?:pouvez-vous|pourriez-vous|peux-tu|puis-je|est-il possible (?:de |d'))(?: me| m')? ?/iu,
  /^(?:je|nous) (?:voudrais|voudrions|veux|voulons|souhaite|souhaitons|souhaiterais|dois|aimerais) /iu,
  /^j'(?:aimerais|ai besoin (?:de |d'))/iu,
  /^[¿¡]?(?:cómo|como|dónde|donde|onde|come|dove) (?:puedo|podría|se puede|hago para|debo|posso|faço para|podemos|possiamo|faccio a) /iu,
  /^[¿¡]?(?:puedo|podría|pueden|podrían|puede|me puede|me pueden|me podrían|es posible|posso|você pode|vocês podem|é possível|potete|può|è possibile) /iu,
  /^(?:yo )?(?:quiero|quisiera|necesito|deseo|me gustaría|quero|gostaria de|preciso(?: de)?|eu quero|vorrei|voglio|ho bisogno di|desidero) /iu,
  /^(?:hoe|waar) (?:kan|kunnen|moet) (?:ik|we|wij) (?:mijn )?/iu,
  /^(?:ik|wij|we) (?:wil|willen|zou graag|moet) (?:graag )?(?:mijn )?/iu,
  /^(?:如何|怎么样?|怎樣|怎麼|怎样才能|我想要?|我要|我需要|想要|可以|能不能|能否|帮我|幫我|我该如何|我該如何|是否可以)/u,
];
const ending =
  /[\s,，]*(?:danke|bitte|merci|s'il vous plaît|svp|gracias|por favor|obrigad[oa]|grazie|bedankt|谢谢|謝謝|吗|嗎|呢)?[\s?!.。！？…]*$/iu;

/**
 * Rephrases a sentence as a person would name its topic, without the words that only make it a request. Returns a sentence in a
 * language without rules unchanged.
 */
export function rephrase(sentence: string): Phrase {
  if (isEnglish(sentence)) return { ...rephraseEnglish(sentence), isEnglish: true };
  let rest = sentence;
  for (const opening of openings) rest = rest.replace(opening, '');
  const bare = rest.replace(ending, '').replace(/^[¿¡]/u, '');
  const isQuestion = rest === sentence && /[?？]\s*$/u.test(sentence);
  if (bare.length < 2) return { text: sentence, kind: 'other', isEnglish: false };
  if (isQuestion) return { text: `${rest.replace(ending, '')}?`, kind: 'question', isEnglish: false };
  return { text: bare, kind: rest === sentence ? 'other' : 'wish', isEnglish: false };
}
