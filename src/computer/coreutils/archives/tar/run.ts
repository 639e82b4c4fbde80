import { encode } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError } from '../../options.ts';
import { quoted } from '../../quoting.ts';
import { readDate } from '../../time/read-date.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { type Exclusions, exclusionsOf } from './exclusions.ts';
import { type Format, formatOf, type Mode, modeOf, sizeOf, transformationsOf } from './settings.ts';
import type { NameKind, Transformation } from './transform.ts';

/** tar cannot continue; it prints a second line that says so. */
export class TarFailure extends Error {}

const RECORD_BLOCKS = 20;
const BLOCK = 512;

/** One run of tar: its options, its output, and the exit status so far. */
export class Run {
	readonly mode: Mode;
	readonly format: Format;
	readonly exclusions: Exclusions;
	readonly archives: string[];
	/** Record size: bytes written at once; an archive is padded to a multiple of it. */
	readonly recordBytes: number;
	readonly verbosity: number;
	readonly keepsAbsolute: boolean;
	status = 0;
	readonly #transformations: Transformation[];
	readonly #strip: number;
	readonly #top: string | null;

	constructor(
		readonly call: Call,
		readonly options: Options
	) {
		this.mode = modeOf(options);
		this.format = formatOf(options);
		this.exclusions = exclusionsOf(call, options);
		this.archives = options.all('f').length ? options.all('f') : ['-'];
		const blocks = options.get('b');
		const record = options.get('record-size');
		this.recordBytes =
			record !== undefined
				? sizeOf(record, 1, 'record size')
				: sizeOf(blocks ?? String(RECORD_BLOCKS), BLOCK, 'blocking factor');
		this.verbosity = options.given.filter(({ name }) => name === 'v').length;
		this.keepsAbsolute = options.has('P');
		this.#transformations = transformationsOf(options);
		this.#strip = options.number('strip-components', 0);
		this.#top = options.has('one-top-level') ? options.get('one-top-level') || topOf(this.archives[0] ?? '-') : null;
		if (this.#top !== null && this.keepsAbsolute)
			throw new UsageError('--one-top-level cannot be used with --absolute-names', true);
		if (options.has('A', 'r', 'u', 'delete') && options.has('z', 'j', 'J', 'Z', 'I', 'zstd', 'lzma', 'lzip', 'lzop'))
			throw new UsageError('Cannot update compressed archives', true);
	}

	get shell() {
		return this.call.shell;
	}

	get sync() {
		return this.call.shell.host.context.sync;
	}

	/** Quotes a name as GNU does. */
	shown(name: string): string {
		return /[\\\x00-\x1f\x7f]|[\u{dc80}-\u{dcff}]/u.test(name) ? quoted(name, 'escape').replaceAll('\\ ', ' ') : name;
	}

	/** Reports an error; the exit status becomes 2. */
	async fail(text: string): Promise<void> {
		this.status = 2;
		await this.call.complain(text);
	}

	/** Prints a warning, which does not change the exit status. */
	async warn(text: string): Promise<void> {
		await this.call.complain(text);
	}

	/** Records a difference: the status becomes 1, unless an error follows. */
	differs(): void {
		if (this.status === 0) this.status = 1;
	}

	/**
	 * Prints a line of a listing: to stdout, to stderr if the archive goes to stdout, or to the file of `--index-file`.
	 */
	async say(line: string): Promise<void> {
		const index = this.options.get('index-file');
		const bytes = encode(`${line}\n`);
		if (index !== undefined) {
			this.sync.appendFile(this.shell.path(index), bytes, 0o666 & ~this.shell.umask);
			return;
		}
		const isPiped = this.archives.includes('-') && ['c', 'A', 'r', 'u', 'delete'].includes(this.mode);
		const isContent = this.options.has('O', 'to-command');
		await this.shell.descriptors.get(isPiped || isContent ? 2 : 1)?.write(bytes);
	}

	/** Name of a member after `--transform`, `--strip-components` and `--one-top-level`; null if nothing is left. */
	transformed(name: string, kind: NameKind = 'regular'): string | null {
		let result = name;
		for (const one of this.#transformations) if (one.kinds.has(kind)) result = one.apply(result);
		if (kind === 'symlink') return result;
		if (this.#strip > 0) {
			const parts = result.replace(/^\/+/, '').split(/\/+/);
			const isDirectory = result.endsWith('/');
			if (isDirectory) parts.pop();
			const rest = parts.slice(this.#strip);
			if (rest.length === 0) return null;
			result = rest.join('/') + (isDirectory ? '/' : '');
		}
		return this.#top === null ? result : below(this.#top, result);
	}

	/** Name shown in listings: the stored one, unless requested otherwise. */
	listed(stored: string, transformed: string): string {
		return this.shown(this.options.has('show-transformed-names') ? transformed : stored);
	}

	/** Parses a time given by an option: a date, or a file whose time is used. @throws UsageError */
	moment(text: string, directory = this.shell.cwd): number {
		if (/^[./]/.test(text)) {
			try {
				return this.sync.stat(text.startsWith('/') ? text : `${directory}/${text}`).modifiedMs;
			} catch (error) {
				throw new UsageError(`${text}: Cannot stat: ${reason(error)}`);
			}
		}
		const ms = readDate(text, Date.now(), zoneOf(this.shell.variables.exported('TZ')));
		if (ms === null) throw new UsageError(`${text}: Invalid date`);
		return ms;
	}

	/** Opens a file as a redirection of the shell would, including devices. */
	open(name: string, operator: '<' | '>') {
		return open(this.shell, name, operator);
	}
}

/** Directory name that `--one-top-level` derives from the archive's name. */
function topOf(archive: string): string {
	const name = archive.replace(/^.*\//, '');
	const [, stem] = /^(.+?)\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|taz|tlz|tzst)$/.exec(name) ?? [];
	if (stem === undefined)
		throw new UsageError(
			'Cannot deduce top-level directory name; please set it explicitly with --one-top-level=DIR',
			true
		);
	return stem;
}

function below(top: string, name: string): string {
	const plain = name.replace(/^(?:\.?\/)+/, '');
	if (plain.replace(/\/+$/, '') === top || plain.startsWith(`${top}/`)) return plain;
	return /^\.?$/.test(plain) ? `${top}/` : `${top}/${plain}`;
}
