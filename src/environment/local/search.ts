import { spawn } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GrepOptions } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import type { ExecProcess } from '../prefix/exec-channel.ts';
import { globFiles } from '../search/glob-files.ts';
import { grepFiles } from '../search/grep-files.ts';
import { filesBelow } from './search-tree.ts';

export interface SearchPlace {
	workingDirectory: string;
	/** Real path to search. */
	target: string;
	/** Path as printed in the output. */
	shown: string;
	/** The program, or `null` to search without it. */
	ripgrep: string | null;
}

/** Searches with ripgrep, or with the built-in search if it is missing. */
export async function grep(pattern: string, place: SearchPlace, options: GrepOptions): Promise<string> {
	const { ripgrep: program } = place;
	if (program === null) return grepHere(pattern, place, options);
	const launch = (args: string[]) => spawn(program, args, { cwd: place.workingDirectory, stdio: 'pipe' });
	return (await ripgrep(launch, pattern, place.shown, options)) ?? grepHere(pattern, place, options);
}

/**
 * Runs ripgrep.
 *
 * @param launch starts the program with these arguments
 * @param beginning text that precedes the program's own in both outputs; default: none
 * @returns `undefined` if the program could not be started
 */
export async function ripgrep(
	launch: (args: string[]) => ExecProcess,
	pattern: string,
	shown: string,
	options: GrepOptions,
	beginning?: string
): Promise<string | undefined> {
	const { signal, maxLines } = options;
	const child = launch([...ripgrepArguments(options), '-e', pattern, '--', shown]);
	child.stdin.on('error', () => undefined).end();
	const stop = (): void => void child.kill('SIGKILL');
	signal?.addEventListener('abort', stop, { once: true });
	let stdout = '';
	let stderr = '';
	let lines = 0;
	let full = false;
	let before = beginning === undefined ? undefined : '';
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
		if (full) return;
		let data = chunk;
		if (before !== undefined && beginning !== undefined) {
			before += chunk;
			if (!before.includes(beginning)) return;
			data = before.slice(before.indexOf(beginning) + beginning.length);
			before = undefined;
		}
		stdout += data;
		if (maxLines === undefined) return;
		lines += data.split('\n').length - 1;
		if (lines >= maxLines) {
			full = true;
			stop();
		}
	});
	child.stderr.setEncoding('utf8').on('data', (data: string) => (stderr += data));
	const code = await new Promise<number | undefined>((resolve) => {
		child.once('error', () => resolve(undefined));
		child.once('close', (status) => resolve(status ?? 0));
	});
	signal?.removeEventListener('abort', stop);
	if (code === undefined) return undefined;
	if (beginning !== undefined) stderr = stderr.split(beginning).pop() ?? '';
	if (code === 2 && stdout === '' && stderr !== '')
		throw new EnvironmentError('EINVAL', `The search could not be run: ${stderr.trim()}`);
	return full && maxLines !== undefined ? `${stdout.split('\n').slice(0, maxLines).join('\n')}\n` : stdout;
}

function ripgrepArguments(options: GrepOptions): string[] {
	const args = ['--no-config', '--color=never', '--no-heading', '--hidden', '--no-require-git', '--sort=path'];
	if (options.caseInsensitive) args.push('--ignore-case');
	if (options.literal) args.push('--fixed-strings');
	if (options.multiline) args.push('--multiline', '--multiline-dotall');
	// The last matching glob takes precedence: git's own files are excluded whatever the others specify.
	for (const glob of [...(options.globs ?? []), '!.git']) args.push(`--glob=${glob}`);
	if (options.type !== undefined) args.push(`--type=${options.type}`);
	if (options.output === 'files') args.push('--files-with-matches');
	else if (options.output === 'count') args.push('--count', '--with-filename');
	else {
		args.push('--with-filename', options.lineNumbers === false ? '--no-line-number' : '--line-number');
		if (options.onlyMatching) args.push('--only-matching');
		if (options.before) args.push(`--before-context=${options.before}`);
		if (options.after) args.push(`--after-context=${options.after}`);
	}
	return args;
}

async function grepHere(pattern: string, place: SearchPlace, options: GrepOptions): Promise<string> {
	const isFile = (await lstat(place.target)).isFile();
	const target = {
		shown: place.shown,
		files: isFile ? null : filesBelow(place.workingDirectory, place.target),
		read: (path: string) => readFile(join(place.target, path)).catch(() => undefined)
	};
	return grepFiles(pattern, target, options);
}

/** Files below a directory whose path relative to it matches, newest first. */
export async function glob(pattern: string, root: string, start: string): Promise<string[]> {
	const modifiedMs = async (path: string): Promise<number | undefined> =>
		(await lstat(join(start, path)).catch(() => undefined))?.mtimeMs;
	const found = await globFiles(pattern, filesBelow(root, start), modifiedMs);
	return found.map((path) => join(start, path));
}
