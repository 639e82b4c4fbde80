import { commonPrefix } from '#computer/terminal/completion.ts';
import { textWidth } from '#computer/terminal/width.ts';
import type { Completer } from './options.ts';

/** Parts of a line interface that completion uses. */
interface CompletedLine {
	readonly line: string;
	readonly cursor: number;
	readonly columns: number;
	readonly completer: Completer | undefined;
	pause(): unknown;
	resume(): unknown;
	_insertString(text: string): void;
	_writeToOutput(text: string): void;
	_refreshLine(): void;
}

/**
 * Tab: inserts the common prefix of all candidates, and lists them when pressed twice. Reports a failing
 * completer.
 */
export async function completeLine(rl: CompletedLine, wasTab: boolean): Promise<void> {
	rl.pause();
	let found: [string[], string];
	try {
		found = await ask(rl);
	} catch (error) {
		rl.resume();
		return rl._writeToOutput(`tab completion error: ${String(error)}\n`);
	}
	rl.resume();
	const [choices, completed] = found;
	if (choices.length === 0) return;
	const shared = commonPrefix(choices.filter((choice) => choice !== ''));
	if (shared.startsWith(completed) && shared.length > completed.length) {
		return rl._insertString(shared.slice(completed.length));
	}
	if (!wasTab || choices.length < 2) return;
	rl._writeToOutput(`\r\n${inColumns(choices, rl.columns)}`);
	rl._refreshLine();
}

function ask({ completer, line, cursor }: CompletedLine): Promise<[string[], string]> {
	return new Promise((resolve, reject) => {
		const given = completer?.(line.slice(0, cursor), (error, result) => {
			if (error || !result) reject(error);
			else resolve(result);
		});
		if (given) Promise.resolve(given).then(resolve, reject);
	});
}

function inColumns(choices: string[], width: number): string {
	const widest = Math.max(...choices.map(textWidth)) + 2;
	const across = Math.max(1, Math.floor(Math.min(width, 500) / widest));
	let text = '';
	for (const [index, choice] of choices.entries()) {
		const isLast = index % across === across - 1 || index === choices.length - 1;
		text += choice + (isLast ? '\r\n' : ' '.repeat(widest - textWidth(choice)));
	}
	return `${text}\r\n`;
}
