import { open, reason } from '#computer/shell/execution/redirections.ts';
import { concat } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { FileStream } from '#computer/shell/streams/file-stream.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import { bytesStream } from '#computer/shell/streams/simple-streams.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { SplitNames } from './split-names.ts';

const SPECIFICATION =
	'a|suffix-length= b|bytes= C|line-bytes= d e|elide-empty-files l|lines= n|number= t|separator= u|unbuffered x ' +
	'numeric-suffixes=? hex-suffixes=? additional-suffix= filter= verbose -io-blksize=';
const UNITS = 'KMGTPEZY';
const PIECE_BYTES = 65_536;
/** Largest number of GNU's counters. */
const MOST = 2n ** 64n - 1n;
const MOST_BYTES = 2n ** 63n - 1n;
const TOO_LARGE = ': Value too large for defined data type';
const OUT_OF_RANGE = ': Numerical result out of range';

type Way =
	| { kind: 'bytes' | 'lines' | 'line-bytes'; size: number }
	| { kind: 'chunks' | 'line-chunks' | 'round-robin'; count: number; wanted: number | null };

const modern = utility(SPECIFICATION, (call, options) => {
	if (options.operands.length > 2) throw new UsageError(`extra operand ${quoted(options.operands[2] ?? '')}`);
	const way = wayOf(options);
	const chunks = 'count' in way ? way.count : null;
	const names = new SplitNames(options, options.operands[1] ?? 'x', chunks);
	return new Split(call, options, way, names, separatorOf(options)).run(options.operands[0] ?? '-');
});

/** `split`, including the traditional `-5`. */
export const split: BuiltIn = async (call) => {
	const digits = call.args.map((arg) => /^-(\d+)$/.exec(arg)?.[1]).find((found) => found !== undefined);
	if (digits !== undefined && BigInt(digits) > MOST) {
		await call.complain(`line count option -${digits}... is too large`);
		return 1;
	}
	const isValue = (index: number) => /^-[abClnt]$/.test(call.args[index - 1] ?? '');
	return modern({ ...call, args: call.args.map((arg, at) => (isValue(at) ? arg : arg.replace(/^-(\d+)$/, '-l$1'))) });
};

/** @throws UsageError */
function wayOf(options: Options): Way {
	const ways = options.given.filter(({ name }) => /^[bCln]$/.test(name));
	if (ways.length > 1) throw new UsageError('cannot split in more than one way', true);
	const [{ name, value } = { name: 'l', value: '1000' }] = ways;
	if (name === 'n') return chunksOf(value);
	if (name === 'l') return { kind: 'lines', size: sizeOf(value, 'lines') };
	return { kind: name === 'b' ? 'bytes' : 'line-bytes', size: sizeOf(value, 'bytes') };
}

function chunksOf(text: string): Way {
	const [, mode = '', first = '', second] = /^(?:([lr])\/)?([^/]*)(?:\/([^/]*))?$/.exec(text) ?? [];
	const kind = mode === 'l' ? 'line-chunks' : mode === 'r' ? 'round-robin' : 'chunks';
	const count = sizeOf(second ?? (first === '' ? text : first), 'chunks');
	if (second === undefined) return { kind, count, wanted: null };
	const wanted = /^\d+$/.test(first) ? Number(first) : 0;
	if (wanted < 1 || wanted > count)
		throw new UsageError(`invalid chunk number: ${quoted(first)}${/^\d+$/.test(first) ? OUT_OF_RANGE : ''}`);
	return { kind, count, wanted };
}

/** Parses `10`, `4K`, `1MB`. @throws UsageError */
function sizeOf(text: string, what: string): number {
	const [, digits = '', unit = '', end = ''] = /^\+?(\d+)(?:([bkKmMGTPEZY])(iB|B|)?)?$/.exec(text) ?? [];
	const power = UNITS.indexOf(unit.toUpperCase()) + 1;
	const most = what === 'bytes' ? MOST_BYTES : MOST;
	const isTooLarge = unit === '' && digits !== '' && BigInt(digits) > most;
	const size = isTooLarge
		? 0
		: Number(digits) * (unit === 'b' ? 512 : unit === '' ? 1 : (end === 'B' ? 1000 : 1024) ** power);
	if (digits === '' || size === 0)
		throw new UsageError(
			`invalid number of ${what}: ${quoted(text)}${digits === '' ? '' : isTooLarge ? TOO_LARGE : OUT_OF_RANGE}`
		);
	return size;
}

/** @throws UsageError */
function separatorOf(options: Options): number {
	const given = [...new Set(options.all('t'))];
	const [text] = given;
	if (text === undefined) return 10;
	if (text === '') throw new UsageError('empty record separator');
	if (given.length > 1) throw new UsageError('multiple separator characters specified');
	if (text === '\\0') return 0;
	if (text.length > 1) throw new UsageError(`multi-character separator ${quoted(text)}`);
	return text.charCodeAt(0);
}

const MOST_FILES = 1_000_000;

class SplitError extends Error {
	constructor(
		message: string,
		readonly status = 1
	) {
		super(message);
	}
}

class Split {
	#path: string | null = null;
	/** Bytes for the filter of the current file. */
	#held: Uint8Array[] = [];
	#filtered: string | null = null;
	#inputInode: number | null = null;

	constructor(
		private readonly call: Call,
		private readonly options: Options,
		private readonly way: Way,
		private readonly names: SplitNames,
		private readonly separator: number
	) {}

	async run(name: string): Promise<number> {
		const { shell } = this.call;
		let input: OpenFile;
		try {
			input = name === '-' ? shell.descriptors.require(0).retain() : open(shell, name, '<');
		} catch (error) {
			const why = reason(error).replace(`${name}: `, '');
			await this.call.complain(`cannot open ${quoted(name)} for reading: ${why}`);
			return 1;
		}
		try {
			if (name !== '-' && shell.host.context.sync.statOrNull(shell.path(name))?.kind === 'directory')
				throw new SplitError(`${name}: Is a directory`);
			const path = name !== '-' ? shell.path(name) : input.stream instanceof FileStream ? input.stream.path : null;
			this.#inputInode = path === null ? null : (shell.host.context.sync.statOrNull(path)?.inode ?? null);
			await this.#split(input, name);
			await this.#endFilter();
			return 0;
		} catch (error) {
			if (!(error instanceof SplitError)) throw error;
			await this.call.complain(error.message);
			return error.status;
		} finally {
			input.release();
		}
	}

	#split(input: OpenFile, name: string): Promise<void> {
		const { way } = this;
		if (way.kind === 'bytes') return this.#byBytes(input, way.size);
		if (way.kind === 'lines') return this.#byLines(input, way.size);
		if (way.kind === 'line-bytes') return this.#byLineBytes(input, way.size);
		if (!('count' in way)) throw new Error(`There is no way ${way.kind}.`);
		if (way.kind === 'round-robin') return this.#inTurn(input, way.count, way.wanted);
		return this.#byChunks(input, name, way.count, way.wanted, way.kind === 'line-chunks');
	}

	async *#pieces(input: OpenFile): AsyncGenerator<Uint8Array> {
		for (;;) {
			const piece = await this.call.shell.control.race(input.read(PIECE_BYTES));
			if (piece.length === 0) return;
			yield piece.slice();
		}
	}

	/** Yields lines with their separators; the last may have none. */
	async *#lines(input: OpenFile): AsyncGenerator<Uint8Array> {
		let rest: Uint8Array[] = [];
		for await (const piece of this.#pieces(input)) {
			let start = 0;
			for (let at = piece.indexOf(this.separator); at >= 0; at = piece.indexOf(this.separator, start)) {
				yield concat([...rest, piece.subarray(start, at + 1)]);
				[rest, start] = [[], at + 1];
			}
			if (start < piece.length) rest.push(piece.subarray(start));
		}
		if (rest.length > 0) yield concat(rest);
	}

	/** Starts the next file. */
	async #next(): Promise<void> {
		const name = this.names.next();
		if (name === null) throw new SplitError('output file suffixes exhausted');
		const { shell } = this.call;
		if (this.options.has('filter')) {
			await this.#endFilter();
			if (this.options.has('verbose')) await this.call.out(`executing with FILE=${name}\n`);
			this.#filtered = name;
			return;
		}
		if (this.options.has('verbose')) await this.call.out(`creating file ${quoted(name)}\n`);
		this.#path = shell.path(name);
		const there = shell.host.context.sync.statOrNull(this.#path);
		if (there && there.inode === this.#inputInode)
			throw new SplitError(`${quoted(name)} would overwrite input; aborting`);
		try {
			shell.host.context.sync.writeFile(this.#path, new Uint8Array(), { mode: 0o666 & ~shell.umask });
		} catch (error) {
			throw new SplitError(`${name}: ${reason(error)}`);
		}
	}

	/** Runs the filter of the current file. */
	async #endFilter(): Promise<void> {
		const [name, command] = [this.#filtered, this.options.get('filter') ?? ''];
		if (name === null) return;
		const { shell } = this.call;
		const input = concat(this.#held);
		[this.#filtered, this.#held] = [null, []];
		const status = await runSubshell(shell, (inner) => {
			inner.descriptors.set(0, new OpenFile(bytesStream(input)));
			inner.variables.set('FILE', name);
			inner.variables.declare('FILE', { exported: true });
			return inner.host.evaluate(inner, command);
		});
		if (status === 0 || status === 141) return;
		throw new SplitError(`with FILE=${name}, exit ${status} from command: ${command}`, status);
	}

	#append(bytes: Uint8Array): void {
		if (this.#filtered !== null) return void this.#held.push(bytes.slice());
		if (this.#path !== null && bytes.length > 0)
			this.call.shell.host.context.sync.appendFile(this.#path, bytes, 0o666 & ~this.call.shell.umask);
	}

	async #byBytes(input: OpenFile, size: number): Promise<void> {
		let room = 0;
		for await (const piece of this.#pieces(input)) {
			for (let at = 0; at < piece.length;) {
				if (room === 0) {
					await this.#next();
					room = size;
				}
				const part = piece.subarray(at, at + room);
				this.#append(part);
				at += part.length;
				room -= part.length;
			}
		}
	}

	async #byLines(input: OpenFile, size: number): Promise<void> {
		let [count, pending] = [0, [] as Uint8Array[]];
		const flush = async () => {
			if (pending.length === 0) return;
			await this.#next();
			this.#append(concat(pending));
			[count, pending] = [0, []];
		};
		for await (const line of this.#lines(input)) {
			pending.push(line);
			if (++count === size) await flush();
		}
		await flush();
	}

	async #byLineBytes(input: OpenFile, size: number): Promise<void> {
		let used = size;
		for await (const line of this.#lines(input)) {
			for (let at = 0; at < line.length;) {
				const left = line.length - at;
				if (used === size || (used > 0 && used + left > size)) {
					await this.#next();
					used = 0;
				}
				const part = line.subarray(at, at + size);
				this.#append(part);
				at += part.length;
				used += part.length;
			}
		}
	}

	async #inTurn(input: OpenFile, count: number, wanted: number | null): Promise<void> {
		if (wanted === null && count > MOST_FILES) throw new SplitError('memory exhausted');
		const parts: Uint8Array[][] = Array.from({ length: wanted === null ? count : 0 }, () => []);
		let index = 0;
		for await (const line of this.#lines(input)) {
			if (wanted === null) parts[index % count]?.push(line);
			else if (index % count === wanted - 1) await this.call.shell.descriptors.require(1).write(line);
			index++;
		}
		await this.#writeAll(parts.map((part) => concat(part)));
	}

	async #writeAll(parts: readonly Uint8Array[]): Promise<void> {
		for (const part of parts) {
			if (part.length === 0 && this.options.has('e')) continue;
			await this.#next();
			this.#append(part);
		}
	}

	async #byChunks(
		input: OpenFile,
		name: string,
		count: number,
		wanted: number | null,
		keepsLines: boolean
	): Promise<void> {
		const isSized = name !== '-' && !/^\/dev\/(?!null)/.test(name);
		if (!isSized && (name !== '-' || !(input.stream instanceof FileStream)))
			throw new SplitError(`${name}: cannot determine file size`);
		const pieces: Uint8Array[] = [];
		for await (const piece of this.#pieces(input)) pieces.push(piece);
		const all = concat(pieces);
		// A chunk has at least one byte.
		const size = Math.floor(Math.max(all.length, count) / count);
		if (wanted === null && count > MOST_FILES) throw new SplitError('memory exhausted');
		const parts: Uint8Array[] = [];
		for (let index = 1, start = 0; index <= count; index++) {
			let end = index === count ? all.length : Math.min(all.length, index * size);
			if (keepsLines && index < count) {
				const at = all.indexOf(this.separator, Math.max(0, end - 1));
				end = start >= end && start > 0 ? start : at < 0 ? all.length : at + 1;
			}
			end = Math.max(start, end);
			parts.push(all.slice(start, end));
			start = end;
		}
		if (wanted !== null) await this.call.shell.descriptors.require(1).write(parts[wanted - 1] ?? new Uint8Array());
		else await this.#writeAll(parts);
	}
}
