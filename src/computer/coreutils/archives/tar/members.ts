import { strftime } from '../../time/strftime.ts';
import { UTC, zoneOf } from '#computer/local-time/zone.ts';
import { modeText } from '../../files/modes.ts';
import { readMembers, sayFaults } from './archive-file.ts';
import { compareWith } from './compare.ts';
import { sayTotals } from './create.ts';
import type { StoredEntry } from './entry.ts';
import { Extraction } from './extract.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import { NameReader, type Name, type Names } from './names.ts';
import { type Run, TarFailure } from './run.ts';
import type { Volumes } from './volumes.ts';

const BLOCK = 512;

/** `-t`, `-x` and `-d`: processes the members of an archive. */
export async function readThrough(run: Run): Promise<void> {
	const names = await new NameReader(run).read(run.options);
	const archive = await readMembers(run);
	await checkLabel(run, archive.entries);
	const extraction = run.mode === 'x' ? new Extraction(run) : null;
	const counts = new Map<Name, number>();
	const list = new Listing(run, archive);
	let isStarted = run.options.get('K') === undefined;
	for (const entry of archive.entries) {
		isStarted ||= entry.name === run.options.get('K');
		if (!isStarted) continue;
		const place = wanted(run, entry, names, counts);
		if (!place) continue;
		if (archive.isCut && entry === archive.entries.at(-1) && entry.type === '0') {
			if (run.mode === 't') await list.show(entry, entry.name);
			continue;
		}
		if (run.mode === 't') {
			const transformed = run.transformed(entry.name);
			if (transformed !== null) await list.show(entry, transformed);
		} else if (entry.type === 'V' || entry.type === 'M') continue;
		else if (run.mode === 'd') {
			if (run.verbosity > 0) await list.show(entry, entry.name);
			await compareWith(run, entry, `${place}/${run.transformed(entry.name) ?? entry.name}`, place);
		} else await extraction?.extract(entry, place, (transformed) => list.show(entry, transformed));
	}
	await extraction?.finish();
	if (run.options.has('R') && run.mode === 't') await list.end(archive.end);
	if (archive.entries.length === 0 && archive.isCut === false && archive.bytes.length === 0 && run.archives[0] !== '-')
		await run.fail('This does not look like a tar archive');
	await sayFaults(run, archive);
	await sayTotals(run, archive.bytes.length, 'read');
	for (const { text, isFound } of names.list) if (!isFound) await run.fail(`${run.shown(text)}: Not found in archive`);
}

/** Returns the target directory of a selected member, or null if the member is not selected. */
function wanted(run: Run, entry: StoredEntry, names: Names, counts: Map<Name, number>): string | null {
	if (entry.type === 'V') return names.list.length ? null : names.directory;
	const name = names.list.find((one) => one.matches(entry.name));
	if (run.exclusions.isExcluded(entry.name)) {
		if (name) name.isFound = true;
		return null;
	}
	const since = run.options.get('N') ?? run.options.get('newer-mtime');
	if (since !== undefined && entry.type === '0' && entry.modifiedMs < run.moment(since)) return null;
	if (names.list.length === 0) return run.options.has('T') ? null : names.directory;
	if (!name) return null;
	name.isFound = true;
	const occurrence = run.options.has('occurrence') ? Number(run.options.get('occurrence') || 1) : null;
	const count = (counts.get(name) ?? 0) + 1;
	counts.set(name, count);
	return occurrence === null || count === occurrence ? name.directory : null;
}

/** `-V` while reading: checks that the archive has this label. */
async function checkLabel(run: Run, entries: readonly StoredEntry[]): Promise<void> {
	const label = run.options.get('V');
	if (label === undefined) return;
	const found = entries[0]?.type === 'V' ? entries[0].name : null;
	if (found === null) throw new TarFailure(`Archive not labeled to match '${label}'`);
	const plain = run.options.has('M') ? found.replace(/ Volume \d+$/, '') : found;
	if (!globRegExp(label).test(plain)) throw new TarFailure(`Volume '${found}' does not match '${label}'`);
}

/** `--test-label`: prints the label of an archive, or checks whether it is one of the names. */
export async function testLabel(run: Run): Promise<void> {
	const archive = await readMembers(run);
	const [first] = archive.entries;
	const label = first?.type === 'V' ? first.name : null;
	const { operands } = run.options;
	if (run.verbosity > 0 || operands.length === 0) if (label !== null) await run.say(run.shown(label));
	if (operands.length && !operands.some((one) => one === label)) run.differs();
}

/** Lines that describe members; the columns grow with their contents. */
class Listing {
	#width = 19;

	constructor(
		private readonly run: Run,
		private readonly volumes: Volumes
	) {}

	async show(entry: StoredEntry, transformed: string): Promise<void> {
		const { run } = this;
		const level = run.verbosity + (run.mode === 't' ? 1 : 0);
		if (level === 0) return;
		const name = run.listed(entry.name, transformed);
		const block = run.options.has('R') ? `block ${this.#block(entry.headerAt)}: ` : '';
		await run.say(block + (level < 2 ? name : this.#long(entry, name)));
	}

	async end(at: number): Promise<void> {
		await this.run.say(`block ${this.#block(at)}: ** Block of NULs **`);
	}

	#block(at: number): number {
		const skipped = this.volumes.gaps.reduce((sum, gap) => sum + (gap.at <= at ? gap.size : 0), 0);
		return (at + skipped) / BLOCK;
	}

	#long(entry: StoredEntry, name: string): string {
		const { options, shell } = this.run;
		const isNumeric = options.has('numeric-owner');
		const user = (!isNumeric && entry.user) || String(entry.userId);
		const group = (!isNumeric && entry.group) || String(entry.groupId);
		const size = String(entry.content.length);
		this.#width = Math.max(this.#width, user.length + group.length + size.length + 2);
		const sizeWidth = this.#width - user.length - group.length - 2;
		const zone = options.has('utc') ? UTC : zoneOf(shell.variables.exported('TZ'));
		const time = strftime(options.has('full-time') ? '%Y-%m-%d %H:%M:%S' : '%Y-%m-%d %H:%M', entry.modifiedMs, zone);
		return `${typeLetter(entry)}${modeText({ kind: 'file', mode: entry.mode }).slice(1)} ${user}/${group} ${size.padStart(sizeWidth)} ${time} ${name}${this.#suffix(entry)}`;
	}

	#suffix({ type, target }: StoredEntry): string {
		if (type === '2') return ` -> ${this.run.shown(target)}`;
		if (type === '1') return ` link to ${this.run.shown(target)}`;
		return type === 'V' ? '--Volume Header--' : '';
	}
}

const TYPE_LETTERS: Record<string, string> = {
	'1': 'h',
	'2': 'l',
	'3': 'c',
	'4': 'b',
	'5': 'd',
	'6': 'p',
	D: 'd',
	V: 'V',
	M: 'M'
};

const typeLetter = ({ type }: StoredEntry): string => TYPE_LETTERS[type] ?? '-';
