import type { PermissionRule } from './permission-rules.ts';

/** Permission mode of a session. `fork` is `full` on an overlay whose result the user approves. */
export type PermissionMode = 'plan' | 'ask' | 'auto-edit' | 'full' | 'fork';

/** Explanation for a question that was not answered because the run was stopped. */
export const NOT_ANSWERED = 'Not answered: the run was stopped.';

/** A question for the user with its context: sufficient to decide, and for another page to display it later. */
export interface PermissionRequest {
	requestId: string;
	callId: string;
	/** `main`, or the subagent's id. */
	agentId: string;
	toolName: string;
	action: 'write' | 'execute' | 'network' | 'other';
	/** File to be written. */
	path?: string;
	/** Command line to be run. */
	command?: string;
	/** One sentence that describes what will happen. */
	description: string;
	/** One sentence that names the rule or mode that caused the question. */
	reason: string;
	/** Unified diff of a write. */
	diff?: string;
	/** Effects of a command on trial, not yet applied. Absent if the command has not run. */
	effects?: PermissionEffects;
	/**
	 * Consequence of allowing: `apply` applies the changes of the trial, `retry` repeats the trial with its hosts
	 * allowed, `run` runs the command for real. Absent: the described action is performed.
	 */
	next?: 'apply' | 'retry' | 'run';
	/** Rules that *Always allow* would create; empty if none can be created. */
	rules: PermissionRule[];
}

/**
 * Effects of a command on trial as shown in a question. Paths are relative to the workspace if they are inside
 * it.
 */
export interface PermissionEffects {
	files: {
		path: string;
		kind: 'added' | 'modified' | 'removed';
		/** Unified; absent for large and binary files. */
		diff?: string;
		added?: number;
		removed?: number;
	}[];
	/** Number of further files by directory. */
	moreFiles: { directory: string; count: number }[];
	/** Hosts it tried to reach. */
	hosts: string[];
	/** Ports it was still listening on. */
	servers: number[];
	/** Processes outside the trial that it tried to signal. */
	signals: string[];
	/** Commands it left running. */
	leftRunning: string[];
	/** An action was refused that cannot be named. */
	unnamed: boolean;
	result: { exitCode: number; timedOut: boolean };
}

export type PermissionDecision =
	| { kind: 'allow_once' }
	| { kind: 'allow_session' }
	| { kind: 'allow_always' }
	/** Ends the run with `permission_denied`. */
	| { kind: 'deny' }
	/** The explanation becomes the tool's result and the run continues. */
	| { kind: 'deny_explain'; explanation: string };

/** Asks the user. Rejects only when the signal fires. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionDecision>;
