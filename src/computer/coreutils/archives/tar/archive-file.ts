import { concat } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { readWhole } from '../../input/whole-file.ts';
import type { Options } from '../../options.ts';
import { compress, decompress } from '../compression.ts';
import { type Archive, readArchive } from './entry.ts';
import { type Run, TarFailure } from './run.ts';
import { joinVolumes, type Volumes } from './volumes.ts';

/** Compression programs, by option or by suffix of the archive's name. */
const PROGRAMS: Readonly<Record<string, string>> = {
	...{ z: 'gzip', j: 'bzip2', J: 'xz', Z: 'compress', zstd: 'zstd', lzma: 'lzma', lzip: 'lzip', lzop: 'lzop' }
};
const ENDINGS: readonly (readonly [RegExp, string])[] = [
	[/\.(?:gz|tgz|taz)$/, 'gzip'],
	[/\.(?:bz2|tbz2?|tz2)$/, 'bzip2'],
	[/\.(?:xz|txz)$/, 'xz'],
	[/\.(?:zst|tzst)$/, 'zstd'],
	[/\.(?:lzma|tlz)$/, 'lzma'],
	[/\.Z$/, 'compress']
];

/** First bytes of compressed archives, used to detect the program when reading without an option. */
const MAGIC: readonly (readonly [magic: readonly number[], program: string])[] = [
	[[0x1f, 0x8b], 'gzip'],
	[[0x42, 0x5a, 0x68], 'bzip2'],
	[[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'xz'],
	[[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
	[[0x5d, 0, 0], 'lzma']
];
const programByContent = (bytes: Uint8Array): string | null =>
	MAGIC.find(([magic]) => magic.every((byte, at) => bytes[at] === byte))?.[1] ?? null;

/** Option that selects this program, as shown in tar's messages. */
function optionOf(program: string): string {
	const [name = ''] = Object.entries(PROGRAMS).find(([, named]) => named === program) ?? [];
	return name.length === 1 ? `-${name}` : `--${name}`;
}

function programOf(options: Options, name: string): string | null {
	const chosen = options.order.findLast(({ name }) => name === 'I' || (name !== null && name in PROGRAMS));
	if (chosen) return chosen.name === 'I' ? chosen.value : (PROGRAMS[chosen.name ?? ''] ?? null);
	if (!options.has('a')) return null;
	return ENDINGS.find(([ending]) => ending.test(name))?.[1] ?? null;
}

/** Runs bytes through a program of the shell. @throws TarFailure when it fails */
function through(run: Run, program: string, input: Uint8Array, options: string): Uint8Array {
	const { shell, sync } = run;
	const result = sync.run({
		argv: ['bash', '-c', `${program}${options}`],
		cwd: shell.cwd,
		env: shell.environment(),
		input
	});
	if (result.stderr.length) void shell.descriptors.get(2)?.write(result.stderr);
	if (result.code !== 0) throw new TarFailure(`Child returned status ${result.code}`);
	return result.stdout;
}

/** Reads an archive and its further volumes, uncompressed. @throws TarFailure */
export async function readArchiveBytes(run: Run): Promise<Volumes> {
	const isMulti = run.options.has('M');
	const [first = '-', ...others] = run.archives;
	const parts = [await readPart(run, first)];
	if (!isMulti) return { bytes: await expanded(run, parts[0]!, first), gaps: [] };
	for (const name of others) {
		if (name !== '-' && !run.sync.statOrNull(run.shell.path(name))) break;
		parts.push(await readPart(run, name));
	}
	return joinVolumes(parts);
}

async function readPart(run: Run, name: string): Promise<Uint8Array> {
	try {
		if (name === '-') return await run.shell.control.race(run.shell.descriptors.require(0).readAll());
		const bytes = await readWhole(run.shell, name);
		return bytes;
	} catch (error) {
		throw new TarFailure(`${name}: Cannot open: ${reason(error).replace(`${name}: `, '')}`);
	}
}

async function expanded(run: Run, bytes: Uint8Array, name: string): Promise<Uint8Array> {
	const named = programOf(run.options, '');
	const program = named ?? programByContent(bytes);
	if (named === null && program !== null && run.archives.includes('-'))
		throw new TarFailure(`Archive is compressed. Use ${optionOf(program)} option`);
	if (program === 'gzip') {
		try {
			return await decompress(bytes, 'gzip');
		} catch {
			await run.warn(`gzip: ${name === '-' ? 'stdin' : name}: not in gzip format`);
			throw new TarFailure('Child returned status 1');
		}
	}
	if (program !== null) return through(run, program, bytes, ' -d');
	return bytes;
}

/** Reads the members of the archive and reports errors in it. @throws TarFailure */
export async function readMembers(run: Run): Promise<Archive & Volumes> {
	const volumes = await readArchiveBytes(run);
	const archive = readArchive(volumes.bytes, run.options.has('i'));
	return { ...archive, ...volumes };
}

/** Reports the errors of an archive, after its members were processed. @throws TarFailure if it ends too early */
export async function sayFaults(run: Run, archive: Archive): Promise<void> {
	for (const fault of archive.faults) await run.fail(fault);
	if (archive.loneZeroBlock !== null) await run.warn(`A lone zero block at ${archive.loneZeroBlock}`);
	if (archive.isCut) throw new TarFailure('Unexpected EOF in archive');
}

/** Writes the archive, compressed if requested. @throws TarFailure */
export async function writeArchive(run: Run, bytes: Uint8Array): Promise<void> {
	const [name = '-'] = run.archives;
	const program = programOf(run.options, name);
	const result =
		program === 'gzip' ? await compress(bytes, 'gzip') : program === null ? bytes : through(run, program, bytes, '');
	await writePart(run, name, result);
}

export async function writePart(run: Run, name: string, bytes: Uint8Array): Promise<void> {
	if (name === '-') {
		await run.shell.descriptors.require(1).write(bytes);
		return;
	}
	try {
		if (name === '/dev/null') return;
		run.sync.writeFile(run.shell.path(name), bytes, { mode: 0o666 & ~run.shell.umask });
	} catch (error) {
		throw new TarFailure(`${name}: Cannot open: ${reason(error)}`);
	}
}

/** Ends an archive: two zero blocks, then padding to a whole record. */
export function ended(pieces: readonly Uint8Array[], recordBytes: number): Uint8Array {
	const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
	const whole = Math.ceil((size + 1024) / recordBytes) * recordBytes;
	return concat([...pieces, new Uint8Array(whole - size)]);
}
