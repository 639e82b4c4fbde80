import type { PermissionDecision, PermissionRequest } from '#agent/guards/permission-types.ts';

/** Answer of a user to every question of a run. */
export type Answers = 'once' | 'always';

/** A question as counted in a table. */
export interface AskedQuestion {
	kind: string;
	/** Command or path. */
	about: string;
}

/** Subject of a question, in one word. */
export function questionOf({ action, path, command, effects }: PermissionRequest): AskedQuestion {
	const about = command ?? path ?? action;
	if (action !== 'execute') return { kind: action, about };
	if (!effects) return { kind: 'command', about };
	const { files, hosts, servers, leftRunning, signals, unnamed } = effects;
	const names = [...files.map((file) => file.path), ...effects.moreFiles.map(({ directory }) => `${directory}/`)];
	const isOutside = (name: string): boolean => name.startsWith('/') || name.startsWith('~');
	const kinds = [
		hosts.length > 0 && 'host',
		servers.length + leftRunning.length > 0 && 'server',
		signals.length > 0 && 'signal',
		unnamed && 'unnamed',
		names.some(isOutside) && 'outside',
		names.some((name) => name.startsWith('.git/')) && 'git',
		names.some((name) => !isOutside(name) && !name.startsWith('.git/')) && 'files'
	];
	return { kind: kinds.filter((kind) => kind !== false).join('+'), about };
}

/** Answers *always allow* only if there is something to remember. */
export function decisionFor(answers: Answers, { rules }: PermissionRequest): PermissionDecision {
	return answers === 'always' && rules.length > 0 ? { kind: 'allow_always' } : { kind: 'allow_once' };
}
