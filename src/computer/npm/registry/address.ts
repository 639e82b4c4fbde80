import type { ProcessContext } from '#computer/process/program.ts';
import { inside } from '../manifest.ts';
import { DEFAULT_REGISTRY } from './registry.ts';

/**
 * Address of the registry: `--registry`, the environment, `.npmrc` of the project or of the user, or the public
 * one.
 */
export function registryAddress({ sync, env }: ProcessContext, project: string, flags: string[]): string {
	const flag = flags.find((word) => word.startsWith('--registry='))?.slice('--registry='.length);
	const candidates = [
		flag,
		env['npm_config_registry'],
		fromFile(inside(project, '.npmrc')),
		fromFile(inside(env['HOME'] ?? '/home/user', '.npmrc'))
	];
	const chosen = candidates.find((address) => address !== undefined && /^https?:\/\/\S+$/.test(address));
	return chosen === undefined ? DEFAULT_REGISTRY : chosen.replace(/\/*$/, '/');

	function fromFile(file: string): string | undefined {
		if (sync.statOrNull(file)?.kind !== 'file') return undefined;
		return /^\s*registry\s*=\s*["']?([^\s"']+)/m.exec(new TextDecoder().decode(sync.readFile(file)))?.[1];
	}
}
