/** The severity of an issue, as docs/api-operations.md defines it. */
export type Impact = 'low' | 'medium' | 'high';

export interface ImpactRating {
  readonly impact: Impact;
  /** The names of the matching rules. */
  readonly reasons: readonly string[];
}

type Rule = readonly [name: string, pattern: RegExp];

/** Blocking, a severe regression, repeated failures or a risk of data loss, without a workaround. */
const severe: readonly Rule[] = [
  [
    'data may be lost',
    /\bdata (?:loss|lost|breach|leak)|\b(?:lost|deleted|erased|wiped|gone|disappeared|corrupt\w*)\b.{0,40}\b(?:all|everything|data|files?|pages?|content|work|documents?|database|backups?|history)\b|\b(?:all|everything|data|files?|pages?|content|work|documents?|database|backups?)\b.{0,40}\b(?:lost|deleted|erased|wiped|gone|disappeared|corrupt\w*)\b/i,
  ],
  [
    'something was taken or misused',
    /\b(?:stolen|stole|hacked|compromised|fraud\w*|scam\w*|unauthori[sz]ed|without my (?:permission|consent|knowledge)|phish\w*|security (?:issue|hole|incident))\b/i,
  ],
  [
    'nothing works',
    /\b(?:completely|totally|entirely|nothing|everything|whole|entire|production|all (?:users|customers|our))\b.{0,40}\b(?:down|broken|blocked|unusable|stopped|fail\w*|works?|offline|unavailable)\b|\boutage\b|\b(?:site|service|server|system|app|api)\b.{0,15}\b(?:is|are|went|goes|has been) (?:completely )?down\b/i,
  ],
  [
    'shut out',
    /\block(?:ed|ing) (?:me |us )?out\b|\b(?:can not|cannot|can't|cant|unable to|not able to|won't let me|couldn't)\b.{0,20}\b(?:log ?in|login|sign ?in|access|get into|open|use)\b.{0,25}\b(?:account|app|site|dashboard|anything|at all|system|it)\b/i,
  ],
  [
    'work is blocked',
    /\b(?:blocking|blocked from|blocker|show-?stopper|urgent(?:ly)?|asap|as soon as possible|immediately|emergency|critical)\b/i,
  ],
  [
    'it fails again and again',
    /\b(?:again and again|over and over|keeps? (?:fail|crash|happen|disconnect|stopp|freez|getting)\w*|every (?:single )?time|(?:third|fourth|fifth|several|many|multiple|numerous|\d+) (?:times?|attempts?)\b.{0,40}\b(?:fail\w*|not|still|error|wrong|declin\w*)|(?:fail\w*|declin\w*|crash\w*|tried|error).{0,40}\b(?:third|fourth|fifth|several|many|multiple|numerous) (?:times?|attempts?))/i,
  ],
  [
    'it worked before',
    /\b(?:worked|was working|used to work)\b.{0,40}\b(?:before|until|till|yesterday|last (?:week|month|version)|fine)\b|\b(?:since|after) (?:the|your|this|last|latest|yesterday's) (?:\w+ )?(?:update|upgrade|release|version|deploy\w*)\b.{0,80}\b(?:not|n't|fail\w*|broken|crash\w*|error|stopp?ed|no longer)\b/i,
  ],
];

/** Noticeable friction with a workaround. */
const noticeable: readonly Rule[] = [
  [
    'something fails',
    /\b(?:fail(?:s|ed|ing|ure)?|errors?|crash\w*|broken|broke|bug\w*|not work\w*|stopped|stuck|freez\w*|frozen|hangs?|cracked|malfunction\w*)\b|n't work/i,
  ],
  [
    'something is rejected',
    /\b(?:declined|rejected|denied|refused|blocked|invalid|not (?:accepted|allowed|recogni[sz]ed|possible))\b|n't (?:accept|allow|let|recogni[sz]e)/i,
  ],
  [
    'something is missing or wrong',
    /\b(?:missing|wrong(?:ly)?|incorrect\w*|lost|disappeared|not (?:show\w*|arriv\w*|receiv\w*|there|updated|appear\w*|come|been|given)|never (?:arriv|receiv|got|came)\w*|expired|swallowed|duplicate\w*|twice|reverted)\b|n't (?:show|arriv|receiv|updated|appear|been|see|get|got|come)/i,
  ],
  [
    'money is at stake',
    /\b(?:refund\w*|overcharg\w*|(?:was|were|been|got|being|am|i'm|are you|you) charg(?:ed|ing)|(?:extra|unknown|wrong|double|unexpected) (?:charge|fee|payment)s?|dispute|money back)\b/i,
  ],
  [
    'someone is stuck or waiting',
    /\b(?:can not|cannot|can't|cant|unable|not able|couldn't|still (?:waiting|pending|not|no)|pending|delay\w*|slow\w*|too long|waiting)\b/i,
  ],
  ['a problem is reported', /\b(?:problems?|issues?|trouble|difficult\w*|confus\w*|annoying|frustrat\w*)\b/i],
];

const workaround =
  /\b(?:work-?around|in the meantime|instead i (?:can|could)|managed to|got it (?:to work|working)|works (?:if|when|in|on)|not urgent|no (?:rush|hurry)|works? (?:now|fine now)|never ?mind|fixed (?:now|it))\b/i;
const maxLength = 5000;

/** Rates a text by rules. A workaround lowers the impact by one level. */
export function rateImpact(text: string): ImpactRating {
  const read = text.slice(0, maxLength).replace(/[’`]/g, "'");
  const namesOf = (rules: readonly Rule[]): string[] =>
    rules.filter(([, pattern]) => pattern.test(read)).map(([name]) => name);
  const around = workaround.test(read) ? ['there is a workaround'] : [];
  const high = namesOf(severe);
  if (high.length > 0)
    return { impact: around.length > 0 ? 'medium' : 'high', reasons: [...high, ...around] };
  const medium = namesOf(noticeable);
  if (medium.length > 0)
    return { impact: around.length > 0 ? 'low' : 'medium', reasons: [...medium, ...around] };
  return { impact: 'low', reasons: ['a question or a wish'] };
}

/** Returns the highest of several impacts; low for none. */
export function highestImpact(impacts: Iterable<Impact>): Impact {
  const all = new Set(impacts);
  return all.has('high') ? 'high' : all.has('medium') ? 'medium' : 'low';
}

/** Returns the highest impact that at least a quarter of a cluster's issues reach, so that a single issue does not decide. */
export function clusterImpact({ low, medium, high }: Readonly<Record<Impact, number>>): Impact {
  const quarter = (low + medium + high) / 4;
  if (high > 0 && high >= quarter) return 'high';
  return high + medium > 0 && high + medium >= quarter ? 'medium' : 'low';
}
