import type { ProcessContext } from '#computer/process/program.ts';
import { HOME } from '#computer/abi/paths.ts';
import { inside } from './manifest.ts';

/**
 * Values of a key in npm's configuration, highest precedence first: the command line (`--key=value`, `--key`,
 * `--no-key`), the environment (`npm_config_key`), `.npmrc` of the project and of the user.
 * @param key as in `.npmrc`: `legacy-peer-deps`
 */
export function configuredValues(context: ProcessContext, project: string, flags: string[], key: string): string[] {
	const values = [
		...flags.flatMap((word) => fromFlag(word, key)),
		context.env[`npm_config_${key.replaceAll('-', '_')}`],
		fromFile(inside(project, '.npmrc')),
		fromFile(userFile(context))
	];
	return values.filter((value) => value !== undefined);

	function fromFile(file: string): string | undefined {
		const lines = linesOf(context, file).filter((line) => keyOf(line) === key);
		return lines.map((line) => /=\s*["']?([^\s"']+)/.exec(line)?.[1]).find((value) => value !== undefined);
	}
}

/** Lines of a configuration file; none if it does not exist. */
export function linesOf({ sync }: Pick<ProcessContext, 'sync'>, file: string): string[] {
	if (sync.statOrNull(file)?.kind !== 'file') return [];
	const text = new TextDecoder().decode(sync.readFile(file));
	return text.replace(/\n$/, '').split('\n');
}

/** Key set by a line of a configuration file; null for comments and empty lines. */
export const keyOf = (line: string): string | null => /^\s*([^\s;#=][^=]*?)\s*(?:=|$)/.exec(line)?.[1] ?? null;

/** Path of the user's configuration file. */
export const userFile = ({ env }: Pick<ProcessContext, 'env'>): string => inside(env['HOME'] ?? HOME, '.npmrc');

function fromFlag(word: string, key: string): string[] {
	if (word === `--${key}`) return ['true'];
	if (word === `--no-${key}`) return ['false'];
	return word.startsWith(`--${key}=`) ? [word.slice(key.length + 3)] : [];
}
