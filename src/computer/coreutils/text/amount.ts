import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError } from '../options.ts';

export const SPECIFICATION = 'n|lines= c|bytes= q|quiet|silent v|verbose z|zero-terminated';

/** Bytes of each multiplier suffix: `b` is a block, `K` and `KiB` are powers of 1024, `kB` and `KB` powers of 1000. */
const SUFFIXES = new Map<string, number>([
	['b', 512],
	['k', 1024],
	['kB', 1000],
	...[...'KMGTPEZYRQ'].flatMap((letter, index): [string, number][] => [
		[letter, 1024 ** (index + 1)],
		[`${letter}iB`, 1024 ** (index + 1)],
		[`${letter}B`, 1000 ** (index + 1)]
	])
]);

export interface Amount {
	sign: string;
	count: number;
	bytewise: boolean;
	delimiter: number;
}

/** Reads `-n` and `-c` (the later one wins) and `-z`; values are written `5`, `-2`, `+3`, `1K`. */
export function amountOf(options: Options): Amount {
	const bytewise = options.last('n', 'c') === 'c';
	const text = options.get(bytewise ? 'c' : 'n') ?? '10';
	const match = /^([-+]?)(\d+)(\w*)$/.exec(text);
	const unit = match?.[3] ? SUFFIXES.get(match[3]) : 1;
	if (!match || unit === undefined)
		throw new UsageError(`invalid number of ${bytewise ? 'bytes' : 'lines'}: '${text}'`);
	return { sign: match[1] ?? '', count: Number(match[2]) * unit, bytewise, delimiter: options.has('z') ? 0 : 10 };
}

/** Rewrites arguments in the traditional form: `-5`, `-5c`, `-2kq` and, for `tail`, `+5`, `+5l`, `-5f`. */
export const modern =
	(form: RegExp, run: BuiltIn): BuiltIn =>
	(call) => {
		const end = call.args.indexOf('--');
		const args = call.args.map((arg, index) => {
			const [, sign = '', count = '', letters = ''] = form.exec(arg) ?? [];
			const isValue = /^-[qvzf]*[ncs]$|^--(?:lines|bytes|sleep-interval|pid)$/.test(call.args[index - 1] ?? '');
			if (count === '' || isValue || (end >= 0 && index > end) || (sign === '+' && index > 0)) return arg;
			// `b`, `k` and `m` count bytes in that unit; `l` means lines, which is the default.
			const unit = /[bkm]/.exec(letters)?.[0].replace('m', 'M') ?? '';
			const option = unit || letters.includes('c') ? 'c' : 'n';
			return `-${letters.replace(/[bkmcl]/g, '')}${option}${sign === '+' ? '+' : ''}${count}${unit}`;
		});
		return run({ ...call, args });
	};

/**
 * Makes a function that prints the header of each file, if `-q`, `-v` (the later one wins) and the number of files
 * require it.
 */
export function headers(call: Call, options: Options) {
	const last = options.last('q', 'v');
	const shown = last === undefined ? options.operands.length > 1 : last === 'v';
	let first = true;
	return async (name: string) => {
		if (shown) await call.out(`${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
		first = false;
	};
}

/** Offset of the last `count` bytes or lines; a last line without a line end counts. */
export function startOfLast(bytes: Uint8Array, { count, bytewise, delimiter }: Amount): number {
	if (bytewise) return Math.max(0, bytes.length - count);
	let start = bytes.length;
	// Skips the byte before `start`, which ends the line searched for; a negative index would count from the end.
	for (let left = count; left > 0 && start > 0; left--)
		start = start < 2 ? 0 : bytes.lastIndexOf(delimiter, start - 2) + 1;
	return start;
}
