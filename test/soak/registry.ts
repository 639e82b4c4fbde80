import { spawnSync } from 'node:child_process';

/** Why nothing can be installed from the npm registry, for a test's title; empty where it can. */
export function registryProblem(): string {
	const { status } = spawnSync('npm', ['view', 'zod', 'version', '--fetch-retries=0'], { timeout: 30_000 });
	return status === 0 ? '' : ': no npm registry can be reached';
}
