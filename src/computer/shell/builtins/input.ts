import { SyscallError } from '#computer/abi/client.ts';
import { assignNamed } from './assign-named.ts';
import { quoteWord } from '../expansion/quote.ts';
import { onTerminal } from '../execution/file-test.ts';
import type { TerminalSettings } from '#computer/abi/terminal-settings.ts';
import { isPlace } from '../parser/subscript.ts';
import { optionsOf } from './read-options.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable } from '../state/variables.ts';
import type { OpenFile } from '../streams/open-file.ts';
import { decode, encode } from '#computer/process/text.ts';

/** Number of lines between two calls of `mapfile -C`, unless set by `-c`. */
const CALLBACK_LINES = 5000;
const read: BuiltIn = async (call) => {
	const { shell } = call;
	const { flags, rest } = optionsOf(call);
	for (const name of flags.has('a') ? [flags.get('a') ?? ''] : rest) {
		if (isPlace(name)) continue;
		await call.complain(`\`${name}': not a valid identifier`);
		return 1;
	}
	const count = flags.get('n') ?? flags.get('N');
	const timeout = flags.get('t');
	if (count !== undefined && !/^\d+$/.test(count)) {
		await call.complain(`${count}: invalid number`);
		return 1;
	}
	if (timeout !== undefined && !/^(?:\d+\.?\d*|\.\d+)$/.test(timeout)) {
		await call.complain(`${timeout}: invalid timeout specification`);
		return 1;
	}
	const fault = faultOfDescriptor(shell, flags);
	if (fault !== null) {
		await call.complain(fault);
		return 1;
	}
	const input = shell.descriptors.get(Number(flags.get('u') ?? 0));
	if (!input) {
		await call.complain('read error: 0: Bad file descriptor');
		return 1;
	}
	if (timeout !== undefined && Number(timeout) === 0) return 0;
	const delimiter = flags.has('d') ? (encode(flags.get('d') ?? '')[0] ?? 0) : 10;
	const record = new ReadRecord(input, flags.has('N') ? -1 : delimiter, flags.has('r'));
	const settings = { ...(flags.has('s') ? { echo: false } : {}), ...(count === undefined ? {} : { lines: false }) };
	const result = await withSettings(shell, input.kernel, settings, async () => {
		// The terminal's echo is configured before anything can be typed.
		if (flags.has('p') && onTerminal(shell, 0)) await shell.descriptors.get(2)?.write(encode(flags.get('p') ?? ''));
		const most = count === undefined ? Infinity : Number(count);
		return shell.control.race(withLimit(timeout, (limit) => record.read(most, limit)));
	});
	if (!(await store(call, rest, record.characters, flags))) return 1;
	return result === null ? 142 : result ? 0 : 1;
};

/** Reads the input of one call of `read`. */
class ReadRecord {
	/** Characters; one escaped by a backslash is stored with it. */
	readonly characters: string[] = [];
	#isEscaped = false;

	constructor(
		private readonly input: OpenFile,
		private readonly delimiter: number,
		private readonly raw: boolean
	) {}

	/** Returns false if the input ended before the delimiter, null if `limit` resolved first. */
	async read(count: number, limit: Promise<null> | null): Promise<boolean | null> {
		let isLate = false;
		const stop = limit?.then((none) => ((isLate = true), none)) ?? null;
		const isWhole = await (count === Infinity ? this.#readLine(stop) : this.#readCharacters(count, stop));
		return isLate && !isWhole ? null : isWhole;
	}

	async #readCharacters(count: number, stop: Promise<null> | null): Promise<boolean> {
		let bytes: number[] = [];
		while (this.characters.length < count) {
			const [byte] = (await this.input.readUnless(stop, 1)) ?? [];
			if (byte === undefined) return false;
			if (byte === this.delimiter && !this.#isEscaped) return true;
			bytes.push(byte);
			const text = decode(Uint8Array.from(bytes));
			if (bytes.length < 4 && byte >= 0x80 && /[\udc80-\udcff]/.test(text)) continue;
			bytes = [];
			for (const char of text) this.#add(char);
		}
		return true;
	}

	async #readLine(stop: Promise<null> | null): Promise<boolean> {
		for (;;) {
			const bytes = await this.input.readUntil(this.delimiter, stop);
			if (bytes === null) return false;
			const isWhole = bytes.at(-1) === this.delimiter;
			for (const char of decode(isWhole ? bytes.subarray(0, -1) : bytes)) this.#add(char);
			if (!isWhole) return false;
			if (!this.#isEscaped) return true;
			this.#add(String.fromCharCode(this.delimiter));
		}
	}

	#add(char: string): void {
		if (this.#isEscaped) {
			this.#isEscaped = false;
			if (char !== '\n') this.characters.push(`\\${char}`);
		} else if (char === '\\' && !this.raw) this.#isEscaped = true;
		else if (char !== '\0') this.characters.push(char);
	}
}

/** Runs `work` with changed settings of the terminal, if `descriptor` is one. */
async function withSettings<Value>(
	{ host }: Shell,
	descriptor: number | undefined,
	change: Partial<TerminalSettings>,
	work: () => Promise<Value>
): Promise<Value> {
	const { sync, async: calls } = host.context;
	const isChanged = Object.keys(change).length > 0;
	if (!isChanged || descriptor === undefined || !sync.isTerminal(descriptor)) return work();
	const before = await calls.terminalSettings({});
	await calls.terminalSettings(change);
	try {
		return await work();
	} finally {
		await calls.terminalSettings(before, true);
	}
}

/** Runs `work` with a promise that resolves after this many seconds, if any. */
async function withLimit<Value>(
	seconds: string | undefined,
	work: (limit: Promise<null> | null) => Promise<Value>
): Promise<Value> {
	if (seconds === undefined) return work(null);
	let timer: ReturnType<typeof setTimeout> | undefined;
	try {
		return await work(new Promise((resolve) => (timer = setTimeout(() => resolve(null), Number(seconds) * 1000))));
	} finally {
		clearTimeout(timer);
	}
}

const textOf = (characters: readonly string[]): string =>
	characters.map((char) => (char.length > 1 && char.startsWith('\\') ? char.slice(1) : char)).join('');

/** Splits what was read at IFS and assigns the fields to variables; the last one gets the rest. */
async function store(
	call: Call,
	names: readonly string[],
	characters: readonly string[],
	flags: ReadonlyMap<string, string>
): Promise<boolean> {
	const { shell } = call;
	const splitter = new Splitter(characters, shell.variables.get('IFS') ?? ' \t\n');
	const array = flags.get('a');
	if (array !== undefined) {
		const words = splitter.words(Infinity);
		const variable = shell.variables.declare(array, { value: undefined });
		if (variable.readonly) throw new ReadonlyVariable(array);
		variable.indexed = new Map(words.map((word, index) => [index, word]));
		return true;
	}
	if (names.length === 0) return assignNamed(call, 'REPLY', textOf(characters));
	const words = flags.has('N') ? [textOf(characters)] : splitter.words(names.length);
	for (const [index, name] of names.entries()) if (!(await assignNamed(call, name, words[index] ?? ''))) return false;
	return true;
}

class Splitter {
	#at = 0;

	constructor(
		private readonly characters: readonly string[],
		private readonly separators: string
	) {}

	words(limit: number): string[] {
		const { characters } = this;
		const words: string[] = [];
		this.#skipBlanks();
		while (this.#at < characters.length) {
			if (words.length === limit - 1) {
				words.push(this.#last());
				break;
			}
			const from = this.#at;
			while (this.#at < characters.length && !this.#isSeparator(this.#at)) this.#at++;
			words.push(textOf(characters.slice(from, this.#at)));
			this.#skipBlanks();
			if (!this.#isSeparator(this.#at)) continue;
			this.#at++;
			this.#skipBlanks();
		}
		return words;
	}

	#isSeparator(at: number): boolean {
		const char = this.characters[at];
		return char?.length === 1 && this.separators.includes(char);
	}

	#isBlank(at: number): boolean {
		return this.#isSeparator(at) && ' \t\n'.includes(this.characters[at] ?? '');
	}

	#skipBlanks(): void {
		while (this.#isBlank(this.#at)) this.#at++;
	}

	/** Returns the rest without trailing separators: blanks, and one other separator if it ends the only field. */
	#last(): string {
		const from = this.#at;
		let end = this.characters.length;
		while (end > from && this.#isBlank(end - 1)) end--;
		if (end > from && this.#isSeparator(end - 1) && !this.#isBlank(end - 1)) {
			let before = end - 1;
			while (before > from && this.#isBlank(before - 1)) before--;
			const isOnly = !this.characters.slice(from, before).some((_char, index) => this.#isSeparator(from + index));
			if (isOnly) end = before;
		}
		return textOf(this.characters.slice(from, end));
	}
}

/** Reads the next record of the input; a directory has none. */
async function readRecord(input: OpenFile, delimiter: number): Promise<Uint8Array | null> {
	try {
		return await input.readUntil(delimiter);
	} catch (error) {
		if (error instanceof SyscallError && error.code === 'EISDIR') return null;
		throw error;
	}
}

/** Error message for the arguments of `mapfile`; null if they are valid. */
function faultOfMapfile(flags: ReadonlyMap<string, string>, name: string): string | null {
	const numbers = [
		['n', 'invalid line count'],
		['s', 'invalid line count'],
		['O', 'invalid array origin'],
		['c', 'invalid callback quantum']
	] as const;
	for (const [letter, fault] of numbers) {
		const value = flags.get(letter);
		if (value !== undefined && !/^\s*\+?\d+\s*$/.test(value)) return `${value}: ${fault}`;
	}
	return /^[A-Za-z_]\w*$/.test(name) ? null : `\`${name}': not a valid identifier`;
}

/** Error message for the descriptor after `-u`; null if it is valid. */
function faultOfDescriptor(shell: Shell, flags: ReadonlyMap<string, string>): string | null {
	const given = flags.get('u');
	if (given === undefined) return null;
	if (!/^\d+$/.test(given)) return `${given}: invalid file descriptor specification`;
	return shell.descriptors.get(Number(given)) ? null : `${given}: invalid file descriptor: Bad file descriptor`;
}

const mapfile: BuiltIn = async (call) => {
	const { shell } = call;
	const { flags, rest } = optionsOf(call);
	const name = rest[0] ?? 'MAPFILE';
	const fault = faultOfMapfile(flags, name) ?? faultOfDescriptor(shell, flags);
	if (fault !== null) {
		await call.complain(fault);
		return 1;
	}
	const input = shell.descriptors.require(Number(flags.get('u') ?? 0));
	const delimiter = flags.has('d') ? (encode(flags.get('d') ?? '')[0] ?? 0) : 10;
	const lines = new Map<number, string>();
	const origin = Number(flags.get('O') ?? 0);
	const most = Number(flags.get('n') ?? 0) || Infinity;
	let skip = Number(flags.get('s') ?? 0);
	const callback = flags.get('C');
	const quantum = Number(flags.get('c') ?? CALLBACK_LINES);
	while (lines.size < most) {
		const bytes = await readRecord(input, delimiter);
		if (bytes === null) break;
		if (skip-- > 0) continue;
		const strip = flags.has('t') && bytes.at(-1) === delimiter;
		const line = decode(strip ? bytes.subarray(0, -1) : bytes).replace(/\0.*/s, '');
		const index = origin + lines.size;
		if (callback !== undefined && (lines.size + 1) % quantum === 0)
			await shell.host.evaluate(shell, `${callback} ${index} ${quoteWord(line)}`);
		lines.set(index, line);
	}
	const variable = shell.variables.declare(name, {});
	if (variable.readonly) throw new ReadonlyVariable(name);
	variable.indexed = flags.has('O') ? new Map([...(variable.indexed ?? []), ...lines]) : lines;
	variable.value = undefined;
	return 0;
};

export const inputBuiltins: Record<string, BuiltIn> = { read, mapfile, readarray: mapfile };
