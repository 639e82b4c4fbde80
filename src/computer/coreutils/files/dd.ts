import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { FileStream } from '#computer/shell/streams/file-stream.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { concat, encode } from '#computer/process/text.ts';
import { isPipe } from '../input/whole-file.ts';
import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { lstatOrNull } from './same-file.ts';
import { Conversion, CONVERSIONS, type ConversionName } from './dd-conversion.ts';

const SUFFIXES: Record<string, number> = { '': 1, c: 1, w: 2, b: 512, K: 1024, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };
const LARGE = 'TPEZY';
const FLAGS = new Set(
	(
		'append direct directory dsync fullblock noatime nocache noctty nofollow nonblock sync ' +
		'count_bytes skip_bytes seek_bytes'
	).split(' ')
);
const NAMES = [
	'bs',
	'ibs',
	'obs',
	'cbs',
	'count',
	'skip',
	'iseek',
	'seek',
	'oseek',
	'if',
	'of',
	'conv',
	'iflag',
	'oflag',
	'status'
];

interface Amount {
	value: number;
	/** Counts bytes instead of blocks: `9B`. */
	isBytes: boolean;
}

/** Parses `9`, `2x4k`, `9B`. @throws UsageError */
function amountOf(text: string): Amount {
	const isBytes = /\dB$|[^KMGTPEZYi]B$/.test(text) && !/[KMGTPEZY]B$/i.test(text);
	const factors = (isBytes ? text.slice(0, -1) : text).split('x').map((factor) => {
		const [, digits, unit = '', end = ''] = /^(\d+)([cwbkKMGTPEZY]?)(iB|B|)$/.exec(factor) ?? [];
		if (digits === undefined || (end !== '' && !/[KMGTPEZY]/i.test(unit)))
			throw new UsageError(`invalid number: ${quoted(text)}`);
		const power = LARGE.indexOf(unit) + 4;
		const one = unit !== '' && LARGE.includes(unit) ? 1024 ** power : (SUFFIXES[unit] ?? 1);
		return Number(digits) * (end === 'B' && unit !== '' ? 1000 ** Math.round(Math.log(one) / Math.log(1024)) : one);
	});
	return { value: factors.reduce((product, factor) => product * factor, 1), isBytes };
}

interface Job {
	values: ReadonlyMap<string, string>;
	inputFlags: ReadonlySet<string>;
	outputFlags: ReadonlySet<string>;
	conversions: ReadonlySet<ConversionName>;
	inputBytes: number;
	outputBytes: number;
	blockBytes: number;
}

function flagsOf(name: string, text: string | undefined): Set<string> {
	const flags = new Set((text ?? '').split(',').filter(Boolean));
	for (const flag of flags) if (!FLAGS.has(flag)) throw new UsageError(`invalid ${name} flag: ${quoted(flag)}`, true);
	return flags;
}

/** @throws UsageError */
function jobOf(operands: readonly string[]): Job {
	const values = new Map<string, string>();
	const conversions = new Set<ConversionName>();
	for (const operand of operands) {
		const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(operand) ?? [];
		if (!NAMES.includes(name)) throw new UsageError(`unrecognized operand ${quoted(operand)}`, true);
		if (name === 'conv')
			for (const one of value.split(',')) {
				const known = CONVERSIONS.find((conversion) => conversion === one);
				if (!known) throw new UsageError(`invalid conversion: ${quoted(one)}`, true);
				conversions.add(known);
			}
		else values.set(name === 'iseek' ? 'skip' : name === 'oseek' ? 'seek' : name, value);
	}
	const status = values.get('status');
	if (status !== undefined && !['none', 'noxfer', 'progress'].includes(status))
		throw new UsageError(`invalid status level: ${quoted(status)}`, true);
	refuseBoth(conversions, ['ascii', 'ebcdic', 'ibm'], 'any two of {ascii,ebcdic,ibm}');
	refuseBoth(conversions, ['block', 'unblock'], 'block and unblock');
	refuseBoth(conversions, ['lcase', 'ucase'], 'lcase and ucase');
	refuseBoth(conversions, ['excl', 'nocreat'], 'excl and nocreat');
	const [inputFlags, outputFlags] = [flagsOf('input', values.get('iflag')), flagsOf('output', values.get('oflag'))];
	for (const flags of [inputFlags, outputFlags])
		if (flags.has('direct') && flags.has('nocache')) throw new UsageError('cannot combine direct and nocache', false);
	const size = (name: string, otherwise: number) => {
		const text = values.get('bs') !== undefined && /^[io]bs$/.test(name) ? values.get('bs') : values.get(name);
		const { value } = text === undefined ? { value: otherwise } : amountOf(text);
		if (text !== undefined && value === 0) throw new UsageError(`invalid number: ${quoted(text)}`);
		return value;
	};
	return {
		values,
		conversions,
		inputFlags,
		outputFlags,
		inputBytes: size('ibs', 512),
		outputBytes: size('obs', 512),
		blockBytes: size('cbs', 0)
	};
}

function refuseBoth(conversions: ReadonlySet<ConversionName>, names: ConversionName[], sentence: string): void {
	if (names.filter((name) => conversions.has(name)).length > 1)
		throw new UsageError(`cannot combine ${sentence}`, false);
}

/** `dd`: copies blocks between files and the standard streams, and converts them. */
export const dd: BuiltIn = utility('', async (call, options) => {
	const job = jobOf(options.operands);
	const [from, to] = [job.values.get('if'), job.values.get('of')];
	for (const [name, text] of job.values)
		if (['count', 'skip', 'seek'].includes(name) && /^0x/.test(text))
			await call.complain("warning: '0x' is a zero multiplier; use '00x' if that is intended");
	if (job.outputFlags.has('append') && !job.conversions.has('notrunc'))
		await call.complain('you probably want conv=notrunc with oflag=append');
	const problem = refusalOf(call, job, 'input') ?? refusalOf(call, job, 'output');
	if (problem !== null) {
		await call.complain(problem);
		return 1;
	}
	let input: OpenFile;
	try {
		input = from === undefined ? call.shell.descriptors.require(0).retain() : open(call.shell, from, '<');
	} catch (error) {
		const why = reason(error).replace(`${from}: `, '');
		await call.complain(`failed to open ${quoted(from ?? '')}: ${why}`);
		return 1;
	}
	try {
		if (to !== undefined && isPipe(call.shell, to)) return await intoPipe(call, job, input, to);
		return await copyBlocks(call, job, input, to === undefined ? null : new OutputFile(call, job, to));
	} catch (error) {
		if (!(error instanceof OutputError)) throw error;
		await call.complain(error.message);
		return 1;
	} finally {
		input.release();
	}
});

/** Returns why a file does not meet the flags; null if it does. */
function refusalOf({ shell }: Call, job: Job, side: 'input' | 'output'): string | null {
	const flags = side === 'input' ? job.inputFlags : job.outputFlags;
	const name = job.values.get(side === 'input' ? 'if' : 'of');
	const { sync } = shell.host.context;
	const stream = shell.descriptors.get(side === 'input' ? 0 : 1)?.stream;
	const path = name !== undefined ? shell.path(name) : stream instanceof FileStream ? stream.path : null;
	const shown = quoted(name ?? `standard ${side}`);
	const refusal = (why: string) => `${name === undefined ? 'setting flags for' : 'failed to open'} ${shown}: ${why}`;
	if (flags.has('nocache') && name === undefined && path === null && job.values.get('count') === '0')
		return `failed to discard cache for: ${shown}: Illegal seek`;
	const link = path === null ? null : lstatOrNull(sync, path);
	if (path === null || !link) return null;
	if (flags.has('nofollow') && link.kind === 'symlink') return refusal('Too many levels of symbolic links');
	const stat = sync.statOrNull(path);
	if (flags.has('directory') && stat && stat.kind !== 'directory') return refusal('Not a directory');
	return null;
}

async function intoPipe(call: Call, job: Job, input: OpenFile, name: string): Promise<number> {
	const pipe = open(call.shell, name, '>');
	try {
		return await copyBlocks(call, job, input, pipe);
	} finally {
		pipe.release();
	}
}

class OutputError extends Error {}

/** Number of bytes for `skip`, `seek` or `count`; null if not given. */
function bytesOf(job: Job, name: 'skip' | 'seek' | 'count', block: number): number | null {
	const text = job.values.get(name);
	if (text === undefined) return null;
	const { value, isBytes } = amountOf(text);
	const flags = name === 'seek' ? job.outputFlags : job.inputFlags;
	return isBytes || flags.has(`${name}_bytes`) ? value : value * block;
}

/** A file written at its own position. */
class OutputFile {
	#at: number;
	readonly #path: string;

	/** @throws OutputError */
	constructor(
		private readonly call: Call,
		job: Job,
		name: string
	) {
		const { sync } = call.shell.host.context;
		const { conversions, outputFlags } = job;
		this.#path = call.shell.path(name);
		this.#at = bytesOf(job, 'seek', job.outputBytes) ?? 0;
		try {
			const there = sync.statOrNull(this.#path);
			if (conversions.has('excl') && there) throw new OutputError(`failed to open ${quoted(name)}: File exists`);
			if (conversions.has('nocreat') && !there)
				throw new OutputError(`failed to open ${quoted(name)}: No such file or directory`);
			if (!there) sync.writeFile(this.#path, new Uint8Array(), { mode: 0o666 & ~call.shell.umask });
			else if (there.kind === 'directory') throw new OutputError(`failed to open ${quoted(name)}: Is a directory`);
			const isKept = conversions.has('notrunc') || name === '/dev/null';
			if (!isKept && (there ?? this.#at > 0)) sync.truncate(this.#path, this.#at);
			if (outputFlags.has('append')) this.#at = isKept ? (there?.size ?? 0) : this.#at;
		} catch (error) {
			throw error instanceof OutputError ? error : new OutputError(`failed to open ${quoted(name)}: ${reason(error)}`);
		}
	}

	/** Writes a block, or leaves a hole of its size. */
	write(block: Uint8Array): void {
		if (this.#path !== '/dev/null') this.call.shell.host.context.sync.writeAt(this.#path, block, this.#at);
		this.#at += block.length;
	}
}

const counted = (full: number, partial: number, what: string) => `${full}+${partial} records ${what}\n`;

async function copyBlocks(
	call: Call,
	job: Job,
	input: OpenFile,
	output: OutputFile | OpenFile | null
): Promise<number> {
	const { inputBytes, outputBytes, conversions } = job;
	const startMs = Date.now();
	const conversion = new Conversion(conversions, job.blockBytes);
	const counts = { in: [0, 0] as [number, number], out: [0, 0] as [number, number], bytes: 0 };
	const isWholeBlock = job.values.has('bs') && !conversion.changesLength;
	let pending: Uint8Array[] = [];
	let pendingBytes = 0;
	const write = async (block: Uint8Array) => {
		await (output ?? call.shell.descriptors.require(1)).write(block);
		counts.out[block.length === outputBytes ? 0 : 1]++;
		counts.bytes += block.length;
	};
	const add = async (bytes: Uint8Array) => {
		if (isWholeBlock) return bytes.length > 0 ? write(bytes) : undefined;
		pending.push(bytes);
		pendingBytes += bytes.length;
		if (pendingBytes < outputBytes) return;
		const all = concat(pending);
		let at = 0;
		for (; all.length - at >= outputBytes; at += outputBytes) await write(all.slice(at, at + outputBytes));
		pending = [all.slice(at)];
		pendingBytes = all.length - at;
	};
	const problem = await skip(call, job, input);
	const gap = output === null ? (bytesOf(job, 'seek', outputBytes) ?? 0) : 0;
	// Output redirected to a file starts at 0: the shell has truncated it.
	if (gap > 0 && call.shell.descriptors.get(1)?.stream instanceof FileStream)
		await call.shell.descriptors.require(1).write(new Uint8Array(gap));
	let left = bytesOf(job, 'count', inputBytes) ?? Infinity;
	const isFull = job.inputFlags.has('fullblock') || (left !== Infinity && job.inputFlags.has('count_bytes'));
	while (left > 0) {
		const block = await readBlock(call, input, Math.min(inputBytes, left), isFull);
		if (block.length === 0) break;
		counts.in[block.length === inputBytes ? 0 : 1]++;
		// A count of blocks includes short blocks.
		left -= job.inputFlags.has('count_bytes') || left < inputBytes ? block.length : inputBytes;
		await add(conversion.convert(conversion.padded(block, inputBytes)));
	}
	await add(conversion.end());
	if (pendingBytes > 0) await write(concat(pending));
	await report(call, job, { ...counts, truncated: conversion.truncated, ms: Date.now() - startMs });
	return problem;
}

async function readBlock(call: Call, input: OpenFile, size: number, isFull: boolean): Promise<Uint8Array> {
	const pieces: Uint8Array[] = [];
	let length = 0;
	do {
		const piece = await call.shell.control.race(input.read(size - length));
		if (piece.length === 0) break;
		pieces.push(piece.slice());
		length += piece.length;
	} while (isFull && length < size);
	return concat(pieces);
}

/** Skips the input that `skip` leaves out. Returns 1 if the input is shorter. */
async function skip(call: Call, job: Job, input: OpenFile): Promise<number> {
	let left = bytesOf(job, 'skip', job.inputBytes) ?? 0;
	if (left === 0) return 0;
	while (left > 0) {
		const piece = await call.shell.control.race(input.read(Math.min(left, 65_536)));
		if (piece.length === 0) break;
		left -= piece.length;
	}
	if (Math.floor(left / job.inputBytes) > 0 && job.values.get('status') !== 'none')
		await call.complain(`${quoted(job.values.get('if') ?? 'standard input')}: cannot skip to specified offset`);
	return 0;
}

interface Counts {
	in: [number, number];
	out: [number, number];
	bytes: number;
	truncated: number;
	ms: number;
}

async function report(call: Call, job: Job, counts: Counts): Promise<void> {
	const status = job.values.get('status');
	if (status === 'none') return;
	let text = counted(...counts.in, 'in') + counted(...counts.out, 'out');
	if (counts.truncated > 0) text += `${counts.truncated} truncated record${counts.truncated === 1 ? '' : 's'}\n`;
	if (status !== 'noxfer') text += transferred(counts.bytes, counts.ms);
	await call.shell.descriptors.get(2)?.write(encode(text));
}

function transferred(bytes: number, ms: number): string {
	const seconds = Math.max(ms, 1) / 1000;
	const sizes = [scaled(bytes, 1000, 'B'), scaled(bytes, 1024, 'iB')].filter((text) => !/\d B$/.test(text) || false);
	const shown = bytes < 1000 ? '' : ` (${(bytes < 1024 ? sizes.slice(0, 1) : sizes).join(', ')})`;
	const unit = bytes === 1 ? 'byte' : 'bytes';
	return `${bytes} ${unit}${shown} copied, ${Number(seconds.toPrecision(6))} s, ${scaled(bytes / seconds, 1000, 'B')}/s\n`;
}

/** `4.1 kB`, `12 MiB`. */
function scaled(value: number, base: number, unit: string): string {
	let [rest, power] = [value, 0];
	for (; rest >= base && power < 8; power++) rest /= base;
	if (power === 0) return `${Math.round(rest)} B`;
	const text = rest < 9.95 ? rest.toFixed(1) : String(Math.round(rest));
	return `${text} ${(base === 1000 ? 'kMGTPEZY' : 'KMGTPEZY')[power - 1] ?? ''}${unit}`;
}
