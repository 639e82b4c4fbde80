import type { ProposedChange } from '../tool.ts';
import { changesScripts, isGuarded } from './guarded-paths.ts';
import { matchesPath, pathPattern, type PermissionRule } from './permission-rules.ts';
import type { PermissionMode, PermissionRequest } from './permission-types.ts';

export type PermissionVerdict =
	| { kind: 'allow' }
	/** Refused by the mode, regardless of any answer. */
	| { kind: 'refuse'; message: string }
	/** `rules` is what *Always allow* would remember. */
	| { kind: 'ask'; reason: string; rules: PermissionRule[] };

/**
 * Decides about a change based on mode and rules. Commands that can run on trial are decided by
 * `command-permission.ts`.
 *
 * @param path real path of a write (symbolic links resolved), relative to the workspace if it is inside it
 * @param patterns patterns of the rules for such a change
 */
export function judge(
	change: ProposedChange,
	path: string,
	mode: PermissionMode,
	patterns: readonly string[]
): PermissionVerdict {
	if (mode === 'plan') {
		return {
			kind: 'refuse',
			message: 'Plan mode: nothing is changed or run. Describe what you would do; the user decides when to start.'
		};
	}
	if (mode === 'full' || mode === 'fork') return { kind: 'allow' };
	const open = openChange(change, path, mode, patterns);
	return open === null ? { kind: 'allow' } : { kind: 'ask', ...open };
}

/** Reason for asking the user, and the rules that would make the question unnecessary next time. */
interface Open {
	reason: string;
	rules: PermissionRule[];
}

/** Returns `null` if the change is allowed. */
function openChange(
	change: ProposedChange,
	path: string,
	mode: PermissionMode,
	patterns: readonly string[]
): Open | null {
	switch (change.kind) {
		case 'write': {
			const guarded = isGuarded(path) || changesScripts(path, change.before, change.after);
			// No rule covers these files: each change of one needs a review.
			if (guarded) return { reason: `Files like ${path} can change what later commands do.`, rules: [] };
			if (mode === 'auto-edit' || matchesPath(path, patterns)) return null;
			return { reason: modeReason('files are changed'), rules: [{ kind: 'path', pattern: pathPattern(path) }] };
		}
		case 'execute': {
			const typed = change.input !== undefined;
			const line = shownCommand(change);
			if (typed && patterns.includes(line)) return null;
			const reason = modeReason(typed ? 'anything is typed into a command' : 'a command runs');
			return { reason, rules: typed ? [{ kind: 'input', pattern: line }] : [] };
		}
		case 'network': {
			const host = hostOf(change.url);
			if (patterns.includes(host)) return null;
			return { reason: modeReason('a new host is reached'), rules: [{ kind: 'host', pattern: host }] };
		}
		case 'preview': {
			if (!change.mayLeak) return null;
			return {
				reason: 'In this browser a displayed page can send data out by WebRTC and by names it looks up.',
				rules: []
			};
		}
	}
}

/** Everything that the user decides about: the command, and below it the text typed into it. */
export function shownCommand({ command, input }: Extract<ProposedChange, { kind: 'execute' }>): string {
	return input === undefined ? command : `${command}\n${input}`;
}

/** Name of the action in the request. */
export function actionOf(change: ProposedChange): PermissionRequest['action'] {
	return change.kind === 'preview' ? 'other' : change.kind;
}

/** Reason of a question that the mode requires, for users. Names no mode, since the page has its own names. */
export const modeReason = (before: string): string => `The present mode asks before ${before}.`;

function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return url;
	}
}
