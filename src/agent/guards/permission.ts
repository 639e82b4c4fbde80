import type { ProposedChange } from '../tool.ts';
import { commandPattern, isCommandAllowed } from './command-rules.ts';
import { literalGlob, matchesPath, pathPattern, ruleKind, type PermissionRule } from './permission-rules.ts';
import type { PermissionMode, PermissionRequest } from './permission-types.ts';

export type PermissionVerdict =
	| { kind: 'allow' }
	/** Refused by the mode, whatever anybody says. */
	| { kind: 'refuse'; message: string }
	/** `rule` is what *Always allow* would remember. */
	| { kind: 'ask'; reason: string; rule: PermissionRule };

/**
 * What the mode and the rules say to a change.
 *
 * @param path where a write goes after every link, or a command runs; relative to the working directory where it
 * lies below, `''` for that itself
 * @param patterns those of the rules that are for such a change
 */
export function judge(
	change: ProposedChange,
	path: string,
	mode: PermissionMode,
	patterns: readonly string[]
): PermissionVerdict {
	if (mode === 'plan') {
		if (change.kind === 'execute' && isCommandAllowed(change.command, [])) return { kind: 'allow' };
		return {
			kind: 'refuse',
			message: 'Plan mode: nothing is changed or run. Describe what you would do; the person decides when to begin.'
		};
	}
	if (mode === 'full' || mode === 'fork') return { kind: 'allow' };
	const { reason, pattern } = open(change, path, mode, patterns);
	return reason === null ? { kind: 'allow' } : { kind: 'ask', reason, rule: { kind: ruleKind(change), pattern } };
}

/** Why a person is to be asked, and what would keep the next time from it. */
type Open = { reason: string; pattern: string } | { reason: null; pattern?: undefined };

const ALLOWED: Open = { reason: null };

function open(change: ProposedChange, path: string, mode: PermissionMode, patterns: readonly string[]): Open {
	switch (change.kind) {
		case 'write': {
			const guarded = isGuarded(path);
			if (!guarded && (mode === 'auto-edit' || matchesPath(path, patterns))) return ALLOWED;
			const reason = guarded
				? `Files like ${path} can change what later commands do.`
				: modeReason(mode, 'files are changed');
			return { reason, pattern: guarded ? literalGlob(path) : pathPattern(path) };
		}
		case 'execute':
			return openCommand(change, !/^[/~]/.test(path), mode, patterns);
		case 'network': {
			const host = hostOf(change.url);
			return patterns.includes(host) ? ALLOWED : { reason: modeReason(mode, 'a new host is reached'), pattern: host };
		}
	}
}

function openCommand(
	change: Extract<ProposedChange, { kind: 'execute' }>,
	inWorkspace: boolean,
	mode: PermissionMode,
	rules: readonly string[]
): Open {
	const { command, input } = change;
	if (input !== undefined) {
		// To an interpreter, what is typed is a program: a rule for the command does not cover it.
		const line = shownCommand(change);
		if (isCommandAllowed(command, []) || rules.includes(line)) return ALLOWED;
		return { reason: modeReason(mode, 'anything is typed into a command'), pattern: line };
	}
	if (isCommandAllowed(command, rules, { inWorkspace })) return ALLOWED;
	const when = inWorkspace ? 'a command runs that no rule allows' : 'a command runs outside the workspace';
	return {
		reason: modeReason(mode, when),
		pattern: inWorkspace ? commandPattern(command, rules) : command.trim()
	};
}

/** The whole of what a person decides about: the command, and below it what is typed into it. */
export function shownCommand({ command, input }: Extract<ProposedChange, { kind: 'execute' }>): string {
	return input === undefined ? command : `${command}\n${input}`;
}

/** The action as the request names it. */
export function actionOf(change: ProposedChange): PermissionRequest['action'] {
	return change.kind;
}

const modeReason = (mode: PermissionMode, when: string): string => `The mode is "${mode}", which asks before ${when}.`;

/** Some file systems take capitals for small letters. */
const RUNS_BY_ITSELF = /(^|\/)(?:\.git|\.husky|\.githooks|\.vscode|\.envrc|\.npmrc)(\/|$)/i;

/** Git's own files and what runs by itself: a rule for a directory does not cover them. */
function isGuarded(path: string): boolean {
	return RUNS_BY_ITSELF.test(path) || path.startsWith('~') || path.startsWith('/');
}

function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return url;
	}
}
