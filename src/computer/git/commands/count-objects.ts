import { GitError } from '../errors.ts';
import { humanBytes } from '../human-size.ts';
import type { Command, Invocation } from '../invocation.ts';
import type { ObjectStore } from '../objects/store.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';

const USAGE = 'count-objects [-v] [-H | --human-readable]';
/** Files occupy whole blocks on disk. */
const BLOCK_BYTES = 4096;
const PACK_PART = /^(.*)\.(?:pack|idx|rev|bitmap|mtimes|keep|promisor)$/;

/** `git count-objects`: prints the number of loose objects and their disk usage. */
export const countObjects: Command = (git, args) => {
	const options = parseOptions(USAGE, args, { verbose: '-v --verbose !', human: '-H --human-readable !' });
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const { objects, files } = git.repository;
	const loose = objects.looseIds();
	const onDisk = (path: string) => Math.ceil(files.stat(path).size / BLOCK_BYTES) * BLOCK_BYTES;
	const size = loose.reduce((sum, id) => sum + onDisk(objects.loosePath(id)), 0);
	const shown = (bytes: number) => (options.has('human') ? humanBytes(bytes) : String(Math.floor(bytes / 1024)));
	if (!options.has('verbose')) {
		git.out(`${loose.length} objects, ${shown(size)}${options.has('human') ? '' : ' kilobytes'}\n`);
		return 0;
	}
	const { packs } = objects;
	const packed = packs.reduce((sum, { index }) => sum + index.count, 0);
	const packSize = packs.reduce(
		(sum, { path }) => sum + files.stat(path).size + files.stat(path.replace(/pack$/, 'idx')).size,
		0
	);
	const twice = loose.filter((id) => packs.some(({ index }) => index.offsetOf(id) !== null)).length;
	const garbage = findGarbage(git);
	for (const { path, why } of garbage) git.err(`warning: ${why}: ${path}\n`);
	const garbageSize = garbage.reduce((sum, { path }) => sum + onDisk(path), 0);
	git.out(
		`count: ${loose.length}\nsize: ${shown(size)}\nin-pack: ${packed}\npacks: ${packs.length}\n` +
			`size-pack: ${shown(packSize)}\nprune-packable: ${twice}\n` +
			`garbage: ${garbage.length}\nsize-garbage: ${shown(garbageSize)}\n` +
			borrowedFrom(objects)
				.map((directory) => `alternate: ${quotePath(directory)}\n`)
				.join('')
	);
	return 0;
};

/** Directories that a store borrows objects from, each before those that it borrows from itself. */
const borrowedFrom = ({ alternates }: Pick<ObjectStore, 'alternates'>): string[] =>
	alternates.flatMap((other) => [other.directory, ...borrowedFrom(other)]);

interface Garbage {
	path: string;
	why: string;
}

/** Files in the object directory that are not objects, and incomplete packs. */
function findGarbage(git: Invocation): Garbage[] {
	const { objects, files } = git.repository;
	const found: Garbage[] = [];
	const add = (path: string, why: string) =>
		found.push({ path: path.startsWith(`${git.cwd}/`) ? path.slice(git.cwd.length + 1) : path, why });
	for (const { name, kind } of files.readdir(objects.directory)) {
		if (kind !== 'directory' || !/^[0-9a-f]{2}$/.test(name)) continue;
		for (const one of files.readdir(`${objects.directory}/${name}`))
			if (!/^[0-9a-f]{38}$/.test(one.name)) add(`${objects.directory}/${name}/${one.name}`, 'garbage found');
	}
	const place = `${objects.directory}/pack`;
	const names = files.statOrNull(place) ? files.readdir(place).map(({ name }) => name) : [];
	for (const name of names.sort()) {
		if (name === 'multi-pack-index') continue;
		const base = PACK_PART.exec(name)?.[1];
		if (base === undefined) add(`${place}/${name}`, 'garbage found');
		else if (!names.includes(`${base}.idx`) && !names.includes(`${base}.pack`))
			add(`${place}/${name}`, 'no corresponding .idx or .pack');
		else if (!names.includes(`${base}.idx`)) add(`${place}/${name}`, 'no corresponding .idx');
		else if (!names.includes(`${base}.pack`)) add(`${place}/${name}`, 'no corresponding .pack');
	}
	return found;
}
