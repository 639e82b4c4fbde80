import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

const UNITS = 'KMGTPEZY';
const BLOCK_BYTES = 4096;
/** Largest file size on Linux. */
const MOST_BYTES = 2n ** 63n - 1n;

interface Size {
	/** `+`, `-`, `<`, `>`, `/` or `%`; empty for an absolute size. */
	relation: string;
	bytes: bigint;
}

/** `truncate`. */
export const truncate = utility('c|no-create o|io-blocks r|reference= s|size=', async (call, options) => {
	const size = options.has('s') ? sizeOf(options.get('s') ?? '') : null;
	const reference = options.get('r');
	if (size === null && reference === undefined)
		throw new UsageError("you must specify either '--size' or '--reference'");
	if (size !== null && reference !== undefined && size.relation === '')
		throw new UsageError("you must specify a relative '--size' with '--reference'");
	if (options.has('o') && size === null) throw new UsageError("'--io-blocks' was specified but '--size' was not", true);
	if (options.operands.length === 0) throw new UsageError('missing file operand');
	const { sync } = call.shell.host.context;
	let base: bigint | null = null;
	if (reference !== undefined) {
		try {
			base = BigInt(sync.stat(call.shell.path(reference)).size);
		} catch (error) {
			await call.complain(`cannot stat ${quoted(reference)}: ${reason(error)}`);
			return 1;
		}
	}
	let status = 0;
	for (const name of options.operands) {
		const problem = truncateOne(call, options, name, size, base);
		if (problem === null) continue;
		await call.complain(problem);
		status = 1;
	}
	return status;
});

/** @throws UsageError */
function sizeOf(text: string): Size {
	const [, relation = '', sign = '', digits = '', unit = '', end = ''] =
		/^\s*([<>/%]?)\s*([-+]?)(\d+)([kKmMgGtTPEZY]?)(iB|B|)$/.exec(text) ?? [];
	if (relation !== '' && sign !== '') throw new UsageError('multiple relative modifiers specified', true);
	if (digits === '' || (unit === '' && end !== '')) throw new UsageError(`Invalid number: ${quoted(text.trimStart())}`);
	const power = BigInt(unit === '' ? 0 : UNITS.indexOf(unit.toUpperCase()) + 1);
	const bytes = BigInt(digits) * (end === 'B' ? 1000n : 1024n) ** power;
	if (bytes > MOST_BYTES)
		throw new UsageError(`Invalid number: ${quoted(text)}: Value too large for defined data type`);
	if (/[/%]/.test(relation) && bytes === 0n) throw new UsageError('division by zero');
	return { relation: relation || sign, bytes };
}

/** Returns the error, or null. */
function truncateOne(
	call: Call,
	options: Options,
	name: string,
	size: Size | null,
	base: bigint | null
): string | null {
	const { sync } = call.shell.host.context;
	const path = call.shell.path(name);
	try {
		const before = sync.statOrNull(path);
		if (!before && options.has('c')) return null;
		if (before?.kind === 'directory' || (!before && name.endsWith('/')))
			return `cannot open ${quoted(name)} for writing: Is a directory`;
		// GNU opens the file without waiting for a reader, which fails for a pipe.
		if (before?.kind === 'fifo') return `cannot open ${quoted(name)} for writing: No such device or address`;
		if (!before) sync.writeFile(path, new Uint8Array(), { mode: 0o666 & ~call.shell.umask });
		const now = base ?? BigInt(before?.size ?? 0);
		const factor = options.has('o') ? BigInt(BLOCK_BYTES) : 1n;
		const wanted = size === null ? now : related(now, size.relation, size.bytes * factor);
		if (wanted > MOST_BYTES) return `overflow extending size of file ${quoted(name)}`;
		const bytes = wanted < 0n ? 0n : wanted;
		try {
			sync.truncate(path, Number(bytes));
		} catch (error) {
			return `failed to truncate ${quoted(name)} at ${bytes} bytes: ${reason(error)}`;
		}
		return null;
	} catch (error) {
		return `cannot open ${quoted(name)} for writing: ${reason(error)}`;
	}
}

function related(now: bigint, relation: string, bytes: bigint): bigint {
	if (relation === '+') return now + bytes;
	if (relation === '-') return now - bytes;
	if (relation === '<') return now < bytes ? now : bytes;
	if (relation === '>') return now > bytes ? now : bytes;
	if (relation === '/') return now - (now % bytes);
	if (relation === '%') return now % bytes === 0n ? now : now + bytes - (now % bytes);
	return bytes;
}
