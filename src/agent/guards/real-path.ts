import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

const MAX_LINKS = 40;

/**
 * Real path of an absolute path, so that a rule for a directory does not cover the targets of links in it.
 * Missing parts stay unchanged, and so does `~`, which is not part of a workspace.
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
	// Directories above the workspace belong to the environment.
	if (environment.workingDirectory().startsWith(`${path}/`)) return undefined;
	try {
		return (await environment.stat(path)).kind === 'symlink' ? await environment.readLink(path) : undefined;
	} catch (error) {
		if (isEnvironmentError(error) && error.code !== 'ECLOSED') return undefined;
		throw error;
	}
}
