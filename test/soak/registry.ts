import { spawnSync } from 'node:child_process';

/** Reason why nothing can be installed from the npm registry, for a test's title; empty if it can. */
export function registryProblem(): string {
	const { status } = spawnSync('npm', ['view', 'zod', 'version', '--fetch-retries=0'], { timeout: 30_000 });
	return status === 0 ? '' : ': no npm registry can be reached';
}
