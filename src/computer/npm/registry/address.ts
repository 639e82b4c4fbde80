import type { ProcessContext } from '#computer/process/program.ts';
import { configuredValues } from '../configuration.ts';
import { DEFAULT_REGISTRY } from './registry.ts';

/** URL of the registry: from npm's configuration, or the public one. */
export function registryAddress(context: ProcessContext, project: string, flags: string[]): string {
	const candidates = configuredValues(context, project, flags, 'registry');
	const chosen = candidates.find((address) => /^https?:\/\/\S+$/.test(address));
	return chosen === undefined ? DEFAULT_REGISTRY : chosen.replace(/\/*$/, '/');
}
