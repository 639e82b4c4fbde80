import type { PermissionRule } from './permission-rules.ts';

/** What a session may do without asking. `fork` is `full` on an overlay whose result the person approves. */
export type PermissionMode = 'plan' | 'ask' | 'auto-edit' | 'full' | 'fork';

/** The explanation of a request that nobody answered, since the run was stopped first. */
export const NOT_ANSWERED = 'Not answered: the run was stopped.';

/** Who asks, for what and why: enough for a person to decide, and for another page to show it later. */
export interface PermissionRequest {
	requestId: string;
	callId: string;
	/** `main`, or the subagent's id. */
	agentId: string;
	toolName: string;
	action: 'write' | 'execute' | 'network' | 'other';
	/** The file a write goes to. */
	path?: string;
	/** The command line an execution runs. */
	command?: string;
	/** One sentence: what will happen. */
	description: string;
	/** One sentence: which rule or mode made it ask. */
	reason: string;
	/** Unified diff of a write. */
	diff?: string;
	/** What a command did when it ran on trial; its changes have not been applied. Absent: it has not run. */
	effects?: PermissionEffects;
	/**
	 * What allowing does: `apply` takes the changes of the trial over, `retry` runs it on trial again with its hosts
	 * allowed, `run` runs it for real. Absent: what is described happens.
	 */
	next?: 'apply' | 'retry' | 'run';
	/** What *Always allow* would remember; empty where nothing can be remembered. */
	rules: PermissionRule[];
}

/** Effects of a command on trial as a question shows them. Paths are relative to the workspace where they lie below it. */
export interface PermissionEffects {
	files: {
		path: string;
		kind: 'added' | 'modified' | 'removed';
		/** Unified; absent for large and binary files. */
		diff?: string;
		added?: number;
		removed?: number;
	}[];
	/** Files beside those listed, counted by directory. */
	moreFiles: { directory: string; count: number }[];
	/** Hosts it tried to reach. */
	hosts: string[];
	/** Ports it went on listening on. */
	servers: number[];
	/** Processes outside the trial it tried to signal. */
	signals: string[];
	/** Commands it left running. */
	leftRunning: string[];
	/** Something was refused that cannot be named. */
	unnamed: boolean;
	result: { exitCode: number; timedOut: boolean };
}

export type PermissionDecision =
	| { kind: 'allow_once' }
	| { kind: 'allow_session' }
	| { kind: 'allow_always' }
	/** Ends the run with `permission_denied`. */
	| { kind: 'deny' }
	/** The explanation is the tool's result and the run goes on. */
	| { kind: 'deny_explain'; explanation: string };

/** Asks the person. Rejects only when the signal fires. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionDecision>;
