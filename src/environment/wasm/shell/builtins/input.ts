import { assignText } from '../execution/assignments.ts';
import { onTerminal } from '../execution/file-test.ts';
import type { TerminalSettings } from '../../terminal/settings.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { decode, encode } from '../streams/text.ts';

const READ_VALUES = new Set(['d', 'n', 'N', 'p', 't', 'u', 'a', 'i']);
const MAPFILE_VALUES = new Set(['d', 'n', 'O', 's', 'u', 'c', 'C']);

/** Reads options like `-rd '' -p text`. */
function options(args: string[], valued: Set<string>): { flags: Map<string, string>; rest: string[] } {
	const flags = new Map<string, string>();
	let index = 0;
	for (; /^-./.test(args[index] ?? ''); index++) {
		const text = args[index] ?? '';
		if (text === '--') {
			index++;
			break;
		}
		for (let at = 1; at < text.length; at++) {
			const letter = text[at] ?? '';
			if (!valued.has(letter)) {
				flags.set(letter, '');
				continue;
			}
			flags.set(letter, at + 1 < text.length ? text.slice(at + 1) : (args[++index] ?? ''));
			break;
		}
	}
	return { flags, rest: args.slice(index) };
}

const read: BuiltIn = async (call) => {
	const { shell } = call;
	const { flags, rest } = options(call.args, READ_VALUES);
	const input = shell.descriptors.require(Number(flags.get('u') ?? 0));
	const delimiter = flags.has('d') ? (encode(flags.get('d') ?? '')[0] ?? 0) : 10;
	const count = Number(flags.get('n') ?? flags.get('N') ?? NaN);
	const raw = flags.has('r');
	const settings = { ...(flags.has('s') ? { echo: false } : {}), ...(Number.isNaN(count) ? {} : { lines: false }) };
	const reading = async () => {
		if (!Number.isNaN(count)) return readChars(input, count, flags.has('N') ? -1 : delimiter);
		let text = '';
		for (;;) {
			const bytes = await input.readUntil(delimiter);
			if (bytes === null) return { text, ended: true };
			const ended = bytes.at(-1) !== delimiter;
			text += decode(ended ? bytes : bytes.subarray(0, -1));
			// A backslash at the end of the line joins the next one to it.
			if (ended || raw || delimiter !== 10 || !/(^|[^\\])(\\\\)*\\$/.test(text)) return { text, ended };
			text = text.slice(0, -1);
		}
	};
	const result = await withSettings(shell, input.kernel, settings, async () => {
		// Whoever sees the prompt may type at once, so the echo is off by then.
		if (flags.has('p') && onTerminal(shell, 0)) await shell.descriptors.get(2)?.write(encode(flags.get('p') ?? ''));
		return shell.control.race(withTimeout(reading(), flags.get('t')));
	});
	if (result === null) return 142;
	await store(call, rest, result.text, raw, flags.get('a'));
	return result.ended ? 1 : 0;
};

/** Has the terminal, if `descriptor` is one, treat keys in another way meanwhile. */
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

async function withTimeout<Value>(work: Promise<Value>, seconds: string | undefined): Promise<Value | null> {
	if (seconds === undefined) return work;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), Number(seconds) * 1000)));
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}

async function readChars(
	input: { read(max: number): Promise<Uint8Array>; unread(bytes: Uint8Array): void },
	count: number,
	delimiter: number
) {
	const bytes: number[] = [];
	for (;;) {
		const [byte] = await input.read(1);
		if (byte === undefined) return { text: decode(Uint8Array.from(bytes)), ended: true };
		if (byte === delimiter) break;
		bytes.push(byte);
		const text = decode(Uint8Array.from(bytes));
		if ([...text].length >= count && !/[\udc80-\udcff]$/.test(text)) break;
	}
	return { text: decode(Uint8Array.from(bytes)), ended: false };
}

/** Splits a line over variables at IFS; the last takes the rest. */
async function store(
	call: Call,
	names: string[],
	line: string,
	raw: boolean,
	array: string | undefined
): Promise<void> {
	const { shell } = call;
	const separators = shell.variables.get('IFS') ?? ' \t\n';
	if (array !== undefined) {
		const words = split(line, separators, Infinity, raw);
		shell.variables.unset(array);
		shell.variables.declare(array, { indexed: new Map(words.map((word, index) => [index, word])) });
		return;
	}
	if (names.length === 0) return shell.variables.set('REPLY', raw ? line : line.replace(/\\(.)/gs, '$1'));
	const words = split(line, separators, names.length, raw);
	for (const [index, name] of names.entries()) await assignText(shell, name, words[index] ?? '', false);
}

function split(line: string, separators: string, limit: number, raw: boolean): string[] {
	const isSeparator = (char: string | undefined) => char !== undefined && char !== '' && separators.includes(char);
	const isBlank = (char: string | undefined) => isSeparator(char) && ' \t\n'.includes(char ?? '');
	const words: string[] = [];
	let at = 0;
	while (isBlank(line[at])) at++;
	while (at < line.length) {
		if (words.length === limit - 1) {
			words.push(lastWord(line.slice(at), isBlank, isSeparator, raw));
			break;
		}
		let word = '';
		for (; at < line.length && !isSeparator(line[at]); at++) {
			if (line[at] === '\\' && !raw) at++;
			word += line[at] ?? '';
		}
		words.push(word);
		while (isBlank(line[at])) at++;
		if (isSeparator(line[at]) && !isBlank(line[at])) {
			at++;
			while (isBlank(line[at])) at++;
		}
	}
	return words;
}

function lastWord(
	rest: string,
	isBlank: (char: string | undefined) => boolean,
	isSeparator: (char: string | undefined) => boolean,
	raw: boolean
): string {
	let end = rest.length;
	while (end > 0 && isBlank(rest[end - 1])) end--;
	let text = rest.slice(0, end);
	const final = text.at(-1);
	if (isSeparator(final) && !isBlank(final) && ![...text.slice(0, -1)].some((char) => isSeparator(char)))
		text = text.slice(0, -1);
	return raw ? text : text.replace(/\\(.)/gs, '$1');
}

const mapfile: BuiltIn = async (call) => {
	const { shell } = call;
	const { flags, rest } = options(call.args, MAPFILE_VALUES);
	const input = shell.descriptors.require(Number(flags.get('u') ?? 0));
	const delimiter = flags.has('d') ? (encode(flags.get('d') ?? '')[0] ?? 0) : 10;
	const lines = new Map<number, string>();
	const origin = Number(flags.get('O') ?? 0);
	const most = Number(flags.get('n') ?? 0) || Infinity;
	let skip = Number(flags.get('s') ?? 0);
	while (lines.size < most) {
		const bytes = await input.readUntil(delimiter);
		if (bytes === null) break;
		if (skip-- > 0) continue;
		const strip = flags.has('t') && bytes.at(-1) === delimiter;
		lines.set(origin + lines.size, decode(strip ? bytes.subarray(0, -1) : bytes));
	}
	const name = rest[0] ?? 'MAPFILE';
	const variable = shell.variables.declare(name, {});
	variable.indexed = flags.has('O') ? new Map([...(variable.indexed ?? []), ...lines]) : lines;
	variable.value = undefined;
	return 0;
};

export const inputBuiltins: Record<string, BuiltIn> = { read, mapfile, readarray: mapfile };
