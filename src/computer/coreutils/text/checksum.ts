import { bytesToHex } from '@noble/hashes/utils.js';
import { decode } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { eachInput } from '../input/each-input.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { escapedName, type ListedSum, SumLines } from './checksum-line.ts';
import { type Algorithm, algorithmOf, type DigestName, hasLength } from './digests.ts';

const PIECE_BYTES = 65_536;
export const CHECKSUM_OPTIONS =
	'b|binary t|text c|check l|length= tag untagged q|quiet status strict w|warn ignore-missing z|zero';
/** Options that only apply to `--check`. */
const CHECK_ONLY = ['ignore-missing', 'status', 'warn', 'quiet', 'strict'];

/** `md5sum`, `sha1sum` and similar commands. */
export const checksums: Record<string, BuiltIn> = {
	md5sum: program('md5'),
	sha1sum: program('sha1'),
	sha224sum: program('sha224'),
	sha256sum: program('sha256'),
	sha384sum: program('sha384'),
	sha512sum: program('sha512'),
	b2sum: program('blake2b')
};

function program(name: DigestName): BuiltIn {
	const specification = name === 'blake2b' ? CHECKSUM_OPTIONS : CHECKSUM_OPTIONS.replace('l|length= ', '');
	return utility(specification.replace('untagged ', ''), async (call, options) => {
		checkOptions(options);
		if (options.has('tag') && options.has('t')) throw new UsageError('--tag does not support --text mode', true);
		const bits = await lengthOf(call, options, name);
		if (options.has('c')) return check(call, options, new SumLines(name, true), algorithmOf(name).tag);
		return writeSums(call, options, algorithmOf(name, bits), options.has('tag'));
	});
}

/** @throws UsageError for options that cannot be combined */
export function checkOptions(options: Options): void {
	const checks = options.has('c');
	if (checks && options.has('tag'))
		throw new UsageError('the --tag option is meaningless when verifying checksums', true);
	if (checks && options.has('z'))
		throw new UsageError('the --zero option is not supported when verifying checksums', true);
	if (checks && options.has('b', 't'))
		throw new UsageError('the --binary and --text options are meaningless when verifying checksums', true);
	const idle = CHECK_ONLY.find((name) => options.has(name === 'warn' ? 'w' : name === 'quiet' ? 'q' : name));
	if (!checks && idle !== undefined)
		throw new UsageError(`the --${idle} option is meaningful only when verifying checksums`, true);
}

/** Bits given by `-l`; 0 for the default length. @throws UsageError */
export async function lengthOf(call: Call, options: Options, name: DigestName): Promise<number> {
	const text = options.get('l') ?? '0';
	const bits = Number(text);
	const isNumber = /^\d+$/.test(text);
	if (isNumber && (bits === 0 || hasLength(name, bits))) return bits;
	const { tag, bits: most } = algorithmOf(name);
	if (!isNumber) throw new UsageError(`invalid length: '${text}'`);
	await call.complain(`invalid length: '${text}'`);
	throw new UsageError(
		bits % 8 === 0 ? `maximum digest length for '${tag}' is ${most} bits` : 'length is not a multiple of 8'
	);
}

/** Prints the checksum of each operand. */
export const writeSums = (call: Call, options: Options, algorithm: Algorithm, isTagged: boolean): Promise<number> =>
	eachInput(call, options.operands, async (file, name) => {
		const end = options.has('z') ? '\0' : '\n';
		const digest = await sum(call, file, algorithm);
		const { mark, shown } = options.has('z') ? { mark: '', shown: name } : escapedName(name);
		const tag = `${algorithm.tag}${algorithm.isWhole ? '' : `-${algorithm.bits}`}`;
		const line = isTagged
			? `${tag} (${shown}) = ${digest}`
			: `${digest} ${options.last('b', 't') === 'b' ? '*' : ' '}${shown}`;
		await call.out(mark + line + end);
	});

async function sum(call: Call, file: OpenFile, { create }: Algorithm): Promise<string> {
	const hash = create();
	for (;;) {
		const bytes = await call.shell.control.race(file.read(PIECE_BYTES));
		if (bytes.length === 0) return bytesToHex(hash.digest());
		hash.update(bytes);
	}
}

/**
 * Compares the checksums listed in files with those of the files they name.
 * @param tag name of the algorithm in error messages about lines
 */
export async function check(call: Call, options: Options, lines: SumLines, tag: string): Promise<number> {
	let failed = false;
	const status = await eachInput(call, options.operands, async (list, listName) => {
		const shownName = listName === '-' ? "'standard input'" : listName;
		const counts = { proper: 0, improper: 0, different: 0, unreadable: 0, matched: 0 };
		const text = decode(await call.shell.control.race(list.readAll()));
		for (const [index, row] of text.split('\n').entries()) {
			if (row === '' || row.startsWith('#')) continue;
			const listed = lines.read(row);
			if (!listed) {
				counts.improper++;
				if (options.has('w'))
					await call.complain(`${shownName}: ${index + 1}: improperly formatted ${tag} checksum line`);
				continue;
			}
			counts.proper++;
			await compare(call, options, listed, counts);
		}
		if (counts.proper === 0) {
			failed = true;
			await call.complain(`${shownName}: no properly formatted checksum lines found`);
			return;
		}
		if (!options.has('status')) await warn(call, counts);
		failed ||= counts.different + counts.unreadable > 0 || (options.has('strict') && counts.improper > 0);
		if (options.has('ignore-missing') && counts.matched === 0) {
			failed = true;
			await call.complain(`${shownName}: no file was verified`);
		}
	});
	return failed ? 1 : status;
}

type Counts = Record<'proper' | 'improper' | 'different' | 'unreadable' | 'matched', number>;

async function compare(call: Call, options: Options, listed: ListedSum, counts: Counts): Promise<void> {
	const { name, digest, algorithm } = listed;
	const { mark, shown } = /[\n\r]/.test(name) ? escapedName(name) : { mark: '', shown: name };
	const say = (what: string) => (options.has('status') ? undefined : call.out(`${mark}${shown}: ${what}\n`));
	const path = call.shell.path(name);
	if (options.has('ignore-missing') && !call.shell.host.context.sync.statOrNull(path)) return;
	let found = '';
	const status = await eachInput(call, [name], async (file) => void (found = await sum(call, file, algorithm)));
	if (status !== 0) {
		counts.unreadable++;
		await say('FAILED open or read');
	} else if (found !== digest) {
		counts.different++;
		await say('FAILED');
	} else {
		counts.matched++;
		if (!options.has('q')) await say('OK');
	}
}

async function warn(call: Call, { improper, unreadable, different }: Counts): Promise<void> {
	const report = (count: number, one: string, many: string) =>
		count > 0 && call.complain(`WARNING: ${count} ${count === 1 ? one : many}`);
	await report(improper, 'line is improperly formatted', 'lines are improperly formatted');
	await report(unreadable, 'listed file could not be read', 'listed files could not be read');
	await report(different, 'computed checksum did NOT match', 'computed checksums did NOT match');
}
