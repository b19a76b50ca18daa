/** Sequences that steer a terminal: OSC and its kin up to their end, CSI, and those of two characters. */
// eslint-disable-next-line no-control-regex
const steering =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]{0,2000}(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]?|\u001b[ -/]{0,8}[0-~]?/g;

/** A text without what steers a terminal, hides or turns the direction of what follows; lines stay lines. */
export function clean(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(steering, '')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .toWellFormed();
}
