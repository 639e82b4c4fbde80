import type { Call } from '#computer/shell/state/host.ts';
import { encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { type Options, UsageError, utility } from '../options.ts';

/** Pool of items to draw from: their number, and the text of each. */
interface Pool {
	size: bigint;
	item(index: bigint): string;
}

/** Number of bytes of a random number, more than the largest range needs. */
const RANDOM_BYTES = 16;
const FLUSH_ITEMS = 4096;

/** `shuf`: prints lines, words or numbers in random order. */
export const shuf = utility(
	'n|head-count= i|input-range= e|echo r|repeat z|zero-terminated o|output= random-source=',
	async (call, options) => {
		checkOptions(options);
		const counts = options.all('n').map(readCount);
		const most = counts.reduce<bigint | null>(
			(least, count) => (least === null || count < least ? count : least),
			null
		);
		const pool = most === 0n ? { size: 0n, item: () => '' } : await poolOf(call, options);
		if (!pool) return 1;
		const repeats = options.has('r');
		if (repeats && pool.size === 0n && most !== 0n) throw new UsageError('no lines to repeat', false);
		const count = repeats ? most : most !== null && most < pool.size ? most : pool.size;
		const end = options.has('z') ? '\0' : '\n';
		const file = options.get('o');
		let text = '';
		let drawn = 0;
		for (const index of repeats ? repeated(pool.size, count) : distinct(pool.size, count ?? 0n)) {
			text += pool.item(index) + end;
			if (file !== undefined || ++drawn % FLUSH_ITEMS !== 0) continue;
			await call.out(text);
			text = '';
			await call.shell.control.yieldIfDue();
		}
		if (file === undefined) await call.out(text);
		else call.shell.host.context.sync.writeFile(call.shell.path(file), encode(text));
		return 0;
	}
);

/** @throws UsageError */
function checkOptions(options: Options): void {
	if (options.all('i').length > 1) throw new UsageError('multiple -i options specified');
	if (options.all('o').length > 1) throw new UsageError('multiple output files specified');
	if (options.all('random-source').length > 1) throw new UsageError('multiple random sources specified');
	if (options.has('e') && options.has('i')) throw new UsageError('cannot combine -e and -i options');
	const extra = options.operands[options.has('i') ? 0 : 1];
	if (extra !== undefined && !options.has('e')) throw new UsageError(`extra operand '${extra}'`);
}

/** @throws UsageError */
function readCount(text: string): bigint {
	if (!/^\s*\+?\d+$/.test(text)) throw new UsageError(`invalid line count: '${text}'`);
	return BigInt(text.replace('+', ''));
}

/** Returns null after an error about a file was reported. @throws UsageError */
async function poolOf(call: Call, options: Options): Promise<Pool | null> {
	const range = options.get('i');
	if (range !== undefined) {
		const [, first = '', last = ''] = /^(\d+)-(\d+)$/.exec(range) ?? [];
		if (last !== '' && BigInt(last) >= 2n ** 64n)
			throw new UsageError(`invalid input range: '${last}': Value too large for defined data type`);
		const size = first === '' ? -1n : BigInt(last) - BigInt(first) + 1n;
		if (size < 0n) throw new UsageError(`invalid input range: '${range}'`);
		return { size, item: (index) => String(BigInt(first) + index) };
	}
	let items = [...options.operands];
	if (!options.has('e')) {
		const lines = new LineSource(call, options.operands, options.has('z') ? 0 : 10);
		items = [];
		for (let line = await lines.next(); line; line = await lines.next()) items.push(line.text);
		if (lines.status) return null;
	}
	return { size: BigInt(items.length), item: (index) => items[Number(index)] ?? '' };
}

/** Random number below `size`, uniform up to a bias of less than 2^-64. */
function randomBelow(size: bigint): bigint {
	const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
	return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % size;
}

/** @param count number of indices; null: endless */
function* repeated(size: bigint, count: bigint | null): Generator<bigint> {
	for (let drawn = 0n; count === null || drawn < count; drawn++) yield randomBelow(size);
}

/**
 * Yields distinct indices: a shuffle that only stores the positions it has changed, so that few can be drawn from many.
 */
function* distinct(size: bigint, count: bigint): Generator<bigint> {
	const moved = new Map<bigint, bigint>();
	for (let at = 0n; at < count; at++) {
		const other = at + randomBelow(size - at);
		yield moved.get(other) ?? other;
		moved.set(other, moved.get(at) ?? at);
		moved.delete(at);
	}
}
