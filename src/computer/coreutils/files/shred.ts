import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

const UNITS = 'KMGTPEZY';
const PASSES = 3;
const BLOCK_BYTES = 4096;
/** Maximum number of bytes that `crypto` fills at once. */
const RANDOM_BYTES = 65_536;

/** `shred`: overwrites files. The browser's storage may still keep older versions of a file. */
export const shred = utility(
	'f|force n|iterations= random-source= s|size= u remove=? v|verbose x|exact z|zero',
	async (call, options) => {
		const passes = options.get('n') ?? String(PASSES);
		if (!/^\d+$/.test(passes)) throw new UsageError(`invalid number of passes: ${quoted(passes)}`);
		const size = options.get('s') === undefined ? null : sizeOf(options.get('s') ?? '');
		const removal = options.get('remove') ?? '';
		if (!['', 'unlink', 'wipe', 'wipesync'].includes(removal))
			throw new UsageError(
				`invalid argument ${quoted(removal)} for '--remove'\nValid arguments are:\n  - 'unlink'\n  - 'wipe'\n  - 'wipesync'`,
				true
			);
		if (options.operands.length === 0) throw new UsageError('missing file operand');
		let status = 0;
		for (const name of options.operands) {
			const problem = await shredOne(call, options, name, Number(passes), size);
			if (problem === null) continue;
			await call.complain(problem);
			status = 1;
		}
		return status;
	}
);

/** @throws UsageError */
function sizeOf(text: string): number {
	const [, number = ''] = /^(0x[\da-f]+|0[0-7]+)$/i.exec(text) ?? [];
	if (number !== '') return parseInt(number, /x/i.test(number) ? 16 : 8);
	const [, digits = '', unit = '', end = ''] = /^(\d+)([kKMGTPEZY]?)(iB|B|)$/.exec(text) ?? [];
	if (digits === '') throw new UsageError(`invalid file size: ${quoted(text)}`);
	return Number(digits) * (end === 'B' ? 1000 : 1024) ** (unit === '' ? 0 : UNITS.indexOf(unit.toUpperCase()) + 1);
}

async function shredOne(
	call: Call,
	options: Options,
	name: string,
	passes: number,
	wanted: number | null
): Promise<string | null> {
	const { sync } = call.shell.host.context;
	const path = call.shell.path(name);
	const say = async (text: string) => {
		if (options.has('v')) await call.complain(text);
	};
	try {
		const stat = sync.stat(path);
		if ((stat.mode & 0o200) === 0 && !options.has('f')) throw Object.assign(new Error(), { code: 'EACCES' });
		if (stat.kind === 'directory') return `${name}: failed to open for writing: Is a directory`;
		const whole = options.has('x') ? stat.size : Math.ceil(stat.size / BLOCK_BYTES) * BLOCK_BYTES;
		const size = wanted ?? whole;
		const all = size === 0 ? 0 : passes + (options.has('z') ? 1 : 0);
		for (let pass = 1; pass <= all; pass++) {
			const isZero = pass > passes;
			await say(`${name}: pass ${pass}/${all} (${isZero ? '000000' : 'random'})...`);
			for (let at = 0; at < size; at += RANDOM_BYTES) {
				const bytes = new Uint8Array(Math.min(RANDOM_BYTES, size - at));
				sync.writeAt(path, isZero ? bytes : crypto.getRandomValues(bytes), at);
				await call.shell.control.yieldIfDue();
			}
		}
		if (options.has('u', 'remove')) await wipeName(call, name, say);
		return null;
	} catch (error) {
		return `${name}: failed to open for writing: ${reason(error)}`;
	}
}

/** Renames a file to shorter and shorter names of zeros, then removes it. */
async function wipeName(call: Call, name: string, say: (text: string) => Promise<void>): Promise<void> {
	const { sync } = call.shell.host.context;
	await say(`${name}: removing`);
	const at = name.lastIndexOf('/') + 1;
	let current = name;
	for (let length = name.length - at; length > 0; length--) {
		const next = freeName(length, (text) => sync.statOrNull(call.shell.path(name.slice(0, at) + text)) !== null);
		if (next === null) continue;
		const renamed = name.slice(0, at) + next;
		sync.rename(call.shell.path(current), call.shell.path(renamed));
		await say(`${current}: renamed to ${renamed}`);
		current = renamed;
	}
	sync.unlink(call.shell.path(current));
	await say(`${name}: removed`);
}

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_';
/** Number of names tried per length. */
const MOST_TRIES = LETTERS.length ** 2;

/** Finds the first free name of a length, counting up from zeros. */
function freeName(length: number, isTaken: (name: string) => boolean): string | null {
	for (let count = 0; count < Math.min(MOST_TRIES, LETTERS.length ** length); count++) {
		let name = '';
		for (let rest = count; name.length < length; rest = Math.floor(rest / LETTERS.length))
			name = `${LETTERS[rest % LETTERS.length]}${name}`;
		if (!isTaken(name)) return name;
	}
	return null;
}
