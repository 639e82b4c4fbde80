import { parse } from '../ast/parse.ts';
import type { Shell } from '../state/shell.ts';
import { expandToText } from './word.ts';

/** The value of `$` followed by `text` (`x`, `{x:-1}`, `(command)`), where only its text is at hand. */
export async function parameterText(shell: Shell, text: string): Promise<string> {
	const command = parse(`: "$${text}"`).statements[0]?.pipelines[0]?.commands[0];
	const word = command?.type === 'SimpleCommand' ? command.args[0] : undefined;
	return word ? expandToText(shell, word) : '';
}
