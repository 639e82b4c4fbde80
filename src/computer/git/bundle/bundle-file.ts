import { concat, decode, encode } from '../bytes.ts';
import { failure, GitError } from '../errors.ts';
import { ancestors } from '../history/walk.ts';
import type { Repository } from '../repository.ts';
import type { Surroundings } from '../surroundings.ts';

/** A file with part of a history, and its prerequisites (https://git-scm.com/docs/gitformat-bundle). */
export interface Bundle {
	version: 2 | 3;
	/** Object filter that the bundle was made with. */
	filter: string | null;
	/** Commits that the receiver must have, with their subjects. */
	prerequisites: { id: string; subject: string }[];
	references: { id: string; name: string }[];
	pack: Uint8Array;
}

const SIGNATURES = { 2: '# v2 git bundle\n', 3: '# v3 git bundle\n' };
const NEWLINE = 10;

/** Returns whether there is a bundle at a path. */
export const isBundleAt = ({ files }: Pick<Surroundings, 'files'>, path: string): boolean =>
	files.statOrNull(path)?.kind === 'file' && isBundle(files.readFile(path, 0, SIGNATURES[2].length));

/** Returns whether a file begins with a bundle signature. */
const isBundle = (bytes: Uint8Array): boolean =>
	Object.values(SIGNATURES).includes(decode(bytes.subarray(0, SIGNATURES[2].length)));

/** Parses a bundle. @throws GitError if it is not a bundle, or not a supported one */
export function readBundle(bytes: Uint8Array, shown: string): Bundle {
	if (!isBundle(bytes)) throw failure(`'${shown}' does not look like a v2 or v3 bundle file`);
	const version = bytes[3] === '3'.charCodeAt(0) ? 3 : 2;
	const bundle: Bundle = { version, filter: null, prerequisites: [], references: [], pack: new Uint8Array(0) };
	for (let at = SIGNATURES[version].length; ;) {
		const end = bytes.indexOf(NEWLINE, at);
		if (end < 0) throw failure(`'${shown}' does not look like a v2 or v3 bundle file`);
		const line = decode(bytes.subarray(at, end));
		at = end + 1;
		if (line === '') return { ...bundle, pack: bytes.subarray(at) };
		readLine(bundle, line);
	}
}

function readLine(bundle: Bundle, line: string): void {
	if (bundle.version === 3 && line.startsWith('@')) {
		const [, key, value = ''] = /^@([^=]*)(?:=(.*))?$/s.exec(line) ?? [];
		if (key === 'filter') bundle.filter = value;
		else if (key === 'object-format') {
			if (value !== 'sha1') throw failure(`unrecognized bundle hash algorithm: ${value}`);
		} else throw failure(`unknown capability '${line.slice(1)}'`);
		return;
	}
	const [, mark, id, text] = /^(-?)([0-9a-f]{40})(?:\s(.*))?$/s.exec(line) ?? [];
	if (id === undefined || (mark === '' && text === undefined))
		throw failure(`unrecognized header: ${line} (${line.length})`);
	if (mark === '-') bundle.prerequisites.push({ id, subject: text ?? '' });
	else bundle.references.push({ id, name: text ?? '' });
}

export function writeBundle({ version, filter, prerequisites, references, pack }: Bundle): Uint8Array {
	const lines = [
		SIGNATURES[version],
		...(version === 3 ? ['@object-format=sha1\n'] : []),
		...(filter === null ? [] : [`@filter=${filter}\n`]),
		...prerequisites.map(({ id, subject }) => `-${id} ${subject}\n`),
		...references.map(({ id, name }) => `${id} ${name}\n`),
		'\n'
	];
	return concat([encode(lines.join('')), pack]);
}

/** @throws GitError if prerequisite commits of a bundle are not reachable from any ref */
export function requirePrerequisites(repository: Repository, { prerequisites }: Bundle): void {
	const { objects, refs } = repository;
	const isThere = ({ id }: { id: string }) => objects.find(id)?.type === 'commit';
	let missing = prerequisites.filter((one) => !isThere(one));
	if (missing.length === 0 && prerequisites.length > 0) {
		const head = repository.head();
		const tips = [...refs.list('refs/').map(({ id }) => repository.peeled(id)), ...(head === null ? [] : [head])];
		const reached = ancestors(
			repository,
			tips.filter((id) => objects.find(id)?.type === 'commit')
		);
		missing = prerequisites.filter(({ id }) => !reached.has(id));
	}
	if (missing.length === 0) return;
	const lines = missing.map(({ id }) => `error: ${id} \n`);
	throw new GitError(`error: Repository lacks these prerequisite commits:\n${lines.join('').trimEnd()} `, 1);
}
