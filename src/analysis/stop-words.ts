import { foreignAskingWords, foreignStopWords } from './foreign-words.ts';

/** Words that say nothing about what somebody is after; greetings and courtesies among them. */
export const stopWords: ReadonlySet<string> = new Set([
  ...`a an the and or of to in on at by for from with is are was were be been am i im ive id my me we our you your it its this that these those there here as so if
  then than but do does did doing have has had having will would could should can may might just also please hi hello hey hai hii thanks thank ok okay okey yes no
  nope yeah sure bye byee goodbye morning evening afternoon welcome dear sir madam regards cheers sorry`.split(
    /\s+/,
  ),
  ...foreignStopWords,
]);

/** Words that ask or want: they tell kinds of requests apart, but two topics are not alike because both have them. */
export const askingWords: ReadonlySet<string> = new Set([
  ...`what how why when where which who need want like help know get got tell see use try go about some any all more very now still because while nothing else name`.split(
    ' ',
  ),
  ...foreignAskingWords,
]);
