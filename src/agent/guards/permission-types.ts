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
	/** What *Always allow* would remember, e.g. `git commit *`, `src/**` or a host: of the kind the action is of. */
	pattern: string;
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
