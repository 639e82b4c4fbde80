import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrefixExecutionEnvironment, type PrefixEnvironmentOptions } from '#environment/prefix/environment.ts';

/** Passes its words unchanged, with separate variables, like `docker exec`. */
export const containerLike = (): string[] => ['env', '-i', `PATH=${process.env['PATH']}`, 'LANG=C.UTF-8'];

/** Joins its words to one line, which a shell parses again, like `ssh`. */
export const sshLike = (): string[] => ['sh', '-c', 'exec env -i PATH="$PATH" sh -c "$*"', 'ssh'];

const made: string[] = [];

/** Creates an environment behind a prefix, in a separate directory with a separate home above it. */
export async function createPrefixed(
	prefix: string[],
	options: Partial<PrefixEnvironmentOptions> = {}
): Promise<PrefixExecutionEnvironment> {
	const home = await mkdtemp(join(tmpdir(), 'sandglass-prefix-'));
	made.push(home);
	const environment = new PrefixExecutionEnvironment({
		prefix,
		workingDirectory: join(home, 'work space'),
		home,
		...options
	});
	await environment.initialize();
	return environment;
}

export async function removePrefixed(): Promise<void> {
	for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
}
