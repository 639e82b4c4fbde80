import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { address } from './fields.ts';

const DEFAULT = 'https://registry.npmjs.org';

/**
 * Registry that `npm` itself would use: `npm_config_registry` (npm sets it for its scripts), then the
 * `registry=` line of the user's `.npmrc`, then the public one. A value that is not a plain http(s) address
 * (for example with credentials) is ignored.
 */
export async function npmRegistry(
	env: Readonly<Record<string, string | undefined>>,
	npmrc = path.join(homedir(), '.npmrc')
): Promise<string> {
	const text = await readFile(npmrc, 'utf8').catch(() => '');
	const line = /^\s*registry\s*=\s*["']?([^\s"']+)/m.exec(text)?.[1];
	for (const candidate of [env['npm_config_registry'], line]) {
		const parsed = address.safeParse(candidate);
		if (parsed.success) return parsed.data;
	}
	return DEFAULT;
}
