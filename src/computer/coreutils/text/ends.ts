import { concat } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { eachInput } from '../streams.ts';
import { type Options, UsageError, utility } from '../options.ts';

const SPECIFICATION = 'n|lines= c|bytes= q|quiet|silent v|verbose z|zero-terminated';

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

interface Amount {
	sign: string;
	count: number;
	bytewise: boolean;
	delimiter: number;
}

/** Reads `-n` and `-c` (the later one counts) and `-z`; values are written `5`, `-2`, `+3`, `1K`. */
function amountOf(options: Options): Amount {
	const bytewise = options.last('n', 'c') === 'c';
	const text = options.get(bytewise ? 'c' : 'n') ?? '10';
	const match = /^([-+]?)(\d+)(\w*)$/.exec(text);
	const unit = match?.[3] ? SUFFIXES.get(match[3]) : 1;
	if (!match || unit === undefined)
		throw new UsageError(`invalid number of ${bytewise ? 'bytes' : 'lines'}: '${text}'`);
	return { sign: match[1] ?? '', count: Number(match[2]) * unit, bytewise, delimiter: options.has('z') ? 0 : 10 };
}

/** Rewrites arguments in the traditional form: `-5`, `-5c`, `-2kq` and, for `tail`, `+5`, `+5l`, `-5f`. */
const modern =
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

/** Writes the line that names each file, as often as `-q`, `-v` (the later one counts) and the number of files ask for it. */
function headers(call: Call, options: Options) {
	const last = options.last('q', 'v');
	const shown = last === undefined ? options.operands.length > 1 : last === 'v';
	let first = true;
	return async (name: string) => {
		if (shown) await call.out(`${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
		first = false;
	};
}

/** Offset of the last `count` bytes or lines; a last line without an end counts. */
function startOfLast(bytes: Uint8Array, { count, bytewise, delimiter }: Amount): number {
	if (bytewise) return Math.max(0, bytes.length - count);
	let start = bytes.length;
	// The byte before `start` ends the line that is being looked for; a negative index would count from the end.
	for (let left = count; left > 0 && start > 0; left--)
		start = start < 2 ? 0 : bytes.lastIndexOf(delimiter, start - 2) + 1;
	return start;
}

/** `head`: stops reading as soon as it has enough, so that endless producers end. */
export const head = modern(
	/^(-)(\d+)([bkmclqvz]*)$/,
	utility(SPECIFICATION, async (call, options) => {
		const amount = amountOf(options);
		const { sign, count, bytewise, delimiter } = amount;
		const header = headers(call, options);
		const sink = call.shell.descriptors.require(1);
		return eachInput(call, options.operands, async (file, name) => {
			await header(name);
			if (sign === '-') {
				const bytes = await call.shell.control.race(file.readAll());
				await sink.write(bytes.subarray(0, startOfLast(bytes, amount)));
				return;
			}
			let left = count;
			while (left > 0) {
				const piece = await call.shell.control.race(file.read(bytewise ? Math.min(left, 65536) : 65536));
				if (piece.length === 0) return;
				let end = piece.length;
				if (bytewise) left -= piece.length;
				else {
					let at = -1;
					do at = piece.indexOf(delimiter, at + 1);
					while (at >= 0 && --left > 0);
					if (left === 0) end = at + 1;
				}
				await sink.write(piece.subarray(0, end));
				file.unread(piece.subarray(end));
			}
		});
	})
);

/** `tail`, with `-f` until it is stopped. */
export const tail = modern(
	/^([-+])(\d+)([bcl]?f?)$/,
	utility(`${SPECIFICATION} f|follow=? F s|sleep-interval= pid= retry`, async (call, options) => {
		const amount = amountOf(options);
		// Not even opened: GNU's tail names no file and complains of none.
		if (amount.count === 0 && amount.sign !== '+' && !options.has('f', 'F')) return 0;
		const header = headers(call, options);
		const status = await eachInput(call, options.operands, async (file, name) => {
			await header(name);
			if (amount.sign === '+') return skipThenCopy(call, file, amount);
			await copyLast(call, file, amount);
		});
		if (options.has('f', 'F')) await follow(call, options.operands);
		return status;
	})
);

/** Bytes read before older ones are dropped. */
const WINDOW = 1_048_576;

async function copyLast(call: Call, file: OpenFile, amount: Amount): Promise<void> {
	let pieces: Uint8Array[] = [];
	let kept = 0;
	let size = 0;
	for (;;) {
		const piece = await call.shell.control.race(file.read(65536));
		if (piece.length === 0) break;
		pieces.push(piece.slice());
		size += piece.length;
		// As much as is retained: the request may be far larger than the window.
		if (size < Math.max(WINDOW, kept)) continue;
		const whole = concat(pieces);
		pieces = [whole.slice(startOfLast(whole, amount))];
		kept = pieces[0]?.length ?? 0;
		size = 0;
	}
	const whole = concat(pieces);
	await call.shell.descriptors.require(1).write(whole.subarray(startOfLast(whole, amount)));
}

async function skipThenCopy(call: Call, file: OpenFile, amount: Amount): Promise<void> {
	const { bytewise, delimiter } = amount;
	const sink = call.shell.descriptors.require(1);
	let left = Math.max(0, amount.count - 1);
	for (;;) {
		let piece = await call.shell.control.race(file.read(65536));
		if (piece.length === 0) return;
		if (bytewise && left > 0) {
			const skipped = Math.min(left, piece.length);
			left -= skipped;
			piece = piece.subarray(skipped);
		}
		while (!bytewise && left > 0 && piece.length) {
			const at = piece.indexOf(delimiter);
			piece = at < 0 ? piece.subarray(piece.length) : piece.subarray(at + 1);
			if (at >= 0) left--;
		}
		if (piece.length) await sink.write(piece);
	}
}

const FOLLOW_MS = 200;

/** Shows what is added to files, until the command is stopped. */
async function follow(call: Call, names: readonly string[]): Promise<void> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const sink = shell.descriptors.require(1);
	const sizes = new Map(names.map((name) => [name, sync.statOrNull(shell.path(name))?.size ?? 0]));
	for (;;) {
		await shell.control.race(new Promise((resolve) => setTimeout(resolve, FOLLOW_MS)));
		for (const [name, before] of sizes) {
			const size = sync.statOrNull(shell.path(name))?.size ?? 0;
			const from = size < before ? 0 : before;
			if (size > from) await sink.write(sync.readFile(shell.path(name), from, size - from));
			sizes.set(name, size);
		}
	}
}
