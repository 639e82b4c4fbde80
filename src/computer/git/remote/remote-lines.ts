import { ansiColor } from '../config/ansi-color.ts';
import { choosesColor, COLOR_RESET } from '../color-choice.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';

/** Keywords that are colored at the start of a line. */
const KEYWORDS: Readonly<Record<string, string>> = {
	hint: 'yellow',
	warning: 'bold yellow',
	success: 'bold green',
	error: 'bold red'
};

/** Prints messages of the remote side, each line prefixed with `remote:`. A line may arrive in several parts. */
export class RemoteLines {
	readonly #git: Invocation;
	readonly #suffix: string;
	#colors: ReadonlyMap<string, string> | null | undefined;
	#partial = '';

	constructor(git: Invocation) {
		this.#git = git;
		this.#suffix = git.context.sync.isTerminal(2) && git.env['TERM'] !== 'dumb' ? '\x1b[K' : '        ';
	}

	add(text: string): void {
		const lines = (this.#partial + text).split(/(?<=[\r\n])/);
		this.#partial = /[\r\n]$/.test(lines.at(-1) ?? '') ? '' : (lines.pop() ?? '');
		for (const line of lines) this.#print(line.slice(0, -1), line.slice(-1));
	}

	/** Prints the rest of an unterminated line. */
	end(): void {
		if (this.#partial !== '') this.#print(this.#partial, '\n');
		this.#partial = '';
	}

	#print(line: string, end: string): void {
		this.#git.err(`remote: ${this.#colored(line)}${line === '' ? '' : this.#suffix}${end}`);
	}

	#colored(line: string): string {
		if (this.#colors === undefined) this.#colors = this.#chosenColors();
		if (this.#colors === null) return line;
		const text = line.trimStart();
		const [, word = '', rest = ''] = /^([a-z]+)(?![a-z0-9])(.*)$/is.exec(text) ?? [];
		const color = this.#colors.get(word.toLowerCase());
		const blanks = line.slice(0, line.length - text.length);
		return color === undefined ? line : `${blanks}${color}${word}${COLOR_RESET}${rest}`;
	}

	/** Configured colors of the keywords; null if color is off. */
	#chosenColors(): ReadonlyMap<string, string> | null {
		const { repository, context } = this.#git;
		const { config } = repository;
		const keys = ['color.remote', 'color.ui'];
		if (!choosesColor(config, undefined, keys, () => context.sync.isTerminal(2))) return null;
		return new Map(
			Object.entries(KEYWORDS).map(([word, usual]) => {
				const key = `color.remote.${word}`;
				const color = ansiColor(config.get(key) ?? usual);
				if (color === null) throw fatal(`bad config variable '${key}'`);
				return [word, color];
			})
		);
	}
}
