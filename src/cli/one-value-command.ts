import { Command } from 'commander';
import { Problem } from '../errors/problem.ts';
import { shellWord } from '../contract/shell-word.ts';
import { wordsOf } from './command-words.ts';
import { isRepeatable } from './input/collect.ts';
import { isGlobal } from './settings/global-options.ts';

/**
 * A command that refuses two different values for an option with one value, because the first would be ignored. For global
 * options, such as --output, the last value counts, because an alias or a script may set them before the user does.
 */
export class OneValueCommand extends Command {
  override createCommand(name?: string): OneValueCommand {
    return new OneValueCommand(name);
  }

  /** Sets the value of an option. @throws Problem(usage) for a second, different value on the command line */
  override setOptionValueWithSource(key: string, value: unknown, source: string): this {
    const before: unknown = this.getOptionValue(key);
    const isSecond = source === 'cli' && this.getOptionValueSource(key) === 'cli';
    if (isSecond && String(before) !== String(value)) this.#refuseSecond(key, [before, value]);
    return super.setOptionValueWithSource(key, value, source);
  }

  #refuseSecond(key: string, values: readonly unknown[]): void {
    const option = this.options.find((one) => one.attributeName() === key && !one.negate);
    if (option === undefined || isGlobal(option) || isRepeatable(option)) return;
    const [argument] = this.registeredArguments;
    const takesArguments = argument?.variadic === true && argument.name() === option.name();
    const flag = `--${option.name()}`;
    throw new Problem('usage', `${flag} takes one value, but several are given.`, {
      hint: takesArguments
        ? `Give them as arguments: \`docsctl ${wordsOf(this)} ${values.map((value) => shellWord(String(value))).join(' ')}\`.`
        : `Give ${flag} once.`,
    });
  }
}
