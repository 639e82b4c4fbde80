import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalExecutionEnvironment, type LocalEnvironmentOptions } from '#environment/local/environment.ts';

const made: string[] = [];

/** Creates a local environment in a separate directory, with a separate home above it. */
export async function createTemporary(
	options: Partial<LocalEnvironmentOptions> = {}
): Promise<LocalExecutionEnvironment> {
	const home = await mkdtemp(join(tmpdir(), 'sandglass-local-'));
	made.push(home);
	const environment = new LocalExecutionEnvironment({ workingDirectory: join(home, 'workspace'), home, ...options });
	await environment.initialize();
	return environment;
}

export async function removeTemporary(): Promise<void> {
	for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
}
