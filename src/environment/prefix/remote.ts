import { posix } from 'node:path';
import { EnvironmentError } from '../errors.ts';
import type { PathRules } from '../local/paths.ts';
import { toEnvironmentError } from '../node-errors.ts';
import { shellWord } from '../shell-word.ts';
import { invalidAnswer } from './answers.ts';
import { collected, type Answer, type AnswerLimits } from './collected.ts';
import type { Prefix } from './prefix.ts';
import { OPENING, scriptOf, type Operation } from './scripts.ts';

/** Concurrent operations: an SSH server lets ten sessions share a connection, and commands need some of them. */
const AT_ONCE = 6;

/** Limit for one answer, in bytes. A listing takes several times as much memory once parsed. */
export const CONTENT_BYTES = 256 * 1024 * 1024;
const LISTING_BYTES = 32 * 1024 * 1024;
const CONTENTS: ReadonlySet<Operation> = new Set(['read', 'pack']);

/** Messages of the remote tools with their codes, in English because the scripts set the locale. */
const SAYINGS: readonly [string, string][] = [
	['Permission denied', 'EACCES'],
	['Operation not permitted', 'EPERM'],
	['Read-only file system', 'EACCES'],
	['No space left', 'ENOSPC'],
	['quota exceeded', 'ENOSPC'],
	['Not a directory', 'ENOTDIR'],
	['Is a directory', 'EISDIR'],
	['File exists', 'ENOTDIR'],
	['Directory not empty', 'ENOTEMPTY'],
	['File too large', 'EFBIG'],
	['File name too long', 'ENAMETOOLONG'],
	['subdirectory of itself', 'EINVAL'],
	['Too many levels of symbolic links', 'ELOOP'],
	['No such file', 'ENOENT']
];

/** Facts collected at the start. */
export interface Opening {
	rules: PathRules;
	system: string;
	release: string;
	hasBash: boolean;
	hasRipgrep: boolean;
	/** Set if a command can have its own process group. */
	hasGroups: boolean;
	variables: Record<string, string>;
}

export interface OpeningOptions {
	workingDirectory: string;
	home?: string | undefined;
	roots?: readonly string[] | undefined;
	closed?: readonly string[] | undefined;
}

/** Inspects the other side and creates the working directory. @throws EnvironmentError `EUNAVAILABLE` */
export async function lookAround(prefix: Prefix, options: OpeningOptions): Promise<Opening> {
	const { bytes, stderr, code } = await collected(prefix.run(OPENING, [options.workingDirectory, options.home ?? '']), {
		beginning: prefix.beginning
	});
	const [workingDirectory, home, temporary, system, release, bash, ripgrep, groups, ...variables] = bytes
		.toString()
		.split('\0');
	if (code !== 0 || !workingDirectory || !home || !temporary || groups === undefined)
		throw new EnvironmentError('EUNAVAILABLE', `The directory cannot be used: ${stderr.trim() || `code ${code}`}`);
	for (const place of [workingDirectory, home, temporary])
		if (!isPlainPath(place)) throw invalidAnswer(`a directory named ${JSON.stringify(place.slice(0, 100))}`);
	return {
		rules: {
			workingDirectory,
			home,
			roots: [...(options.roots ?? [workingDirectory, home, temporary, '/tmp'])],
			closed: [...(options.closed ?? [])]
		},
		system: (system ?? '').slice(0, MAX_NAME),
		release: (release ?? '').slice(0, MAX_NAME),
		hasBash: bash === 'yes',
		hasRipgrep: ripgrep === 'yes',
		hasGroups: groups === 'yes',
		variables: Object.fromEntries(
			variables
				.filter((pair) => pair.includes('='))
				.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
		)
	};
}

/** Limit for the names of operating systems. */
const MAX_NAME = 100;

/** Checks that a path is absolute, normalized and has no line break. */
const isPlainPath = (place: string): boolean =>
	place.length <= 4_096 && !place.includes('\n') && posix.resolve(place) === place;

/** Runs the scripts of file operations behind a prefix. */
export class Remote {
	readonly #settings: string;
	#running = 0;
	readonly #waiting: (() => void)[] = [];

	constructor(
		readonly prefix: Prefix,
		readonly rules: PathRules,
		private readonly limits: Partial<AnswerLimits> = {}
	) {
		const lines = (paths: readonly string[]): string => shellWord(paths.join('\n'));
		this.#settings = `wd=${shellWord(rules.workingDirectory)} roots=${lines(rules.roots)} closed=${lines(rules.closed)}`;
	}

	/**
	 * Returns the output of an operation.
	 *
	 * @param path path for errors, as the caller gave it
	 * @throws EnvironmentError
	 */
	async ask(
		operation: Operation,
		args: readonly string[],
		{ path, stdin }: { path?: string | undefined; stdin?: string | Uint8Array } = {}
	): Promise<Buffer> {
		const release = await this.#turn();
		try {
			const answer = await collected(this.prefix.run(scriptOf(operation, this.#settings), args), {
				stdin,
				beginning: this.prefix.beginning,
				limits: { bytes: limitOf(operation), ...this.limits }
			});
			if (answer.exceeded !== undefined) throw exceededError(answer.exceeded, operation, path);
			if (answer.code !== 0) throw errorFrom(answer, path);
			return answer.bytes;
		} finally {
			release();
		}
	}

	async #turn(): Promise<() => void> {
		if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
		else this.#running++;
		return () => {
			const next = this.#waiting.shift();
			if (next) next();
			else this.#running--;
		};
	}
}

const limitOf = (operation: Operation): number => (CONTENTS.has(operation) ? CONTENT_BYTES : LISTING_BYTES);

function exceededError(limit: 'bytes' | 'time', operation: Operation, path: string | undefined): EnvironmentError {
	if (limit === 'time')
		return new EnvironmentError(
			'EUNAVAILABLE',
			'The machine does not answer. Bring the session back to the tab, or move it to a new machine.',
			path
		);
	if (CONTENTS.has(operation)) return tooLarge(path);
	return new EnvironmentError(
		'EFBIG',
		`The machine lists more than ${LISTING_BYTES / 2 ** 20} MB of names. Remove files that are not needed, or bring the session back to the tab.`,
		path
	);
}

/** Error for one or several requested files that exceed {@link CONTENT_BYTES}. */
export function tooLarge(path: string | undefined): EnvironmentError {
	const size = `${CONTENT_BYTES / 2 ** 20} MB`;
	return new EnvironmentError(
		'EFBIG',
		`${path ?? 'A file of the machine'} is larger than ${size}, which is as much as is read at once. Remove it, or move it out of the working directory.`,
		path
	);
}

function errorFrom({ stderr, code }: Answer, path: string | undefined): EnvironmentError {
	const marker = /^sandglass ([A-Z]+)$/m.exec(stderr)?.[1];
	if (marker === 'OUTSIDE') return new EnvironmentError('EACCES', `This path is outside the workspace: ${path}`, path);
	const known = marker ?? (code === 98 ? SAYINGS.find(([saying]) => stderr.includes(saying))?.[1] : undefined);
	if (known !== undefined && known !== 'EIO')
		return toEnvironmentError(Object.assign(new Error(), { code: known }), path);
	return new EnvironmentError(
		'EIO',
		`The command prefix failed with code ${code}: ${stderr.trim().slice(0, 2_000)}`,
		path
	);
}
