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
 * @param path where a write goes after every link, or a command runs; relative to the working directory where it
 * lies below, `''` for that itself
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
			return judgeCommand(change, !/^[/~]/.test(path), mode, rules);
		case 'network': {
			const host = hostOf(change.url);
			if (rules.has(host)) return { kind: 'allow' };
			return { kind: 'ask', reason: modeReason(mode, 'a new host is reached'), pattern: host };
		}
	}
}

function judgeCommand(
	change: Extract<ProposedChange, { kind: 'execute' }>,
	inWorkspace: boolean,
	mode: PermissionMode,
	rules: ReadonlySet<string>
): PermissionVerdict {
	const { command, input } = change;
	if (input !== undefined) {
		// To an interpreter, what is typed is a program: a rule for the command does not cover it.
		const line = shownCommand(change);
		if (isCommandAllowed(command, []) || rules.has(line)) return { kind: 'allow' };
		return { kind: 'ask', reason: modeReason(mode, 'anything is typed into a command'), pattern: line };
	}
	if (isCommandAllowed(command, rules, { inWorkspace })) return { kind: 'allow' };
	const when = inWorkspace ? 'a command runs that no rule allows' : 'a command runs outside the workspace';
	return {
		kind: 'ask',
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
