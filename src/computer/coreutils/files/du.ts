import { reason } from '#computer/shell/execution/redirections.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import { decode } from '#computer/process/text.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { blockSizeOf, inBlocks, readBlockSize, type BlockSize } from '../block-size.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { strftime } from '../time/strftime.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { namesOfFiles0 } from './files0.ts';
import { joined } from './target.ts';

const SPECIFICATION =
	'0|null a|all apparent-size b|bytes B|block-size= c|total D|H|dereference-args d|max-depth= files0-from= ' +
	'h|human-readable inodes k L|dereference l|count-links m P|no-dereference S|separate-dirs si s|summarize ' +
	't|threshold= time=? time-style= X|exclude-from= exclude= x|one-file-system';
/** Disk usage of a directory, and of each started block of a file. */
const BLOCK_BYTES = 4096;
const STYLES: Record<string, string> = { 'full-iso': '%F %T.%N %z', 'long-iso': '%F %H:%M', iso: '%F' };

/** `du`: sizes of whole trees, in disk blocks or in bytes. */
export const du = utility(SPECIFICATION, async (call, options) => {
	const usage = new Usage(call, options);
	const listed = options.get('files0-from');
	if (listed !== undefined && options.operands.length > 0)
		throw new UsageError(
			`extra operand ${quoted(options.operands[0] ?? '')}` + '\nfile operands cannot be combined with --files0-from',
			true
		);

	let status = 0;
	const names = options.operands.length > 0 ? options.operands : ['.'];
	for await (const name of listed === undefined ? names : namesOfFiles0(call, listed, () => (status = 1)))
		await usage.measure(name);
	if (options.has('c')) await usage.show(usage.total, 'total');
	return usage.status || status;
});

interface Sum {
	bytes: number;
	inodes: number;
	modifiedMs: number;
}

class Usage {
	status = 0;
	readonly total: Sum = { bytes: 0, inodes: 0, modifiedMs: 0 };
	readonly #seen = new Set<number>();
	readonly #size: BlockSize;
	readonly #limit: number;
	readonly #threshold: number | null;
	readonly #excluded: RegExp[];
	/** Directories above the current one, to detect links that lead back. */
	readonly #ancestors: number[] = [];

	/** @throws UsageError */
	constructor(
		private readonly call: Call,
		private readonly options: Options
	) {
		const variable = (name: string) => call.shell.variables.exported(name);
		const environment = [variable('DU_BLOCK_SIZE'), variable('BLOCK_SIZE'), variable('BLOCKSIZE')];
		this.#size = blockSizeOf(options.given, environment);
		const depth = options.get('d');
		if (depth !== undefined && !/^\d+$/.test(depth))
			throw new UsageError(`invalid maximum depth ${quoted(depth)}`, true);
		if (options.has('s') && options.has('a')) throw new UsageError('cannot both summarize and show all entries', true);
		if (options.has('s') && depth !== undefined && Number(depth) !== 0)
			throw new UsageError(`warning: summarizing conflicts with --max-depth=${Number(depth)}`, true);
		this.#limit = options.has('s') ? 0 : Number(depth ?? Infinity);
		this.#threshold = thresholdOf(options.get('t'));
		this.#excluded = this.#patterns().map((pattern) => globRegExp(pattern.replace(/\/+$/, '')));
	}

	#patterns(): string[] {
		return this.options.given.flatMap(({ name, value }) => {
			if (name === 'exclude') return [value];
			if (name !== 'X') return [];
			try {
				const bytes = this.call.shell.host.context.sync.readFile(this.call.shell.path(value));
				return decode(bytes).split('\n').filter(Boolean);
			} catch (error) {
				throw new UsageError(`${value}: ${reason(error)}`);
			}
		});
	}

	/** Measures one operand and prints the requested sizes. */
	async measure(name: string): Promise<void> {
		const { options } = this;
		let stat: WireStat;
		try {
			stat = this.#stat(name, options.has('L') || options.last('D', 'P') === 'D');
		} catch (error) {
			await this.#complain(`cannot access ${quoted(name)}: ${reason(error)}`);
			return;
		}
		if (this.#isExcluded(name)) return;
		const sum = await this.#measureOne(name, stat, 0);
		if (sum) addTo(this.total, sum);
	}

	async #complain(text: string): Promise<void> {
		await this.call.complain(text);
		this.status = 1;
	}

	#stat(name: string, follows: boolean): WireStat {
		const { sync } = this.call.shell.host.context;
		const path = this.call.shell.path(name);
		return follows || name.endsWith('/') ? sync.stat(path) : sync.lstat(path);
	}

	#isExcluded(name: string): boolean {
		const parts = name.split('/');
		return this.#excluded.some((pattern) => parts.some((_part, at) => pattern.test(parts.slice(at).join('/'))));
	}

	/** Returns null for a file that was counted before. */
	async #measureOne(name: string, stat: WireStat, depth: number): Promise<Sum | null> {
		const { options } = this;
		const isCountedOnce = !options.has('l') || stat.kind === 'directory';
		const mayComeAgain = stat.kind === 'directory' || stat.links > 1 || depth === 0 || options.has('L', 'D');
		if (isCountedOnce && mayComeAgain) {
			if (this.#seen.has(stat.inode)) return null;
			this.#seen.add(stat.inode);
		}
		const own: Sum = { bytes: this.#bytesOf(stat), inodes: 1, modifiedMs: stat.modifiedMs };
		const isDirectory = stat.kind === 'directory';
		const shown = { ...own };
		if (isDirectory) await this.#measureEntries(name, stat, depth, own, shown);
		if (depth <= this.#limit && (isDirectory || options.has('a') || depth === 0))
			await this.show(options.has('S') ? shown : own, name);
		return own;
	}

	/** Adds the contents of a directory to `all`; `alone`, for `-S`, does not include its subdirectories. */
	async #measureEntries(name: string, stat: WireStat, depth: number, all: Sum, alone: Sum): Promise<void> {
		const { sync } = this.call.shell.host.context;
		this.#ancestors.push(stat.inode);
		let entries: WireDirent[] = [];
		try {
			entries = sync.readdir(this.call.shell.path(name));
		} catch (error) {
			await this.#complain(`cannot read directory ${quoted(name)}: ${reason(error)}`);
		}
		for (const entry of entries) {
			const inner = joined(name, entry.name);
			if (this.#isExcluded(inner)) continue;
			let found: WireStat;
			try {
				found = this.#stat(inner, this.options.has('L'));
			} catch (error) {
				await this.#complain(`cannot access ${quoted(inner)}: ${reason(error)}`);
				continue;
			}
			const isLeftOut =
				this.#ancestors.includes(found.inode) || (this.options.has('x') && found.device !== stat.device);
			const sum = isLeftOut ? null : await this.#measureOne(inner, found, depth + 1);
			if (!sum) continue;
			addTo(all, sum);
			if (found.kind !== 'directory') addTo(alone, sum);
		}
		this.#ancestors.pop();
	}

	#bytesOf({ kind, size }: WireStat): number {
		const isApparent = this.options.has('apparent-size', 'b');
		if (kind === 'directory') return isApparent ? size || BLOCK_BYTES : BLOCK_BYTES;
		if (isApparent) return kind === 'symlink' ? 0 : size;
		return kind === 'symlink' ? 0 : Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
	}

	async show(sum: Sum, name: string): Promise<void> {
		const value = this.options.has('inodes') ? sum.inodes : sum.bytes;
		if (this.#threshold !== null && (this.#threshold < 0 ? value > -this.#threshold : value < this.#threshold)) return;
		const size = 'bytes' in this.#size && this.options.has('inodes') ? { bytes: 1, unit: '' } : this.#size;
		const end = this.options.has('0') ? '\0' : '\n';
		await this.call.out(`${inBlocks(value, size)}\t${this.#time(sum)}${name}${end}`);
	}

	#time({ modifiedMs }: Sum): string {
		if (!this.options.has('time')) return '';
		const style = this.options.get('time-style') ?? this.call.shell.variables.exported('TIME_STYLE') ?? 'long-iso';
		const format = style.startsWith('+') ? style.slice(1) : (STYLES[style] ?? STYLES['long-iso'] ?? '');
		return `${strftime(format, modifiedMs, zoneOf(this.call.shell.variables.exported('TZ')))}\t`;
	}
}

function addTo(sum: Sum, more: Sum): void {
	sum.bytes += more.bytes;
	sum.inodes += more.inodes;
	sum.modifiedMs = Math.max(sum.modifiedMs, more.modifiedMs);
}

function thresholdOf(text: string | undefined): number | null {
	if (text === undefined) return null;
	const wrong = new UsageError(`invalid --threshold argument '${text}'`);
	const isNegative = text.startsWith('-');
	if (/^-0+$/.test(text)) throw wrong;
	if (/^\+?0+$/.test(text)) return 0;
	const size = readBlockSize(text.replace(/^[-+]/, ''), '--threshold');
	if (!('bytes' in size)) throw wrong;
	return isNegative ? -size.bytes : size.bytes;
}
