import picomatch from 'picomatch';
import type { ProposedChange } from '../tool.ts';
import { commandPattern, isCommandAllowed } from './command-rules.ts';
import type { PermissionMode, PermissionRequest } from './permission-types.ts';

export type PermissionVerdict =
	| { kind: 'allow' }
	/** Refused by the mode, whatever anybody says. */
	| { kind: 'refuse'; message: string }
	| { kind: 'ask'; reason: string; pattern: string };

/**
 * What the mode and the rules say to a change.
 *
 * @param path relative to the working directory where it lies below, for a write
 */
export function judge(
	change: ProposedChange,
	path: string,
	mode: PermissionMode,
	rules: ReadonlySet<string>
): PermissionVerdict {
	if (mode === 'plan') {
		if (change.kind === 'execute' && isCommandAllowed(change.command, [])) return { kind: 'allow' };
		return {
			kind: 'refuse',
			message: 'Plan mode: nothing is changed or run. Describe what you would do; the person decides when to begin.'
		};
	}
	if (mode === 'full' || mode === 'fork') return { kind: 'allow' };
	switch (change.kind) {
		case 'write': {
			const guarded = isGuarded(path);
			if (!guarded && (mode === 'auto-edit' || matchesPath(path, rules))) return { kind: 'allow' };
			const reason = guarded
				? `Files like ${path} can change what later commands do.`
				: modeReason(mode, 'files are changed');
			return { kind: 'ask', reason, pattern: guarded ? path : pathPattern(path) };
		}
		case 'execute':
			if (isCommandAllowed(change.command, rules)) return { kind: 'allow' };
			return {
				kind: 'ask',
				reason: modeReason(mode, 'a command runs that no rule allows'),
				pattern: commandPattern(change.command, rules)
			};
		case 'network': {
			const host = hostOf(change.url);
			if (rules.has(host)) return { kind: 'allow' };
			return { kind: 'ask', reason: modeReason(mode, 'a new host is reached'), pattern: host };
		}
	}
}

/** The action as the request names it. */
export function actionOf(change: ProposedChange): PermissionRequest['action'] {
	return change.kind;
}

const modeReason = (mode: PermissionMode, when: string): string => `The mode is "${mode}", which asks before ${when}.`;

/** Git's own files and what runs by itself: a rule for a directory does not cover them. */
function isGuarded(path: string): boolean {
	return /(^|\/)\.git(\/|$)/.test(path) || path.startsWith('~') || path.startsWith('/');
}

function matchesPath(path: string, rules: ReadonlySet<string>): boolean {
	return [...rules].some((rule) => rule === path || (rule.includes('*') && picomatch(rule, { dot: true })(path)));
}

function pathPattern(path: string): string {
	const slash = path.indexOf('/');
	return slash === -1 ? path : `${path.slice(0, slash)}/**`;
}

function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return url;
	}
}
