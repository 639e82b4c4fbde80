import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { writeTar } from '#environment/archive/tar-format.ts';
import type { ImportFile, ImportSource } from '#workspace/contract.ts';
import { importRepository } from '#workspace/import/import.ts';
import fc from '#test/fast-check.ts';

const encoder = new TextEncoder();

/** Files next to the workspace in the home, and in it. */
export async function home(environment: ExecutionEnvironment): Promise<Record<string, string>> {
	const found: Record<string, string> = {};
	for (const { path, kind } of await environment.listDirectory('~', 5))
		if (kind === 'file' && !path.startsWith('workspace/')) found[path] = await environment.readFile(`~/${path}`);
	return found;
}

export interface Made {
	path: string;
	mode?: number;
	text: string;
}

export const link = (path: string, text: string): Made => ({ path, mode: 0o120000, text });
export const file = (path: string): Made => ({ path, text: 'hostile' });

/** A folder drops links, so its entries are files with a mode. */
export async function* folderOf(files: readonly Made[]): AsyncGenerator<ImportFile> {
	for (const { path, mode, text } of files)
		yield { path, bytes: encoder.encode(text), ...(mode === undefined ? {} : { mode }) };
}

export function archiveOf(files: readonly Made[]): Uint8Array {
	return gzipSync(
		writeTar(
			files.map(({ path, mode, text }) => ({
				name: `repo-main/${path}`,
				kind: mode === undefined ? ('file' as const) : ('symlink' as const),
				mode: 0o644,
				modifiedMs: 0,
				target: mode === undefined ? '' : text,
				bytes: mode === undefined ? encoder.encode(text) : new Uint8Array()
			}))
		)
	);
}

export const archiveHost = (archive: Uint8Array): { fetch: typeof fetch; serverUrl: string } => ({
	serverUrl: 'http://here/',
	fetch: () => Promise.resolve(new Response(new Uint8Array(archive)))
});

export const git: ImportSource = { kind: 'git', url: 'https://git.example.org/a/b' };

/** A zip of the names only: links in it become files. */
const zipOf = (files: readonly Made[]): Uint8Array =>
	zipSync(Object.fromEntries(files.map(({ path, text }) => [path, encoder.encode(text)])));

const WAYS: readonly ((files: readonly Made[], into: ExecutionEnvironment) => Promise<unknown>)[] = [
	(files, into) => importRepository({ kind: 'folder', name: 'f', files: folderOf(files) }, into),
	(files, into) => importRepository(git, into, archiveHost(archiveOf(files))),
	(files, into) => importRepository({ kind: 'zip', name: 'z', data: zipOf(files) }, into)
];

const part = fc.constantFrom(
	'..',
	'.',
	'',
	'a',
	'b',
	'd',
	'~',
	'C:',
	'\\',
	'..\\..',
	'.git',
	'.GIT',
	'\0',
	'x/y',
	'.bashrc'
);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const target = fc.constantFrom('..', '../..', '/', '.', '~', 'a', 'd', '/home/user');
const entry = fc.oneof(
	fc.constantFrom('a', 'b', 'd', 'd/.bashrc', 'a/b', 'd/a/.bashrc').map(file),
	fc.tuple(fc.constantFrom('a', 'b', 'd', 'd/a'), target).map(([one, to]) => link(one, to)),
	path.map(file)
);

/**
 * Imports hostile trees as folder, archive or zip. Refused ones are refused as damaged; nothing is written outside the
 * project.
 *
 * @param environment has only `mine.txt` in its home
 */
export async function playHostileImports(
	environment: ExecutionEnvironment,
	{ count, seed }: { count: number; seed?: number }
): Promise<{ tried: number; refused: number }> {
	const figures = { tried: 0, refused: 0 };
	const tree = fc.array(entry, { minLength: 1, maxLength: 4 });
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...WAYS), tree, async (bring, files) => {
			await bring([file('whole.txt'), ...files], environment).catch((error: unknown) => {
				expect(error).toMatchObject({ name: 'ImportError', code: 'damaged' });
				figures.refused++;
			});
			figures.tried++;
			expect(await home(environment)).toEqual({ 'mine.txt': 'mine' });
			for (const name of await environment.listDirectory('.', 1))
				await environment.remove(`./${name.path}`, { recursive: true });
		}),
		{ numRuns: count, endOnFailure: true, ...(seed === undefined ? {} : { seed }) }
	);
	return figures;
}
