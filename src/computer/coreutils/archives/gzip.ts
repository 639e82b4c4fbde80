import { FILE_BYTES } from '#computer/abi/limits.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { encode } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { isGzip } from './compression.ts';
import { frameBytes, GzipError, packGzip, unpackGzip, type GzipContent } from './gzip-format.ts';

const SPECIFICATION =
	'a|ascii c|stdout|to-stdout d|decompress|uncompress f|force k|keep l|list n|no-name N|name q|quiet r|recursive ' +
	'S|suffix= t|test v|verbose 1|fast 2 3 4 5 6 7 8 9|best rsyncable synchronous';
const [DONE, FAILED, WARNED] = [0, 1, 2];
/** Suffixes of compressed files, and what stands in their place. */
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
 * `gzip`, `gunzip` and `zcat`: compress and unpack files in place, or from stdin. The level of compression is the
 * browser's, whichever is asked for.
 */
const run = utility(SPECIFICATION, (call, options) => new GzipRun(call, options).run());

// All three report as gzip does.
const named =
	(...first: string[]): BuiltIn =>
	(call) =>
		run({
			...call,
			name: 'gzip',
			args: [...first, ...call.args],
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
	/** Sizes of the files listed so far, and the frame of the last. Bytes. */
	#listed = { count: 0, packed: 0, unpacked: 0, frame: 0 };

	constructor(
		private readonly call: Call,
		private readonly options: Options
	) {
		const unpacks = options.has('d') ? 'unpack' : 'pack';
		this.#task = options.has('l') ? 'list' : options.has('t') ? 'test' : unpacks;
		this.#toOutput = options.has('c');
		this.#suffix = options.get('S') ?? '.gz';
		if (options.has('S') && (this.#suffix === '' || this.#suffix.includes('/')))
			throw new UsageError(`invalid suffix '${this.#suffix}'`);
	}

	async run(): Promise<number> {
		const { operands } = this.options;
		for (const name of operands.length > 0 ? operands : ['-']) {
			if (name === '-') await this.#guarded('stdin', () => this.#input());
			else await this.#operand(name);
		}
		if (this.#listed.count > 1) await this.#listLine(this.#listed, '(totals)');
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
			for (const entry of sync.readdir(this.call.shell.path(name)))
				await this.#operand(`${name.replace(/\/$/, '')}/${entry.name}`);
			return;
		}
		const known = stat;
		await this.#guarded(name, () => this.#file(name, known));
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
			else if (content && this.#task === 'list') await this.#list(bytes.length, content, 'stdout');
		} finally {
			file.release();
		}
	}

	async #file(name: string, stat: WireStat): Promise<void> {
		if (this.#task === 'pack') return this.#pack(name, stat);
		const target = this.#unpackedName(name);
		if (target === null && this.#task === 'unpack' && !this.#toOutput)
			return this.#warn(`${name}: unknown suffix -- ignored`);
		const bytes = await this.#read(name);
		if (this.#passesOn(bytes)) return this.#write(bytes);
		const content = await this.#unpack(name, bytes, this.#toOutput && this.#task === 'unpack');
		if (!content) return;
		if (this.#task === 'list') return this.#list(bytes.length, content, target ?? name);
		if (this.#task === 'test') return this.#tell(`${name}:\t OK`);
		const ratio = ratioOf({ packed: bytes.length, unpacked: content.bytes.length, frame: content.frame });
		if (this.#toOutput) {
			await this.#write(content.bytes);
			return this.#tell(`${name}:\t${ratio}`);
		}
		const kept = this.options.has('N') && content.name !== null ? content.name : null;
		const place = kept === null ? (target ?? name) : name.replace(/[^/]*$/, '') + kept;
		const modifiedMs = this.options.has('N') ? (content.modifiedMs ?? stat.modifiedMs) : stat.modifiedMs;
		if (await this.#replace(name, place, content.bytes, { ...stat, modifiedMs }))
			await this.#tell(`${name}:\t${ratio} -- ${this.options.has('k') ? 'created' : 'replaced with'} ${place}`);
	}

	async #pack(name: string, stat: WireStat): Promise<void> {
		if (hasSuffix(name, this.#suffix) && !this.#toOutput)
			return this.#tell(`${name} already has ${suffixOf(name, this.#suffix)} suffix -- unchanged`, 'q');
		const bytes = await this.#read(name);
		const origin = this.options.has('n') ? null : { name: name.replace(/^.*\//, ''), modifiedMs: stat.modifiedMs };
		const packed = await packGzip(bytes, origin);
		const ratio = ratioOf({ packed: packed.length, unpacked: bytes.length, frame: frameBytes(origin?.name ?? null) });
		const place = name + this.#suffix;
		if (this.#toOutput) await this.#write(packed);
		else if (!(await this.#replace(name, place, packed, stat))) return;
		const verb = this.options.has('k') && !this.#toOutput ? 'created' : 'replaced with';
		await this.#tell(`${name}:\t${ratio} -- ${verb} ${this.#toOutput ? 'stdout' : place}`);
	}

	/** Reports what is damaged; a result that goes to stdout is printed as far as it can be read. */
	async #unpack(name: string, bytes: Uint8Array, isPrinted: boolean): Promise<GzipContent | null> {
		try {
			const content = unpackGzip(bytes, FILE_BYTES);
			if (content.hasGarbage) await this.#warn(`${name}: decompression OK, trailing garbage ignored`, '\n');
			return content;
		} catch (error) {
			if (!(error instanceof GzipError)) throw error;
			if (isPrinted) await this.#write(error.readable);
			await this.#report(`\ngzip: ${name}: ${error.message}\n`);
			this.#status = FAILED;
			return null;
		}
	}

	/** Writes the result beside the file, which is then removed. @returns false after a complaint */
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

	/** `-dcf` prints what is not compressed as it is. */
	#passesOn(bytes: Uint8Array): boolean {
		return this.#task === 'unpack' && this.#toOutput && this.options.has('f') && !isGzip(bytes);
	}

	#unpackedName(name: string): string | null {
		if (this.options.has('S') && name.endsWith(this.#suffix)) return name.slice(0, -this.#suffix.length);
		const [suffix, instead] = SUFFIXES.find(([end]) => name.endsWith(end)) ?? [];
		return suffix === undefined ? null : name.slice(0, -suffix.length) + instead;
	}

	async #list(packed: number, { bytes, frame }: GzipContent, name: string): Promise<void> {
		if (this.#listed.count++ === 0 && !this.options.has('q'))
			await this.call.out('         compressed        uncompressed  ratio uncompressed_name\n');
		this.#listed.packed += packed;
		this.#listed.unpacked += bytes.length;
		// As gzip computes its totals.
		this.#listed.frame = frame;
		await this.#listLine({ packed, unpacked: bytes.length, frame }, name);
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

	/** Runs the work on one file; what the system refuses is reported and the next file follows. */
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
		if (!this.options.has('q')) await this.#report(`${before}gzip: ${text}\n`);
		if (this.#status === DONE) this.#status = WARNED;
	}

	/** A line of `-v`; with `q`, one that is said unless `-q` forbids it. */
	async #tell(text: string, unless?: 'q'): Promise<void> {
		if (unless === 'q') {
			if (!this.options.has('q')) await this.#report(`gzip: ${text}\n`);
		} else if (this.options.has('v')) await this.#report(`${text}\n`);
	}

	async #report(text: string): Promise<void> {
		await this.call.shell.descriptors.get(2)?.write(encode(text));
	}
}

const suffixOf = (name: string, suffix: string): string | undefined =>
	name.endsWith(suffix) ? suffix : SUFFIXES.find(([end]) => name.endsWith(end))?.[0];

const hasSuffix = (name: string, suffix: string): boolean => suffixOf(name, suffix) !== undefined;

/** Part that was saved, in percent, five characters wide. Header and trailer are not counted. */
function ratioOf({ packed, unpacked, frame }: Sizes): string {
	const saved = unpacked === 0 ? 0 : (unpacked - (packed - frame)) / unpacked;
	return `${(saved * 100).toFixed(1).padStart(5)}%`;
}
