import { Interrupted } from '#computer/shell/state/control.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { readWhole } from '../input/whole-file.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { hasPlainLocale } from '../plain-locale.ts';

export const SPECIFICATION = 'b|print-bytes i|ignore-initial= l|verbose n|bytes= s|quiet|silent';
const [SAME, DIFFERENT, TROUBLE] = [0, 1, 2];
const LINE_FEED = 10;

/** Compared parts of two files. */
interface Stretch {
	skip: readonly [number, number];
	limit: number;
}

/** `cmp`: finds the first byte in which two files differ, or with `-l` all of them. */
export const cmp = utility(
	SPECIFICATION,
	async (call, options) => {
		const [name, other = '-', ...skips] = options.operands;
		if (name === undefined) throw new UsageError("missing operand after 'cmp'");
		if (skips.length > 2) throw new UsageError(`extra operand '${skips[2]}'`);
		if (options.has('l') && options.has('s')) throw new UsageError('options -l and -s are incompatible', true);
		const stretch = stretchOf(options, skips);
		const names: [string, string] = [name, other];
		const contents: Uint8Array[] = [];
		for (const name of names) {
			const bytes =
				names[0] === '-' && contents.length > 0 && other === '-' ? contents[0] : await read(call, name, options);
			if (!bytes) return TROUBLE;
			contents.push(bytes);
		}
		const [a, b] = contents.map((bytes, index) => {
			const start = stretch.skip[index as 0 | 1];
			return bytes.subarray(start, start + stretch.limit);
		});
		return compare(call, options, names, [a ?? new Uint8Array(), b ?? new Uint8Array()]);
	},
	TROUBLE
);

async function read(call: Call, name: string, options: Options): Promise<Uint8Array | null> {
	try {
		if (name === '-') return await call.shell.control.race(call.shell.descriptors.require(0).readAll());
		return await readWhole(call.shell, name);
	} catch (error) {
		if (error instanceof Interrupted) throw error;
		if (!options.has('s')) await call.complain(`${name}: ${reason(error)}`);
		return null;
	}
}

async function compare(
	call: Call,
	options: Options,
	names: readonly [string, string],
	[a, b]: readonly [Uint8Array, Uint8Array]
): Promise<number> {
	const size = Math.min(a.length, b.length);
	const width = String(Math.max(a.length, b.length)).length;
	let [line, rows, isDifferent] = [1, '', false];
	for (let at = 0; at < size; at++) {
		const [one, other] = [a[at] ?? 0, b[at] ?? 0];
		if (one !== other) {
			isDifferent = true;
			if (options.has('s')) return DIFFERENT;
			const bytes = options.has('b') ? byteTexts(one, other) : ([octal(one), octal(other)] as const);
			if (!options.has('l')) {
				const unit = !options.has('b') && hasPlainLocale(call, 'LC_MESSAGES') ? 'char' : 'byte';
				const shown = options.has('b') ? ` is ${bytes[0].trimEnd()} ${bytes[1]}` : '';
				await call.out(`${names[0]} ${names[1]} differ: ${unit} ${at + 1}, line ${line}${shown}\n`);
				return DIFFERENT;
			}
			rows += `${String(at + 1).padStart(width)} ${bytes[0]} ${bytes[1]}\n`;
		}
		if (one === LINE_FEED) line++;
	}
	if (rows !== '') await call.out(rows);
	if (a.length === b.length) return isDifferent ? DIFFERENT : SAME;
	if (!options.has('s'))
		await complainOfEnd(call, options, names[a.length < b.length ? 0 : 1], a.subarray(0, size), line);
	return DIFFERENT;
}

async function complainOfEnd(
	call: Call,
	options: Options,
	name: string,
	common: Uint8Array,
	line: number
): Promise<void> {
	const size = common.length;
	if (size === 0) return void (await call.complain(`EOF on ${name} which is empty`));
	const isAtEnd = common[size - 1] === LINE_FEED;
	const where = options.has('l') ? '' : isAtEnd ? `, line ${line - 1}` : `, in line ${line}`;
	await call.complain(`EOF on ${name} after byte ${size}${where}`);
}

const octal = (byte: number): string => byte.toString(8).padStart(3);

const byteTexts = (one: number, other: number): readonly [string, string] => [
	`${octal(one)} ${visible(one).padEnd(4)}`,
	`${octal(other)} ${visible(other)}`
];

/** Formats a byte like `cat -v`, including tabs and line ends. */
function visible(byte: number): string {
	if (byte >= 0x80) return `M-${visible(byte - 0x80)}`;
	if (byte < 0x20) return `^${String.fromCharCode(byte + 0x40)}`;
	return byte === 0x7f ? '^?' : String.fromCharCode(byte);
}

/** @throws UsageError */
function stretchOf(options: Options, skips: readonly string[]): Stretch {
	const initial = options.get('i');
	const [first = '0', second = initial?.includes(':') ? '0' : first] = initial?.split(':') ?? [];
	const sizes = [first, second].map((text) => sizeOf(text, '--ignore-initial', initial ?? ''));
	const operands = skips.map((text) => sizeOf(text, '--ignore-initial', text));
	const limit = options.get('n');
	return {
		skip: [Math.max(sizes[0] ?? 0, operands[0] ?? 0), Math.max(sizes[1] ?? 0, operands[1] ?? 0)],
		limit: limit === undefined ? Infinity : sizeOf(limit, '--bytes', limit)
	};
}

/** Parses a size such as `10`, `1k`, `2MB` in bytes. @throws UsageError naming the option */
function sizeOf(text: string, option: string, whole: string): number {
	const [, digits = '', unit = '', decimal = ''] = /^(\d+)(?:([kKMGTPEZY])(B?))?$/.exec(text) ?? [];
	if (digits === '') throw new UsageError(`invalid ${option} value '${whole}'`, true);
	const power = unit === '' ? 0 : 'KMGTPEZY'.indexOf(unit.toUpperCase()) + 1;
	return Number(digits) * (decimal ? 1000 : 1024) ** power;
}
