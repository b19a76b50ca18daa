/** Words of which a sentence that says nothing is made. */
export const courtesy: ReadonlySet<string> = new Set(
  `hi hello hey hai hii hiya dear there team all everyone support sir madam mam good morning afternoon evening day night nice have a an great weekend thanks thank you u your so
  very much many for the help assistance time in advance ok okay okey kk k yes no nope yeah yep ya yup sure fine right correct confirm confirmed perfect alright bye byee goodbye
  welcome please pls cheers regards best kind sincerely nothing else more now that's thats that is it all done too same to and my im i'm am this how are do not need any anything
  cool awesome wonderful lot lots bunch got noted understood well hope doing`.split(/\s+/),
);

/** How somebody asks for something or says that it is wrong. */
const asks =
  /\?|\b(?:how|why|what|when|where|which|who)\b|\b(?:can|could|would|will) (?:you|i|we)\b|\b(?:i|we)(?:'d| would| wanna)? ?(?:need|want|wants|like to|wish|have to|am trying|'m trying|am looking|'m looking)\b|\b(?:is|are|does|do) (?:it|there|my|the|your|this|you)\b|\b(?:help|please|need|want|would like|looking for|trying to|unable|possible)\b/i;
const complains =
  /\b(?:not|never|n't|cannot|cant|wont|doesnt|isnt|no longer|problem|issues?|errors?|fail\w*|wrong|broken|broke|crash\w*|missing|lost|stolen|stuck|declined|rejected|denied|charged|refund\w*|cancel\w*|slow|bug|delay\w*|late|pending|invalid|expired|disappeared|crack\w*)\b|n't\b/i;

/** How much a sentence tells of what somebody is after: 0 nothing, 2 both a request and a trouble. */
export function needOf(sentence: string): number {
  return Number(asks.test(sentence)) + Number(complains.test(sentence));
}

const more =
  /^(?:(?:and|ok|okay|so|oh|but),? )?(?:also\b|another (?:thing|question|issue|problem|request)|one more|(?:second|third|fourth|last)(?:ly)?\b(?! (?:time|day|week|month|year|try|attempt))|additionally|besides|by the way|btw|separately|on (?:a|another) (?:different|other|separate) (?:note|topic)|unrelated|moreover|furthermore|apart from that|(?:2|3|4|5)[.)]\s)/i;

/** Whether a sentence says of itself that it begins another matter. */
export function beginsAnother(sentence: string): boolean {
  return more.test(sentence);
}

const strong =
  /\b(?:i|we)(?:'d| would)? ?(?:also |now |still )?(?:need|want|like to)\b|\b(?:can|could) (?:you|i)\b|\bhow (?:do|can|to)\b|\bwhy\b/i;

/** Whether a sentence asks for something outright, as one does to open a matter. */
export function asksOutright(sentence: string): boolean {
  return strong.test(sentence);
}
