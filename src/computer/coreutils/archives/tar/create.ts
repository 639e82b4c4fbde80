import { concat } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { UsageError } from '../../options.ts';
import { ended, readMembers, sayFaults, writeArchive, writePart } from './archive-file.ts';
import { Collector } from './collect.ts';
import { compareWith } from './compare.ts';
import { type Archive, readArchive, type StoredEntry } from './entry.ts';
import { EMPTY } from './headers.ts';
import { IncrementalDump } from './incremental.ts';
import { NameReader, type Names } from './names.ts';
import { type Run, TarFailure } from './run.ts';
import { cutIntoVolumes, labelBlocks } from './volumes.ts';

/** `-c`: creates an archive from the names. */
export async function create(run: Run): Promise<void> {
	const { options } = run;
	const names = await new NameReader(run).read(options);
	if (names.list.length === 0 && !options.has('T'))
		throw new UsageError('Cowardly refusing to create an empty archive', true);
	const collector = new Collector(run);
	if (run.archives[0] !== '-' && !run.archives[0]?.startsWith('/dev/')) await emptyArchive(run);
	if (options.has('g', 'G')) await new IncrementalDump(run, collector).dump(names.list);
	else await collect(run, collector, names);
	await write(run, collector);
	if (options.has('W'))
		for (const { entry, source } of collector.entries) {
			if (run.verbosity > 0) await run.say(`Verify ${run.shown(source.name)}`);
			await compareWith(run, entry, source.path, source.path.slice(0, -source.name.length - 1) || '/');
		}
	await removeArchived(run, collector);
}

/**
 * Creates the archive as an empty file before files are read, so that it can be excluded by its identity, not its name.
 */
async function emptyArchive(run: Run): Promise<void> {
	await writePart(run, run.archives[0] ?? '-', new Uint8Array());
}

async function collect(run: Run, collector: Collector, names: Names): Promise<void> {
	for (const { text, directory, recursion } of sortedNames(run, names)) {
		if (run.exclusions.isExcluded(text)) continue;
		const path = text.startsWith('/') ? text : `${directory}/${text}`;
		await collector.add(path.replace(/(?<=.)\/+$/, '').replace(/\/\.$/, '') || '/', text, recursion);
	}
}

const sortedNames = (run: Run, { list }: Names) =>
	run.options.get('sort') === 'name' ? [...list].sort((a, b) => (a.text < b.text ? -1 : 1)) : list;

async function write(run: Run, { pieces }: Collector): Promise<void> {
	const label = run.options.get('V') ?? null;
	if (run.options.has('M')) {
		const first = label === null ? [] : [labelPiece(run, `${label} Volume 1`)];
		const volumes = cutIntoVolumes(run, [...first, ...pieces], label);
		for (const [index, bytes] of volumes.entries()) {
			const name = run.archives[index];
			if (name === undefined) throw new TarFailure('EOF where user reply was expected');
			await writePart(run, name, bytes);
		}
		return;
	}
	const first = label === null ? [] : [labelBlocks(run, label)];
	const bytes = ended([...first, ...pieces.map((piece) => piece.bytes)], run.recordBytes);
	await writeArchive(run, bytes);
	await sayTotals(run, bytes.length, 'written');
}

const labelPiece = (run: Run, label: string) => ({
	bytes: labelBlocks(run, label),
	entry: { ...EMPTY, name: label, type: 'V' },
	isContent: false
});

/** Prints the line of `--totals`. */
export async function sayTotals(run: Run, bytes: number, what: 'written' | 'read'): Promise<void> {
	if (!run.options.has('totals')) return;
	const units = ['B', 'KiB', 'MiB', 'GiB'];
	const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
	const size = bytes / 1024 ** power;
	const shown = size < 10 && power > 0 ? (Math.ceil(size * 10) / 10).toFixed(1) : String(Math.ceil(size));
	const text = `Total bytes ${what}: ${bytes} (${shown}${units[power]}, ${shown}${units[power]}/s)\n`;
	await run.shell.descriptors.get(2)?.write(new TextEncoder().encode(text));
}

/** Deletes what was archived; directories only once they are empty. */
async function removeArchived(run: Run, { archived }: Collector): Promise<void> {
	if (!run.options.has('remove-files') || run.status === 2) return;
	for (const { path, name, stat } of [...archived].reverse()) {
		try {
			if (stat.kind === 'directory') run.sync.rmdir(run.sync.realpath(path));
			else if (run.sync.statOrNull(path) || stat.kind === 'symlink') run.sync.unlink(path);
		} catch (error) {
			await run.fail(`${run.shown(name)}: Cannot ${stat.kind === 'directory' ? 'rmdir' : 'unlink'}: ${reason(error)}`);
		}
	}
}

/** `-r`: adds members at the end of an archive; `-u`: only files newer than their member or without one. */
export async function append(run: Run): Promise<void> {
	const names = await new NameReader(run).read(run.options);
	if (names.list.length === 0 && !run.options.has('T') && run.mode === 'r')
		throw new UsageError('Cowardly refusing to create an empty archive', true);
	const name = run.archives[0] ?? '-';
	const isThere = name === '-' || run.sync.statOrNull(run.shell.path(name)) !== null;
	const old = isThere ? await readMembers(run) : null;
	if (old) await sayFaults(run, old);
	if (old && run.status === 2) throw new TarFailure('This does not look like a tar archive');
	const collector = run.mode === 'u' ? new UpdateCollector(run, old) : new Collector(run);
	if (run.options.has('g', 'G')) await new IncrementalDump(run, collector).dump(names.list);
	else await collect(run, collector, names);
	await writeBehind(
		run,
		old,
		collector.pieces.map(({ bytes }) => bytes)
	);
	await removeArchived(run, collector);
}

async function writeBehind(
	run: Run,
	old: (Archive & { bytes: Uint8Array }) | null,
	pieces: Uint8Array[]
): Promise<void> {
	const before = old ? [old.bytes.subarray(0, old.end)] : [];
	await writePart(run, run.archives[0] ?? '-', ended([...before, ...pieces], run.recordBytes));
}

/** Skips files whose current state is already in the archive. */
class UpdateCollector extends Collector {
	readonly #times = new Map<string, number>();

	constructor(run: Run, old: Archive | null) {
		super(run);
		for (const { name, modifiedMs } of old?.entries ?? []) this.#times.set(name.replace(/\/+$/, ''), modifiedMs);
	}

	override async find(path: string, name: string) {
		const source = await super.find(path, name);
		const time = this.#times.get(name.replace(/^\/+/, '').replace(/\/+$/, ''));
		if (!source || source.stat.kind === 'directory' || time === undefined) return source;
		return Math.floor(source.stat.modifiedMs / 1000) > Math.floor(time / 1000) ? source : null;
	}

	override async addDirectory(...[source, listing]: Parameters<Collector['addDirectory']>): Promise<void> {
		const time = this.#times.get(source.name.replace(/^\/+/, '').replace(/\/+$/, ''));
		if (time === undefined) await super.addDirectory(source, listing);
	}
}

/** `-A`: adds the members of other archives. */
export async function concatenate(run: Run): Promise<void> {
	const names = await new NameReader(run).read(run.options);
	const old = await readMembers(run);
	await sayFaults(run, old);
	const pieces: Uint8Array[] = [];
	for (const { text, directory } of names.list) {
		const path = text.startsWith('/') ? text : `${directory}/${text}`;
		if (!run.sync.statOrNull(path)) {
			await run.fail(`${text}: Cannot open: No such file or directory`);
			continue;
		}
		const added = run.sync.readFile(path);
		const other = readArchive(added);
		for (const fault of other.faults) await run.fail(fault);
		if (run.verbosity > 0) for (const { name } of other.entries) await run.say(run.shown(name));
		pieces.push(added.subarray(0, other.end));
	}
	await writeBehind(run, old, pieces);
}

/** `--delete`: removes members from an archive. */
export async function deleteMembers(run: Run): Promise<void> {
	const names = await new NameReader(run).read(run.options);
	const archive = await readMembers(run);
	const isWanted = ({ name }: StoredEntry) => {
		const found = names.list.find((one) => one.matches(name));
		if (found) found.isFound = true;
		return found !== undefined;
	};
	const kept = archive.entries.filter((entry) => !isWanted(entry));
	const bytes = concat(kept.map(({ start, end }) => archive.bytes.subarray(start, end)));
	await writePart(run, run.archives[0] ?? '-', ended([bytes], run.recordBytes));
	await sayFaults(run, archive);
	for (const { text, isFound } of names.list) if (!isFound) await run.fail(`${run.shown(text)}: Not found in archive`);
}
