import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

const MAX_LINKS = 40;

/**
 * Where an absolute path leads after every link in it, so that a rule for a directory does not hold for what a
 * link in it points to. Parts that do not exist stay as they are; so does `~`, which is no part of a workspace.
 */
export async function realPath(environment: ExecutionEnvironment, path: string): Promise<string> {
	if (!path.startsWith('/')) return path;
	const open = path.split('/').reverse();
	const real: string[] = [];
	for (let links = 0; open.length > 0;) {
		const part = open.pop() ?? '';
		if (part === '' || part === '.') continue;
		if (part === '..') {
			real.pop();
			continue;
		}
		const place = `/${[...real, part].join('/')}`;
		const target = await linkTarget(environment, place);
		if (target === undefined || ++links > MAX_LINKS) real.push(part);
		else {
			if (target.startsWith('/')) real.length = 0;
			open.push(...target.split('/').reverse());
		}
	}
	return `/${real.join('/')}`;
}

async function linkTarget(environment: ExecutionEnvironment, path: string): Promise<string | undefined> {
	// What lies above the workspace is the environment's own.
	if (environment.workingDirectory().startsWith(`${path}/`)) return undefined;
	try {
		return (await environment.stat(path)).kind === 'symlink' ? await environment.readLink(path) : undefined;
	} catch (error) {
		if (isEnvironmentError(error) && error.code !== 'ECLOSED') return undefined;
		throw error;
	}
}
