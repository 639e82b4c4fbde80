import { capture } from '#computer/shell/expansion/substitution.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { decode, encode } from '#computer/process/text.ts';
import type { Line, LineSource } from '../input/line-source.ts';
import { type Address, type SedCommand, SedError } from './script.ts';
import { substitute } from './substitute.ts';

interface Output {
	add(text: string): void;
	flush(): Promise<void>;
	readonly full: boolean;
}

export interface SedSettings {
	quiet: boolean;
	/** Line delimiter. */
	delimiter: string;
	/** Restarts line numbers and ranges in each file. */
	separate: boolean;
	/** `N` on the last line prints nothing. */
	posix: boolean;
	/** Returns the file name that `F` prints. */
	nameOf: (name: string) => string;
	/** Line width for `l`. */
	width: number;
}

/** Continuation after a command: the next one, another one by index, or the end of the cycle. */
type Flow = 'next' | number | 'end' | 'delete' | 'restart';

/** Number of commands between two checks for an interrupt. */
const STEPS = 64;

/** Run of a script on its input. */
export class SedRun {
	#pattern = '';
	#ended = true;
	#hold = '';
	#line = 0;
	#substituted = false;
	#last: RegExp | null = null;
	/** Files whose last line lacks its newline. */
	readonly #owing = new Set<string>();
	#appended: ({ text: string } | { file: string })[] = [];
	#files = new Set<string>();
	#labels = new Map<string, number>();
	#exit: number | null = null;
	#reading = new Map<string, string[]>();
	/** Set if the last line had no newline: it is only added if something follows. */
	#owed = false;
	/** Number of commands that were run. */
	#steps = 0;

	constructor(
		private readonly call: Call,
		private readonly commands: readonly SedCommand[],
		private readonly lines: LineSource,
		private readonly output: Output,
		private readonly settings: SedSettings
	) {
		for (const [index, command] of commands.entries()) {
			if (command.name === ':') this.#labels.set(command.text, index);
			const file = command.substitution?.file ?? (/[wW]/.test(command.name) ? command.text : null);
			if (file) this.#create(file);
		}
	}

	/** Runs the script and returns the exit status. */
	async whole(): Promise<number> {
		let restart = false;
		for (const { name, from, to, text } of this.commands)
			if (name === 'r' && !to && from?.kind === 'line' && from.line === 0) this.output.add(this.#read(text));
		for (;;) {
			if (!restart && !(await this.#next())) break;
			restart = await this.#cycle();
			if (this.#exit !== null) {
				this.lines.close();
				return this.#exit;
			}
			if (this.output.full) await this.output.flush();
		}
		return 0;
	}

	async #next(): Promise<boolean> {
		const line = this.lines.buffered() ?? (await this.lines.next());
		if (!line) return false;
		this.#take(line);
		this.#pattern = line.text;
		return true;
	}

	#take(line: Line): void {
		if (this.settings.separate && this.lines.fileLine === 1) {
			this.#line = 0;
			for (const command of this.commands) command.active = command.started = false;
		}
		this.#line++;
		this.#ended = line.ended;
	}

	#print(text: string, ended = true): void {
		this.#pay();
		this.output.add(ended ? text + this.settings.delimiter : text);
		this.#owed = !ended;
	}

	#pay(): void {
		if (this.#owed) this.output.add(this.settings.delimiter);
		this.#owed = false;
	}

	/** Runs the script on the pattern space. Returns true to repeat without a new line (`D`). */
	async #cycle(): Promise<boolean> {
		for (let index = 0; index < this.commands.length; index++) {
			const command = this.commands[index];
			if (!command) break;
			if ('}:v'.includes(command.name)) continue;
			const selected = this.#selected(command);
			if ((typeof selected === 'boolean' ? selected : await selected) === command.negated) {
				if (command.name === '{') index = command.end;
				continue;
			}
			const flow = this.#runNow(command) ?? (await this.#run(command));
			if (typeof flow === 'number') index = flow;
			else if (flow !== 'next') return this.#endCycle(flow);
			if (++this.#steps % STEPS === 0) await this.call.shell.control.yieldIfDue();
		}
		return this.#endCycle('end');
	}

	#endCycle(flow: 'end' | 'delete' | 'restart'): boolean {
		if (flow === 'end' && !this.settings.quiet) this.#print(this.#pattern, this.#ended);
		this.#showAppended();
		if (flow !== 'restart') this.#substituted = false;
		return flow === 'restart';
	}

	/** Runs a command synchronously if possible; null for any other. */
	#runNow(command: SedCommand): Flow | null {
		if (this.#changeSpaces(command) || this.#write(command)) return 'next';
		switch (command.name) {
			case 's':
				if (command.substitution?.evaluate) return null;
				this.#substituteNow(command);
				return 'next';
			case 'd':
				return 'delete';
			case '{':
				return 'next';
			default:
				return null;
		}
	}

	async #run(command: SedCommand): Promise<Flow> {
		switch (command.name) {
			case 's':
				await this.#substituteByShell(command);
				return 'next';
			case 'D': {
				const at = this.#pattern.indexOf('\n');
				if (at < 0) return 'delete';
				this.#pattern = this.#pattern.slice(at + 1);
				return 'restart';
			}
			case 'n':
			case 'N':
				return this.#readNext(command.name === 'N');
			case 'c':
				if (!command.to || command.negated || !command.active) this.#printText(command.text);
				return 'delete';
			case 'b':
				return this.#placeOf(command.text);
			case 't':
			case 'T': {
				const jumps = this.#substituted === (command.name === 't');
				this.#substituted = false;
				return jumps ? this.#placeOf(command.text) : 'next';
			}
			case 'q':
			case 'Q':
				this.#exit = command.number ?? 0;
				return command.name === 'q' ? 'end' : 'delete';
			case 'e':
				await this.#execute(command.text);
				return 'next';
			default:
				throw new SedError(`-e expression #1, char 0: \`${command.name}' cannot run here`);
		}
	}

	/** Index of the label's command; the end of the script without a label. */
	#placeOf(label: string): number {
		return (label === '' ? undefined : this.#labels.get(label)) ?? this.commands.length;
	}

	/** `n` prints the pattern space and replaces it, `N` appends to it. Both end the script after the last line. */
	async #readNext(appends: boolean): Promise<Flow> {
		if (await this.lines.atEnd()) {
			this.#exit = 0;
			return appends && this.settings.posix ? 'delete' : 'end';
		}
		if (!appends && !this.settings.quiet) this.#print(this.#pattern, this.#ended);
		this.#showAppended();
		if (!appends) {
			await this.#next();
			return 'next';
		}
		const line = await this.lines.next();
		if (line) {
			this.#take(line);
			this.#pattern += `\n${line.text}`;
		}
		return 'next';
	}

	/** Runs a command that only affects pattern and hold space. Returns false for any other. */
	#changeSpaces({ name, map }: SedCommand): boolean {
		if (name === 'g') this.#pattern = this.#hold;
		else if (name === 'G') this.#pattern += `\n${this.#hold}`;
		else if (name === 'h') this.#hold = this.#pattern;
		else if (name === 'H') this.#hold += `\n${this.#pattern}`;
		else if (name === 'x') [this.#pattern, this.#hold] = [this.#hold, this.#pattern];
		else if (name === 'z') this.#pattern = '';
		else if (name === 'y') this.#pattern = [...this.#pattern].map((one) => map?.get(one) ?? one).join('');
		else return false;
		return true;
	}

	/** Runs a command that writes, now or at the end of the cycle. Returns false for any other. */
	#write({ name, text, number }: SedCommand): boolean {
		const firstLine = () => this.#pattern.split('\n', 1)[0] ?? '';
		if (name === 'p') this.#print(this.#pattern, this.#ended);
		else if (name === 'P') this.#print(firstLine());
		else if (name === '=') this.#print(String(this.#line));
		else if (name === 'F') this.#print(this.settings.nameOf(this.lines.fileName));
		else if (name === 'l') this.#print(visible(this.#pattern, number ?? this.settings.width));
		else if (name === 'i') this.#printText(text);
		else if (name === 'a') this.#appended.push({ text });
		else if (name === 'r') this.#appended.push({ file: text });
		else if (name === 'R') this.#appendLineOf(text);
		else if (name === 'w') this.#writeFile(text, this.#pattern, this.#ended);
		else if (name === 'W') this.#writeFile(text, firstLine());
		else return false;
		return true;
	}

	#printText(text: string): void {
		this.#pay();
		this.output.add(text);
	}

	/** Queues the next line of a file, if any. */
	#appendLineOf(name: string): void {
		const rest = this.#reading.get(name) ?? linesOf(this.#read(name));
		this.#reading.set(name, rest);
		const line = rest.shift();
		if (line !== undefined) this.#appended.push({ text: `${line}\n` });
	}

	/** Returns the pattern space after replacing; null if nothing matches. */
	#replaced({ substitution: how }: SedCommand): string | null {
		if (!how) return null;
		const pattern =
			how.pattern ?? (this.#last && new RegExp(this.#last.source, `${this.#last.flags.replace('g', '')}g`));
		if (!pattern) throw new SedError('-e expression #1, char 0: no previous regular expression');
		this.#last = pattern;
		const result = substitute(this.#pattern, pattern, how);
		if (result !== null && how.print === 'before') this.#print(result);
		return result;
	}

	#substituteNow(command: SedCommand): void {
		const result = this.#replaced(command);
		if (result !== null) this.#keepSubstituted(command, result);
	}

	async #substituteByShell(command: SedCommand): Promise<void> {
		const result = this.#replaced(command);
		if (result !== null) this.#keepSubstituted(command, (await this.#outputOf(result)).replace(/\n$/, ''));
	}

	#keepSubstituted({ substitution: how }: SedCommand, result: string): void {
		this.#pattern = result;
		this.#substituted = true;
		if (how?.print === 'after') this.#print(this.#pattern, this.#ended);
		if (how?.file) this.#writeFile(how.file, this.#pattern, this.#ended);
	}

	/** `e command` prints the output of a command first; `e` runs the pattern space and replaces it by the output. */
	async #execute(command: string): Promise<void> {
		if (command === '') this.#pattern = (await this.#outputOf(this.#pattern)).replace(/\n$/, '');
		else this.#printText(await this.#outputOf(command));
	}

	async #outputOf(command: string): Promise<string> {
		await this.output.flush();
		return decode(await capture(this.call.shell, (inner) => inner.host.evaluate(inner, command)));
	}

	#selected(command: SedCommand): boolean | Promise<boolean> {
		const { from, to } = command;
		if (!from) return true;
		return to ? this.#isInRange(command, from, to) : this.#matches(from);
	}

	async #isInRange(command: SedCommand, from: Address, to: Address): Promise<boolean> {
		if (command.active) {
			const line = command.endLine || (to.kind === 'line' ? to.line : 0);
			if (line > 0) {
				command.active = this.#line < line;
				// The end was passed without being checked (`2,4{n;n;n}`): only the first line matches then.
				if (this.#line <= line) return true;
			} else {
				if (await this.#matches(to)) command.active = false;
				return true;
			}
		}
		const zero = from.kind === 'line' && from.line === 0 && this.#line === 1;
		if (from.kind === 'line' && !zero) {
			if (from.line === 0) return false;
			// The first line may have been skipped while other commands ended their cycles.
			if (command.started || this.#line < from.line) return false;
			command.started = true;
			if (to.kind === 'line' && this.#line > Math.max(to.line, from.line)) return false;
		} else if (!zero && !(await this.#matches(from))) return false;
		command.endLine = 0;
		if (to.kind === 'count') command.endLine = this.#line + to.lines;
		else if (to.kind === 'multiple') command.endLine = to.of > 0 ? Math.ceil(this.#line / to.of) * to.of : this.#line;
		if (command.endLine > 0) command.active = command.endLine > this.#line;
		else if (to.kind === 'line') command.active = to.line > this.#line;
		else if (zero) command.active = !(await this.#matches(to));
		else command.active = to.kind !== 'last' || !(await this.lines.atEnd(this.settings.separate));
		return true;
	}

	#matches(address: Address): boolean | Promise<boolean> {
		switch (address.kind) {
			case 'line':
				return this.#line === address.line;
			case 'last':
				return this.lines.atEnd(this.settings.separate);
			case 'step':
				return address.step === 0
					? this.#line === address.first
					: this.#line >= address.first && (this.#line - address.first) % address.step === 0;
			case 'pattern': {
				const pattern = address.pattern ?? this.#last;
				if (!pattern) throw new SedError('-e expression #1, char 0: no previous regular expression');
				this.#last = pattern;
				pattern.lastIndex = 0;
				return pattern.test(this.#pattern);
			}
			default:
				return false;
		}
	}

	#showAppended(): void {
		for (const one of this.#appended.splice(0)) {
			this.#pay();
			this.output.add('text' in one ? one.text : this.#read(one.file));
		}
	}

	#read(name: string): string {
		const { sync } = this.call.shell.host.context;
		const path = this.call.shell.path(name);
		return sync.statOrNull(path)?.kind === 'file' ? decode(sync.readFile(path)) : '';
	}

	#create(name: string): void {
		if (this.#files.has(name) || /^\/dev\/std(out|err)$/.test(name)) return;
		this.#files.add(name);
		this.call.shell.host.context.sync.writeFile(this.call.shell.path(name), new Uint8Array());
	}

	/** @param ended false if the input's last line had no newline, so this one has none until another follows */
	#writeFile(name: string, text: string, ended = true): void {
		const { delimiter } = this.settings;
		const line = `${this.#owing.has(name) ? delimiter : ''}${text}${ended ? delimiter : ''}`;
		if (ended) this.#owing.delete(name);
		else this.#owing.add(name);
		if (name === '/dev/stdout') this.output.add(line);
		else if (name === '/dev/stderr') void this.call.shell.descriptors.get(2)?.write(encode(line));
		else this.call.shell.host.context.sync.appendFile(this.call.shell.path(name), encode(line));
	}
}

/** Formats a text as `l` prints it: control characters escaped, folded, with `$` at the end. */
function visible(text: string, width: number): string {
	const names: Record<string, string> = {
		'\\': '\\\\',
		'\x07': '\\a',
		'\b': '\\b',
		'\f': '\\f',
		'\n': '\\n',
		'\r': '\\r',
		'\t': '\\t',
		'\v': '\\v'
	};
	const pieces = [...text].flatMap((character) => {
		if (names[character]) return [names[character]];
		if (character >= ' ' && character <= '~') return [character];
		return [...encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
	});
	let result = '';
	let column = 0;
	for (const piece of pieces) {
		if (width > 1 && column + piece.length > width - 1) {
			result += '\\\n';
			column = 0;
		}
		result += piece;
		column += piece.length;
	}
	return `${result}$`;
}

/** Splits a text into lines without newlines; empty for an empty text. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
