import { concat, decode } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError, utility } from '../../options.ts';
import { shellEscapedAlways as quoted } from '../../shell-escape.ts';
import { type Cut, readCuts } from './patterns.ts';
import { suffixFormat } from './suffix.ts';

const SPECIFICATION =
	'b|suffix-format= f|prefix= k|keep-files n|digits= s|quiet|silent q z|elide-empty-files suppress-matched';

/** The input has no line for a cut. */
class NoPlace extends Error {}

/** `csplit`: splits a file at lines given by patterns. */
export const csplit = utility(SPECIFICATION, async (call, options) => {
	const nameOf = pieceNames(options);
	const [name, ...operands] = options.operands;
	if (name === undefined) throw new UsageError('missing operand');
	if (operands.length === 0) throw new UsageError(`missing operand after '${name}'`);
	const warnings: string[] = [];
	const cuts = readCuts(operands, (text) => warnings.push(text));
	for (const warning of warnings) await call.complain(warning);
	const lines = await linesOf(call, name);
	if (!lines) return 1;
	const pieces = new Pieces(call, options, nameOf);
	try {
		await new Splitter(lines, pieces, options.has('suppress-matched')).run(cuts);
		return 0;
	} catch (error) {
		if (!(error instanceof NoPlace)) throw error;
		await call.complain(error.message);
		await pieces.giveUp(options.has('k'));
		return 1;
	}
});

/** @throws UsageError */
function pieceNames(options: Options): (number: number) => string {
	const prefix = options.get('f') ?? 'xx';
	const digits = options.get('n') ?? '2';
	if (!/^\s*\+?\d+$/.test(digits)) throw new UsageError(`invalid number: '${digits}'`);
	const format = options.get('b');
	const suffix = format === undefined ? null : suffixFormat(format);
	return (number) => prefix + (suffix ? suffix(number) : String(number).padStart(Number(digits), '0'));
}

/** Reads lines with their line ends; null after an error was reported. */
async function linesOf(call: Call, name: string): Promise<Uint8Array[] | null> {
	const { shell } = call;
	try {
		const file = name === '-' ? shell.descriptors.require(0).retain() : open(shell, name, '<');
		try {
			if (name !== '-' && shell.host.context.sync.statOrNull(shell.path(name))?.kind === 'directory') {
				await call.complain('read error: Is a directory');
				return null;
			}
			const bytes = await shell.control.race(file.readAll());
			const lines: Uint8Array[] = [];
			for (let start = 0; start < bytes.length;) {
				const end = bytes.indexOf(10, start) + 1 || bytes.length;
				lines.push(bytes.subarray(start, end));
				start = end;
			}
			return lines;
		} finally {
			file.release();
		}
	} catch (error) {
		await call.complain(`cannot open ${quoted(name)} for reading: ${reason(error).replace(`${name}: `, '')}`);
		return null;
	}
}

/** Writes the pieces to files, and their sizes to stdout. */
class Pieces {
	#names: string[] = [];

	constructor(
		private readonly call: Call,
		private readonly options: Options,
		private readonly nameOf: (number: number) => string
	) {}

	/** @param isLast whether the rest of the input is written, after which the files are kept */
	async add(lines: readonly Uint8Array[], isLast = false): Promise<void> {
		const bytes = concat([...lines]);
		if (bytes.length === 0 && !isLast && this.options.has('z')) return;
		const { shell } = this.call;
		const name = this.nameOf(this.#names.length);
		try {
			shell.host.context.sync.writeFile(shell.path(name), bytes, { mode: 0o666 & ~shell.umask });
		} catch (error) {
			throw new NoPlace(`${name}: ${reason(error)}`);
		}
		this.#names.push(name);
		if (isLast) this.#names = [];
		else if (!this.options.has('s', 'q')) await this.call.out(`${bytes.length}\n`);
	}

	/** Removes the files, unless they are to stay. */
	async giveUp(stay: boolean): Promise<void> {
		const { shell } = this.call;
		if (!stay) for (const name of this.#names) shell.host.context.sync.remove(shell.path(name), { force: true });
		this.#names = [];
	}
}

class Splitter {
	/** Index of the first line not yet in a piece. */
	#at = 0;
	/** Index of the first line not yet compared with an expression. */
	#compared = 0;

	constructor(
		private readonly lines: readonly Uint8Array[],
		private readonly pieces: Pieces,
		private readonly dropsMatched: boolean
	) {}

	async run(cuts: readonly Cut[]): Promise<void> {
		for (const cut of cuts) {
			for (let repetition = 0; repetition <= cut.repeats; repetition++) {
				if (cut.line !== null) await this.#byLine(cut, repetition);
				else if (await this.#byExpression(cut, repetition)) return;
			}
		}
		await this.pieces.add(this.lines.slice(this.#at));
	}

	async #byLine(cut: Cut, repetition: number): Promise<void> {
		const wanted = (cut.line ?? 0) * (repetition + 1) - 1;
		if (this.#at >= this.lines.length) {
			await this.pieces.add([], true);
			throw new NoPlace('input disappeared');
		}
		if (wanted >= this.lines.length) {
			await this.pieces.add(this.lines.slice(this.#at));
			throw new NoPlace(`'${cut.text}': line number out of range${onRepetition(repetition)}`);
		}
		await this.pieces.add(this.lines.slice(this.#at, Math.max(this.#at, wanted)));
		this.#moveTo(Math.max(this.#at, wanted));
	}

	/** Returns true after the end of the input. */
	async #byExpression(cut: Cut, repetition: number): Promise<boolean> {
		const found = this.#find(cut.expression);
		if (found < 0) {
			const isOver = cut.repeats === Infinity;
			if (!cut.isSkipped) await this.pieces.add(this.lines.slice(this.#at));
			if (isOver) return true;
			throw new NoPlace(`'${cut.text}': match not found${onRepetition(repetition)}`);
		}
		const wanted = found + cut.offset;
		if (wanted < this.#at || wanted > this.lines.length) {
			if (!cut.isSkipped) await this.pieces.add(wanted < this.#at ? [] : this.lines.slice(this.#at));
			throw new NoPlace(`'${cut.text}': line number out of range${onRepetition(repetition)}`);
		}
		if (!cut.isSkipped) await this.pieces.add(this.lines.slice(this.#at, wanted));
		this.#compared = (cut.offset > 0 ? wanted : found) + 1;
		this.#moveTo(wanted);
		return false;
	}

	#find(expression: RegExp | null): number {
		for (let index = Math.max(this.#compared, this.#at); index < this.lines.length; index++) {
			const text = decode(this.lines[index] ?? new Uint8Array()).replace(/\n$/, '');
			if (expression?.test(text)) return index;
		}
		return -1;
	}

	#moveTo(index: number): void {
		this.#at = this.dropsMatched ? index + 1 : index;
	}
}

const onRepetition = (repetition: number) => (repetition > 0 ? ` on repetition ${repetition}` : '');
