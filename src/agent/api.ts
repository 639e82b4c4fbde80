import type {
	ExecutionEnvironment,
	MergeOptions,
	MergeResult,
	OverlayEnvironment,
	Snapshot
} from '#environment/contract.ts';
import type { Client, ContentPart, ReasoningEffort } from '#llm/types.ts';
import type { AgentResult, MachineChange, SessionEvent, SessionState } from './events.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import type { AskPermission, PermissionMode } from './guards/permission-types.ts';
import type { Hook } from './hooks.ts';
import type { ImagePolicy, ScaleImage } from './image-policy.ts';
import type { FailureDetection, LoopDetection, StreamRetry } from './loop/config.ts';
import type { CollectPromptParts, Profile } from './profile.ts';
import type { SessionLog } from './session-log.ts';
import type { TodoItem } from './todo.ts';
import type { CutOff } from './unclosed.ts';
import type { ProjectHookTrust } from './extensions/project-hooks/load.ts';
import type { Skill } from './extensions/skills/load.ts';
import type { FetchPage } from './extensions/web/fetch-page.ts';
import type {
	CommandExecution,
	CommandGrant,
	ProposedChange,
	ProposedCommand,
	ToolBinding,
	ToolLimits,
	ToolState
} from './tool.ts';

/**
 * One run of the loop. Iterating yields its events to one consumer; events that are not read are queued and
 * never block the loop. `result` never rejects: errors are in it.
 */
export interface AgentRun extends AsyncIterable<SessionEvent> {
	readonly result: Promise<AgentResult>;
}

export interface SessionOptions {
	profile: Profile;
	environment: ExecutionEnvironment;
	client: Client;
	/** Stays the same when a session is reopened from its log. */
	id?: string;
	log?: SessionLog;
	/** Reason why the last run of the log has no end event. Default `interrupted`. */
	cutOff?: CutOff;
	/** Reason why the session is opened again; recorded as its first event. */
	machineChange?: MachineChange | undefined;
	/** The log is copied from another session up to this point; recorded once, where the fork starts. */
	forked?: boolean | undefined;
	/** 0 or absent: unlimited. */
	maxTurns?: number;
	/** Default 200; 0: unlimited. */
	maxToolRoundsPerInput?: number;
	defaultCommandTimeoutMs?: number;
	/** Prepended to each command of the shell tools, wherever they run, e.g. `source .venv/bin/activate` (003 §3.3). */
	commandPrefix?: string;
	reasoningEffort?: ReasoningEffort | null;
	userInstructions?: string;
	mode?: PermissionMode;
	/** Absent: commands and changes that need permission are denied with an explanation. */
	askPermission?: AskPermission;
	/** Rules created by earlier answers. */
	allowRules?: PermissionRule[];
	onAllowRule?: OnAllowRule;
	/** Absent: commands on trial can reach only the hosts that rules name. */
	network?: NetworkPermissions;
	/** Includes the repository's own instructions (AGENTS.md and similar files) in the prompt. */
	trustProjectInstructions?: boolean;
	compaction?: boolean;
	spendingCapUsd?: number;
	/** Cost outside the log's conversation that counts towards the cap. US dollars; 0 when absent. */
	spentBesideUsd?: number;
	hooks?: Hook[];
	/** Runs the commands of the project's settings file at certain points of the agent's work; absent: runs none. */
	projectHooks?: ProjectHookTrust;
	/** Tools added to those of the profile: MCP servers' tools or the host's own. */
	tools?: ToolBinding[];
	/** Tools never shown to the model or to subagents, by neutral names or the model's names. */
	withoutTools?: readonly string[];
	/** Fetches web pages; absent: the model gets no such tool. */
	fetchPage?: FetchPage;
	/** Adds diagnostics of changed files to results if the environment provides them. Default true. */
	diagnostics?: boolean;
	/** Uses the skills of a trusted repository. Default true. */
	skills?: boolean;
	/** Absolute paths of folders with the user's own skills (`<folder>/<skill>/SKILL.md`), used in any repository. */
	userSkillFolders?: readonly string[];
	/** Absent: the policy from the session's log, else all pictures if the model accepts them. */
	images?: ImagePolicy;
	/** Scales down a picture that is over the limit; absent: such a picture is refused with advice for the model. */
	scaleImage?: ScaleImage;
	/** Takes a snapshot; called before each turn and each shell command. */
	checkpoint?: (label: string) => Promise<{ id: string; tree: string }>;
	/** Stores the fork of the mode `fork` so that it survives a reload; absent: the fork ends with the session. */
	forkStore?: ForkStore;
	/**
	 * Limits for the characters and lines of tool output that the model sees, by neutral tool name; override the
	 * defaults.
	 */
	outputLimits?: Partial<Pick<ToolLimits, 'outputCharacters' | 'outputLines' | 'maxCommandTimeoutMs'>>;
	failureDetection?: FailureDetection;
	loopDetection?: LoopDetection;
	/** Turns without an update of the task list before the model is reminded; `null`: never. Default 10. */
	todoStaleTurns?: number | null;
	/** Maximum depth of nested subagents. Default 1: subagents cannot start subagents. */
	maxSubagentDepth?: number;
	streamRetry?: StreamRetry;
	/** Replaces the function that collects the parts of the system prompt. */
	collectPromptParts?: CollectPromptParts;
	/** Replaces the guards that check each proposed change. */
	createGuards?: CreateGuards;
}

/**
 * Called for each rule that an answer creates.
 *
 * @param lasting how long the rule is valid, as the user chose
 * @param question the question that was answered
 */
export type OnAllowRule = (rule: PermissionRule, lasting: 'session' | 'always', question: string) => void;

/** Settings of a session that a host may change at any time, besides its model, mode and effort. */
export type SessionChange = Partial<
	Pick<
		SessionOptions,
		| 'spendingCapUsd'
		| 'spentBesideUsd'
		| 'maxToolRoundsPerInput'
		| 'tools'
		| 'withoutTools'
		| 'allowRules'
		| 'userInstructions'
		| 'outputLimits'
	>
>;

/** A fork of the files as a host stores it. */
export interface ForkContents {
	/** Last state that the fork and the project had in common. */
	common: Snapshot;
	now: Snapshot;
	readBlob(blob: string): Promise<Uint8Array>;
}

/** Host's storage for the open fork. */
export interface ForkStore {
	/** Stores the fork; `null` deletes it. Awaited before the step that changed it counts as done. */
	keep(fork: ForkContents | null): Promise<void>;
	load(): Promise<ForkContents | null>;
}

/**
 * Copy of the files that the agent works on in the mode `fork`. Approving, dropping or discarding throws
 * `SessionBusyError` while the agent works.
 */
export interface FileForkApi {
	readonly isOpen: boolean;
	/** The copy; `null` if no fork is open. */
	readonly environment: OverlayEnvironment | null;
	/** Paths that differ from the project, including ignored ones; git's own files are the single path `.git`. */
	changes(): Promise<string[]>;
	/** Changed paths that the project has changed too. */
	conflicts(): Promise<string[]>;
	/** Stores the current fork with the host's store; called after each step of the agent. Never rejects. */
	keep(): Promise<void>;
	/**
	 * Applies all or some paths to the project; conflicting paths stay on the fork. Closes the fork when nothing
	 * is left.
	 */
	approve(options?: MergeOptions): Promise<MergeResult>;
	/** Resets these paths to the project's version; the fork stays open. */
	drop(paths: readonly string[]): Promise<void>;
	/** Closes the fork without changing the project. */
	discard(): Promise<void>;
	/** Restores the fork that the host has stored. Returns false if there is none. */
	restore(): Promise<boolean>;
}

/** Checks actions before a tool performs them. */
export interface Guards {
	/**
	 * Resolves if the action is allowed; throws `PermissionDenied` (ends the run) or `GuardRefusal` (an error result).
	 */
	propose(change: ProposedChange, info: ProposalInfo): Promise<void>;
	/** Decides how a command may run. Absent: the command is proposed as a change and runs once that is allowed. */
	permitCommand?(change: ProposedCommand, exec: CommandExecution, info: ProposalInfo): Promise<CommandGrant>;
}

/** Hosts that the user allowed outside the session, for commands on trial. */
export interface NetworkPermissions {
	/** Host names, with the port where the address has one. */
	allowed(): readonly string[];
	/** Allows hosts until the returned function is called. */
	allow(hosts: readonly string[]): () => void;
}

export interface ProposalInfo {
	callId: string;
	agentId: string;
	/** Name that the model uses for the tool. */
	toolName: string;
	signal: AbortSignal;
}

export type CreateGuards = (options: GuardOptions) => Guards;

export interface GuardOptions {
	/** Returns the current mode: the user may change it at any time. */
	mode(): PermissionMode;
	/** Absent: anything that needs permission is denied with an explanation. */
	ask?: AskPermission;
	allowRules: readonly PermissionRule[];
	onAllowRule?: OnAllowRule;
	environment: ExecutionEnvironment;
	readBeforeWrite(): Profile['readBeforeWrite'];
	network?: NetworkPermissions;
	/** Shared with the tools, which record in it what the model has read. */
	state: ToolState;
}

/** A tool that a user can enable or disable. */
export interface ToolChoice {
	/** Neutral name, the same for all models. */
	name: string;
	/** Name that the model uses. */
	label: string;
	/** Shown to the model too. */
	description: string;
}

/** Interface of a session for hosts; implemented by `Session` in `session.ts`. */
export interface SessionApi {
	readonly id: string;
	readonly state: SessionState;
	/** All events from `seq` 1, for any number of readers; ends when the session closes. */
	readonly events: AsyncIterable<SessionEvent>;
	/** Queued messages, which the page shows and edits. */
	readonly queues: { steering: readonly ContentPart[][]; followUps: readonly ContentPart[][] };
	readonly todo: readonly TodoItem[];
	/** Current rules, including those for this session alone; `configure({ allowRules })` replaces them. */
	readonly allowRules: readonly PermissionRule[];
	/**
	 * Copy of the files that the agent works on in the mode `fork`, with the operations that approve or discard
	 * it.
	 */
	readonly fileFork: FileForkApi;
	/** Policy for pictures; changed by {@link setImages}. */
	readonly images: ImagePolicy;
	/** Every tool available to the model now, enabled or not. */
	readonly tools: readonly ToolChoice[];
	/** Skills of the repository, for `/name`; empty if the repository is not trusted. */
	skills(): Promise<Skill[]>;
	/**
	 * Submits a message. Throws `SessionBusyError` while processing, `SessionClosedError` after the end,
	 * `AttachmentRefusedError` for content that the model cannot accept.
	 */
	submit(input: string | ContentPart[]): AgentRun;
	steer(message: string | ContentPart[], options?: { interrupt?: boolean }): void;
	followUp(message: string | ContentPart[]): void;
	/** Replaces the queued follow-ups, e.g. after the user edited them. */
	setFollowUps(messages: ContentPart[][]): void;
	/**
	 * Removes one message, identical to the one in {@link queues}, from its queue. Returns false if it is no longer
	 * queued.
	 */
	dequeue(message: readonly ContentPart[]): boolean;
	/** Ends the current run and those of all subagents at once, and keeps the queues. Resolves when idle. */
	stop(): Promise<void>;
	/** Ends everything, including subagents. Resolves when closed. */
	abort(): Promise<void>;
	/** Waits for the run, then ends the session. */
	close(): Promise<void>;
	/** Answers a suspended `ask_user`. */
	answer(text: string): void;
	compact(): Promise<boolean>;
	setModel(profile: Profile): void;
	setReasoningEffort(effort: ReasoningEffort | null): void;
	/**
	 * Sets the tools that the model sees from the next request on, by neutral names or the model's own; `null`: all.
	 * The choice also applies after a change of the model.
	 *
	 * @throws TypeError for an empty list, and for an unknown name
	 */
	setActiveTools(names: string[] | null): void;
	/** Sets the mode for the session and all subagents from their next step on; an open question is reevaluated. */
	setMode(mode: PermissionMode): void;
	/** Changes limits and settings of later turns; `undefined` removes a limit. */
	configure(change: SessionChange): void;
	/** Sets the picture policy, which is stored with the session. */
	setImages(policy: ImagePolicy): void;
	/** Creates a session that starts with the conversation up to an entry. */
	fork(entryId: string, options: Partial<SessionOptions>): SessionApi;
	/** Moves to another entry of the tree and, by default, adds a summary of the branch left behind. */
	goTo(entryId: string, options?: { summarize?: boolean }): Promise<void>;
	/** Undoes the last tool call that changed files. Returns the paths; `null` if there is no such call. */
	undo(): Promise<string[] | null>;
}
