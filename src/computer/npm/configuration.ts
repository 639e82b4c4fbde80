import type { ProcessContext } from '#computer/process/program.ts';
import { HOME } from '#computer/abi/paths.ts';
import { inside } from './manifest.ts';

/**
 * Values that npm's configuration has for a key, the strongest first: the command line (`--key=value`, `--key`,
 * `--no-key`), the environment (`npm_config_key`), `.npmrc` of the project and of the user.
 * @param key as in `.npmrc`: `legacy-peer-deps`
 */
export function configuredValues(
	{ sync, env }: ProcessContext,
	project: string,
	flags: string[],
	key: string
): string[] {
	const values = [
		...flags.flatMap((word) => fromFlag(word, key)),
		env[`npm_config_${key.replaceAll('-', '_')}`],
		fromFile(inside(project, '.npmrc')),
		fromFile(userFile({ env }))
	];
	return values.filter((value) => value !== undefined);

	function fromFile(file: string): string | undefined {
		if (sync.statOrNull(file)?.kind !== 'file') return undefined;
		const line = new RegExp(`^\\s*${key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*=\\s*["']?([^\\s"']+)`, 'm');
		return line.exec(new TextDecoder().decode(sync.readFile(file)))?.[1];
	}
}

/** Configuration of the user. */
export const userFile = ({ env }: Pick<ProcessContext, 'env'>): string => inside(env['HOME'] ?? HOME, '.npmrc');

function fromFlag(word: string, key: string): string[] {
	if (word === `--${key}`) return ['true'];
	if (word === `--no-${key}`) return ['false'];
	return word.startsWith(`--${key}=`) ? [word.slice(key.length + 3)] : [];
}
