import { FILE_BYTES } from '#computer/abi/limits.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { concat, encode } from '#computer/process/text.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { strftime } from '../time/strftime.ts';
import { isCompressed, methodOf, unpackAny } from './compressed-formats.ts';
import { fitsHeader, frameBytes, packGzip, type GzipContent } from './gzip-format.ts';
import { withVariable } from './gzip-variable.ts';
import { GzipError, MethodError } from './unpacked-content.ts';

const SPECIFICATION =
	'a|ascii c|stdout|to-stdout d|decompress|uncompress f|force k|keep l|list n|no-name N|name q|quiet r|recursive ' +
	'S|suffix= t|test v|verbose 1|fast 2 3 4 5 6 7 8 9|best rsyncable synchronous -presume-input-tty';
const MOST_SUFFIX = 30;
/** Letters of options for which the parser knows no long name. */
const ABOUT: Readonly<Record<string, string>> = { '-h': '--help', '-V': '--version', '-L': '--version' };
const [DONE, FAILED, WARNED] = [0, 1, 2];
const VERBOSE_TITLE = 'method  crc     date  time  ';
/** Printed instead of a checksum if the format has none. */
const NO_SUM = 'f'.repeat(16);
/** Suffixes of compressed files and their replacements. */
const SUFFIXES: readonly (readonly [suffix: string, instead: string])[] = [
	['.tgz', '.tar'],
	['.taz', '.tar'],
	['.gz', ''],
	['.z', ''],
	['-gz', ''],
	['-z', ''],
	['_z', ''],
	['.Z', '']
];

interface Sizes {
	packed: number;
	unpacked: number;
	/** Header and trailer, part of `packed`. */
	frame: number;
}

type Task = 'pack' | 'unpack' | 'list' | 'test';

/**
 * `gzip`, `gunzip` and `zcat`: compress and unpack files in place, or from stdin. The browser decides the compression
 * level; `-1` to `-9` have no effect.
 */
const run = utility(SPECIFICATION, async (call, given) => {
	const options = withVariable(call, given, SPECIFICATION);
	const work = new GzipRun(call, options);
	if (options.given.length > given.given.length) await work.warnOfVariable();
	return work.run();
});

// All variants report errors under the name `gzip`.
const named =
	(...first: string[]): BuiltIn =>
	(call) =>
		run({
			...call,
			name: 'gzip',
			args: [...first, ...call.args.map((arg) => ABOUT[arg] ?? arg)],
			complain: async (text) => void (await call.shell.descriptors.get(2)?.write(encode(`gzip: ${text}\n`)))
		});

export const gzip = named();
export const gunzip = named('-d');
export const zcat = named('-dc');

class GzipRun {
	#status = DONE;
	readonly #task: Task;
	readonly #suffix: string;
	readonly #toOutput: boolean;
	/** Directories around the current file. */
	#depth = 0;
	/** Sizes of the files listed so far, and the frame size of the last one. Bytes. */
	#listed = { count: 0, packed: 0, unpacked: 0, frame: 0 };

	constructor(
		private readonly call: Call,
		private readonly options: Options
	) {
		const unpacks = options.has('d') ? 'unpack' : 'pack';
		this.#task = options.has('l') ? 'list' : options.has('t') ? 'test' : unpacks;
		this.#toOutput = options.has('c');
		this.#suffix = options.get('S') ?? '.gz';
		if (this.#suffix === '' || this.#suffix.length > MOST_SUFFIX)
			throw new UsageError(`invalid suffix '${this.#suffix}'`);
	}

	/** Tells whether `-q` was given without a later `-v`. */
	get #isQuiet(): boolean {
		return this.options.last('q', 'v') === 'q';
	}

	get #isVerbose(): boolean {
		return this.options.last('q', 'v') === 'v';
	}

	/** Tells whether a file that cannot be processed is skipped silently, as inside directories. */
	get #skipsQuietly(): boolean {
		return this.#depth > 0 && !this.#isVerbose;
	}

	async warnOfVariable(): Promise<void> {
		if (this.#isQuiet) return;
		await this.#report('gzip: warning: GZIP environment variable is deprecated; use an alias or script\n');
	}

	async run(): Promise<number> {
		const { operands } = this.options;
		for (const name of operands.length > 0 ? operands : ['-']) {
			if (name === '-') await this.#guarded('stdin', () => this.#input());
			else await this.#operand(name);
		}
		if (this.#listed.count > 1 && this.#listed.unpacked > 0) {
			if (this.#isVerbose) await this.call.out(' '.repeat(VERBOSE_TITLE.length));
			await this.#listLine(this.#listed, '(totals)');
		}
		return this.#status;
	}

	async #operand(given: string): Promise<void> {
		const { sync } = this.call.shell.host.context;
		let name = given;
		let stat = sync.statOrNull(this.call.shell.path(name));
		if (!stat && this.#task !== 'pack' && !hasSuffix(name, this.#suffix)) {
			name += this.#suffix;
			stat = sync.statOrNull(this.call.shell.path(name));
		}
		if (!stat) return this.#fail(`${name}: No such file or directory`);
		if (stat.kind === 'directory') {
			if (!this.options.has('r')) return this.#warn(`${name} is a directory -- ignored`);
			this.#depth++;
			for (const entry of sync.readdir(this.call.shell.path(name)))
				await this.#operand(`${name.replace(/\/$/, '')}/${entry.name}`);
			this.#depth--;
			return;
		}
		if (await this.#isLinked(name, stat)) return;
		const known = stat;
		await this.#guarded(name, () => this.#file(name, known));
	}

	/** Reports a file with several hard links: the other names would keep the old content. */
	async #isLinked(name: string, { links }: WireStat): Promise<boolean> {
		const isReplaced = (this.#task === 'pack' || this.#task === 'unpack') && !this.#toOutput;
		if (!isReplaced || this.options.has('f')) return false;
		const { sync } = this.call.shell.host.context;
		if (sync.lstat(this.call.shell.path(name)).kind === 'symlink') {
			await this.#fail(`${name}: Too many levels of symbolic links`);
			return true;
		}
		if (links < 2) return false;
		await this.#warn(`${name} has ${links - 1} other link${links > 2 ? 's' : ''} -- file ignored`);
		return true;
	}

	async #input(): Promise<void> {
		const { shell } = this.call;
		const file = shell.descriptors.require(0).retain();
		try {
			const bytes = await shell.control.race(file.readAll());
			if (this.#task === 'pack') return await this.#write(await packGzip(bytes, null));
			if (this.#passesOn(bytes)) return await this.#write(bytes);
			const content = await this.#unpack('stdin', bytes, this.#task === 'unpack');
			if (content && this.#task === 'unpack') await this.#write(content.bytes);
			else if (content && this.#task === 'list')
				await this.#list(bytes, content, 'stdout', this.options.has('N') ? content.modifiedMs : null);
		} finally {
			file.release();
		}
	}

	async #file(name: string, stat: WireStat): Promise<void> {
		if (this.#task === 'pack') return this.#pack(name, stat);
		const target = this.#unpackedName(name);
		if (target === null && this.#task === 'unpack' && !this.#toOutput)
			return this.#skipsQuietly ? undefined : this.#warn(`${name}: unknown suffix -- ignored`);
		const bytes = await this.#read(name);
		if (this.#passesOn(bytes)) return this.#write(bytes);
		const content = await this.#unpack(name, bytes, this.#toOutput && this.#task === 'unpack');
		if (!content) return;
		if (this.#task === 'list') {
			const headerMs = this.options.has('N') ? content.modifiedMs : null;
			return this.#list(bytes, content, target ?? name, headerMs ?? stat.modifiedMs);
		}
		if (this.#task === 'test') return this.#tell(`${name}:\t OK`);
		const ratio = ratioOf({ packed: bytes.length, unpacked: content.bytes.length, frame: content.frame });
		if (this.#toOutput) {
			await this.#write(content.bytes);
			return this.#tell(`${name}:\t${ratio} -- replaced with stdout`);
		}
		const kept = this.options.has('N') && content.name !== null ? content.name : null;
		const place = kept === null ? (target ?? name) : name.replace(/[^/]*$/, '') + kept;
		const modifiedMs = this.options.has('N') ? (content.modifiedMs ?? stat.modifiedMs) : stat.modifiedMs;
		if (await this.#replace(name, place, content.bytes, { ...stat, modifiedMs }))
			await this.#tell(`${name}:\t${ratio} -- ${this.options.has('k') ? 'created' : 'replaced with'} ${place}`);
	}

	async #pack(name: string, stat: WireStat): Promise<void> {
		if (hasSuffix(name, this.#suffix) && !this.#toOutput && this.#skipsQuietly) return;
		if (hasSuffix(name, this.#suffix) && !this.#toOutput)
			return this.#tell(`${name} already has ${suffixOf(name, this.#suffix)} suffix -- unchanged`, 'q');
		const bytes = await this.#read(name);
		const origin = this.options.has('n') ? null : { name: name.replace(/^.*\//, ''), modifiedMs: stat.modifiedMs };
		const packed = await packGzip(bytes, origin);
		const ratio = ratioOf({ packed: packed.length, unpacked: bytes.length, frame: frameBytes(origin?.name ?? null) });
		const place = name + this.#suffix;
		if (this.#toOutput) await this.#write(packed);
		else if (!(await this.#replace(name, place, packed, stat))) return;
		if (origin && !fitsHeader(stat.modifiedMs))
			await this.#warn(`${name}: warning: file timestamp out of range for gzip format`);
		const verb = this.options.has('k') && !this.#toOutput ? 'created' : 'replaced with';
		await this.#tell(`${name}:\t${ratio} -- ${verb} ${this.#toOutput ? 'stdout' : place}`);
	}

	/** Unpacks a file and reports damage; a result for stdout is still printed as far as it can be read. */
	async #unpack(name: string, bytes: Uint8Array, isPrinted: boolean): Promise<GzipContent | null> {
		try {
			const content = unpackAny(bytes, FILE_BYTES);
			return content.trailing.length > 0 ? await this.#withTrailing(name, content) : content;
		} catch (error) {
			if (!(error instanceof GzipError)) throw error;
			if (isPrinted) await this.#write(error.readable);
			const isUnknown = error instanceof MethodError;
			await this.#report(isUnknown ? `gzip: ${name}${error.message}\n` : `\ngzip: ${name}: ${error.message}\n`);
			this.#status = FAILED;
			return null;
		}
	}

	/** Handles bytes after the last member. @throws GzipError if they could be the first byte of another member */
	async #withTrailing(name: string, content: GzipContent): Promise<GzipContent> {
		const { bytes, trailing } = content;
		if (this.#passesAll) return { ...content, bytes: concat([bytes, trailing]) };
		if (trailing.every((byte) => byte === 0)) {
			if (this.#isVerbose) await this.#warn(`${name}: decompression OK, trailing zero bytes ignored`, '\n');
			return content;
		}
		if (trailing.length === 1) throw new GzipError('unexpected end of file', bytes);
		await this.#warn(`${name}: decompression OK, trailing garbage ignored`, '\n');
		return content;
	}

	/** Writes the result next to the file, then removes the file. @returns false after an error was reported */
	async #replace(name: string, place: string, bytes: Uint8Array, stat: WireStat): Promise<boolean> {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		const [from, to] = [shell.path(name), shell.path(place)];
		if (sync.statOrNull(to) && !this.options.has('f')) {
			await this.#warn(`${place} already exists;\tnot overwritten`);
			return false;
		}
		sync.writeFile(to, bytes);
		sync.chmod(to, stat.mode & 0o777);
		sync.utimes(to, stat.accessedMs, stat.modifiedMs);
		if (!this.options.has('k')) sync.unlink(from);
		return true;
	}

	/** Tells whether content is passed through unchanged: `-dcf` prints uncompressed files as they are. */
	#passesOn(bytes: Uint8Array): boolean {
		return this.#passesAll && !isCompressed(bytes);
	}

	get #passesAll(): boolean {
		return this.#task === 'unpack' && this.#toOutput && this.options.has('f');
	}

	#unpackedName(name: string): string | null {
		if (this.options.has('S') && name.endsWith(this.#suffix)) return name.slice(0, -this.#suffix.length);
		const [suffix, instead] = SUFFIXES.find(([end]) => name.endsWith(end)) ?? [];
		return suffix === undefined ? null : name.slice(0, -suffix.length) + instead;
	}

	async #list(packed: Uint8Array, content: GzipContent, name: string, modifiedMs: number | null): Promise<void> {
		const { bytes, frame, crc } = content;
		const shown = (this.options.has('N') ? content.name : null) ?? name;
		if (this.#listed.count++ === 0 && !this.#isQuiet)
			await this.call.out(
				`${this.#isVerbose ? VERBOSE_TITLE : ''}         compressed        uncompressed  ratio uncompressed_name\n`
			);
		this.#listed.packed += packed.length;
		this.#listed.unpacked += bytes.length;
		// As gzip computes its totals.
		this.#listed.frame = frame;
		if (this.#isVerbose) {
			const time = strftime('%b %e %H:%M', modifiedMs ?? Date.now(), zoneOf(this.call.shell.variables.exported('TZ')));
			const sum = crc === null ? NO_SUM : crc.toString(16).padStart(8, '0');
			await this.call.out(`${methodOf(packed).padEnd(5)} ${sum} ${time} `);
		}
		await this.#listLine({ packed: packed.length, unpacked: bytes.length, frame }, shown);
	}

	async #listLine({ packed, unpacked, frame }: Sizes, name: string): Promise<void> {
		const sizes = `${String(packed).padStart(19)} ${String(unpacked).padStart(19)}`;
		await this.call.out(`${sizes} ${ratioOf({ packed, unpacked, frame })} ${name}\n`);
	}

	async #read(name: string): Promise<Uint8Array> {
		const file = open(this.call.shell, name, '<');
		try {
			return await this.call.shell.control.race(file.readAll());
		} finally {
			file.release();
		}
	}

	async #write(bytes: Uint8Array): Promise<void> {
		if (bytes.length > 0) await this.call.shell.descriptors.require(1).write(bytes);
	}

	/** Processes one file; system errors are reported, and the next file follows. */
	async #guarded(name: string, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (!(error instanceof Error && 'code' in error)) throw error;
			await this.#fail(`${name}: ${reason(error)}`);
		}
	}

	async #fail(text: string): Promise<void> {
		await this.#report(`gzip: ${text}\n`);
		this.#status = FAILED;
	}

	async #warn(text: string, before = ''): Promise<void> {
		if (!this.#isQuiet) await this.#report(`${before}gzip: ${text}\n`);
		if (this.#status === DONE) this.#status = WARNED;
	}

	/** Prints a line of `-v`; with `unless` set to `q`, a line that is printed unless `-q` is given. */
	async #tell(text: string, unless?: 'q'): Promise<void> {
		if (unless === 'q') {
			if (!this.#isQuiet) await this.#report(`gzip: ${text}\n`);
		} else if (this.#isVerbose) await this.#report(`${text}\n`);
	}

	async #report(text: string): Promise<void> {
		await this.call.shell.descriptors.get(2)?.write(encode(text));
	}
}

const suffixOf = (name: string, suffix: string): string | undefined =>
	name.endsWith(suffix) ? suffix : SUFFIXES.find(([end]) => name.endsWith(end))?.[0];

const hasSuffix = (name: string, suffix: string): boolean => suffixOf(name, suffix) !== undefined;

/** Formats the space saved, in percent, five characters wide. Header and trailer are not counted. */
export function ratioOf({ packed, unpacked, frame }: Sizes): string {
	const saved = unpacked === 0 ? 0 : (unpacked - (packed - frame)) / unpacked;
	return `${(saved * 100).toFixed(1).padStart(5)}%`;
}
