import type {
	ExecutionEnvironment,
	MergeOptions,
	MergeResult,
	OverlayEnvironment,
	Snapshot
} from '#environment/contract.ts';
import type { Client, ContentPart, ReasoningEffort } from '#llm/types.ts';
import type { AgentResult, SessionEvent, SessionState } from './events.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import type { AskPermission, PermissionMode } from './guards/permission-types.ts';
import type { Hook } from './hooks.ts';
import type { ImagePolicy, ScaleImage } from './image-policy.ts';
import type { FailureDetection, LoopDetection, StreamRetry } from './loop/config.ts';
import type { CollectPromptParts, Profile } from './profile.ts';
import type { SessionLog } from './session-log.ts';
import type { TodoItem } from './todo.ts';
import type { CutOff } from './unclosed.ts';
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
 * One run of the loop. Iterating yields its events, to one consumer; an event nobody reads
 * queues and never blocks the loop. `result` never rejects: errors are in it.
 */
export interface AgentRun extends AsyncIterable<SessionEvent> {
	readonly result: Promise<AgentResult>;
}

export interface SessionOptions {
	profile: Profile;
	environment: ExecutionEnvironment;
	client: Client;
	/** Kept when a session is reopened from its log. */
	id?: string;
	log?: SessionLog;
	/** Why a run at the end of the log has no end there. Default `interrupted`. */
	cutOff?: CutOff;
	/** 0 or absent: unlimited. */
	maxTurns?: number;
	/** Default 200; 0: unlimited. */
	maxToolRoundsPerInput?: number;
	defaultCommandTimeoutMs?: number;
	/** Put before each command of the shell tools, wherever they run, e.g. `source .venv/bin/activate` (003 §3.3). */
	commandPrefix?: string;
	reasoningEffort?: ReasoningEffort | null;
	userInstructions?: string;
	mode?: PermissionMode;
	/** Absent: what would ask is denied with an explanation. */
	askPermission?: AskPermission;
	/** What earlier answers allowed. */
	allowRules?: PermissionRule[];
	onAllowRule?: OnAllowRule;
	/** Absent: commands on trial reach only the hosts that rules name. */
	network?: NetworkPermissions;
	/** Whether the repository's own instructions (AGENTS.md and its like) go into the prompt. */
	trustProjectInstructions?: boolean;
	compaction?: boolean;
	spendingCapUsd?: number;
	/** What counts towards the cap beside the conversation of the log. US dollars; 0 when absent. */
	spentBesideUsd?: number;
	hooks?: Hook[];
	/** Beside the profile's own, whatever the profile: MCP servers' tools, a host's own. */
	tools?: ToolBinding[];
	/** The way to pages on the web; absent: there is no tool for it. */
	fetchPage?: FetchPage;
	/** Whether results tell what a write broke, where the environment can say so. Default true. */
	diagnostics?: boolean;
	/** Whether a trusted repository's skills are used. Default true. */
	skills?: boolean;
	/** Absent: as the session's log has it, or every picture a model can see. */
	images?: ImagePolicy;
	/** Makes a picture smaller that is over the limit; absent: such a one is refused with what to do. */
	scaleImage?: ScaleImage;
	/** Takes a snapshot; called before each turn and each shell command. */
	checkpoint?: (label: string) => Promise<{ id: string; tree: string }>;
	/** Keeps the fork of the mode `fork` over a reload; absent: it ends with the session. */
	forkStore?: ForkStore;
	/** Characters and lines of tool output the model sees, by neutral tool name, over the defaults. */
	outputLimits?: Partial<Pick<ToolLimits, 'outputCharacters' | 'outputLines' | 'maxCommandTimeoutMs'>>;
	failureDetection?: FailureDetection;
	loopDetection?: LoopDetection;
	/** Turns without an update of the task list before the model is reminded; `null` never. Default 10. */
	todoStaleTurns?: number | null;
	/** How deep subagents may start subagents. Default 1: a subagent starts none. */
	maxSubagentDepth?: number;
	streamRetry?: StreamRetry;
	/** Replaces how the system prompt's parts are found. */
	collectPromptParts?: CollectPromptParts;
	/** Replaces the guards that look at each proposed change. */
	createGuards?: CreateGuards;
}

/**
 * Called for each rule an answer makes.
 *
 * @param lasting how long the user said it holds
 * @param question the sentence that was asked
 */
export type OnAllowRule = (rule: PermissionRule, lasting: 'session' | 'always', question: string) => void;

/** What a host may change of a session at any time, beside its model, mode and effort. */
export type SessionChange = Partial<
	Pick<SessionOptions, 'spendingCapUsd' | 'spentBesideUsd' | 'maxToolRoundsPerInput' | 'tools' | 'allowRules'>
>;

/** A fork of the files as a host keeps it. */
export interface KeptFork {
	/** What fork and project had when they were last the same. */
	common: Snapshot;
	now: Snapshot;
	readBlob(blob: string): Promise<Uint8Array>;
}

/** Where a host keeps the open fork. */
export interface ForkStore {
	/** `null`: there is none any more. Awaited before the step that changed it counts as done. */
	keep(fork: KeptFork | null): Promise<void>;
	load(): Promise<KeptFork | null>;
}

/** The copy of the files the agent works on in the mode `fork`. Settling it throws `SessionBusyError` while it works. */
export interface FileForkApi {
	readonly isOpen: boolean;
	/** The copy; `null` while there is none. */
	readonly environment: OverlayEnvironment | null;
	/** Paths that differ from the project, ignored ones too; git's own files are the one path `.git`. */
	changes(): Promise<string[]>;
	/** Those of them that the project has changed too. */
	conflicts(): Promise<string[]>;
	/** Gives the host's store what is on it now; done after each step of the agent. Never rejects. */
	keep(): Promise<void>;
	/** Puts all or some paths into the project; what conflicts stays on the fork. Ends it when nothing is left. */
	approve(options?: MergeOptions): Promise<MergeResult>;
	/** Makes these paths as the project has them; the fork stays open. */
	drop(paths: readonly string[]): Promise<void>;
	/** Ends it; the project stays as it is. */
	discard(): Promise<void>;
	/** Brings back the one the host keeps. False when there is none. */
	restore(): Promise<boolean>;
}

/** Looks at what a tool is about to do. */
export interface Guards {
	/** Resolves when it may happen; throws `PermissionDenied` (ends the run) or `GuardRefusal` (an error result). */
	propose(change: ProposedChange, info: ProposalInfo): Promise<void>;
	/** Decides how a command may run. Absent: it is proposed as a change, and runs when that resolves. */
	permitCommand?(change: ProposedCommand, exec: CommandExecution, info: ProposalInfo): Promise<CommandGrant>;
}

/** Hosts that the user allowed outside the session, for commands on trial. */
export interface NetworkPermissions {
	/** With the port where the address names one. */
	allowed(): readonly string[];
	/** Allows hosts until the function returned is called. */
	allow(hosts: readonly string[]): () => void;
}

export interface ProposalInfo {
	callId: string;
	agentId: string;
	/** As the model calls it. */
	toolName: string;
	signal: AbortSignal;
}

export type CreateGuards = (options: GuardOptions) => Guards;

export interface GuardOptions {
	/** As it is now: the person may change it at any time. */
	mode(): PermissionMode;
	/** Absent: what would ask is denied with an explanation. */
	ask?: AskPermission;
	allowRules: readonly PermissionRule[];
	onAllowRule?: OnAllowRule;
	environment: ExecutionEnvironment;
	readBeforeWrite(): Profile['readBeforeWrite'];
	network?: NetworkPermissions;
	/** Shared with the tools, which note there what the model has read. */
	state: ToolState;
}

/** What hosts use of a session; `Session` in `session.ts` is the implementation. */
export interface SessionApi {
	readonly id: string;
	readonly state: SessionState;
	/** Every event from `seq` 1, for any number of readers; ends when the session closes. */
	readonly events: AsyncIterable<SessionEvent>;
	/** What waits: shown and edited by the page. */
	readonly queues: { steering: readonly ContentPart[][]; followUps: readonly ContentPart[][] };
	readonly todo: readonly TodoItem[];
	/** Rules that hold now, those for this session alone included; `configure({ allowRules })` replaces them. */
	readonly allowRules: readonly PermissionRule[];
	/** Where the agent works in the mode `fork`, and the way to approve it. */
	readonly fileFork: FileForkApi;
	/** What the repository teaches, for `/name`; empty where it is not trusted. */
	skills(): Promise<Skill[]>;
	/**
	 * Throws `SessionBusyError` while processing, `SessionClosedError` after the end, `AttachmentRefusedError` for what
	 * the model cannot take.
	 */
	submit(input: string | ContentPart[]): AgentRun;
	steer(message: string | ContentPart[], options?: { interrupt?: boolean }): void;
	followUp(message: string | ContentPart[]): void;
	/** Replaces the queued follow-ups, e.g. after the person edited them. */
	setFollowUps(messages: ContentPart[][]): void;
	/** Takes one message, as {@link queues} has it, out of its queue. False when it is not waiting any more. */
	dequeue(message: readonly ContentPart[]): boolean;
	/** Ends the run at once, with those of all subagents, and keeps the queues. Resolves when idle. */
	stop(): Promise<void>;
	/** Ends everything, subagents included. Resolves when closed. */
	abort(): Promise<void>;
	/** Waits for the run, then ends the session. */
	close(): Promise<void>;
	/** Answers a suspended `ask_user`. */
	answer(text: string): void;
	compact(): Promise<boolean>;
	setModel(profile: Profile): void;
	setReasoningEffort(effort: ReasoningEffort | null): void;
	setActiveTools(names: string[]): void;
	/** Holds for all subagents from their next step on; an open question is judged again. */
	setMode(mode: PermissionMode): void;
	/** What later turns may spend and use; `undefined` takes a limit away. */
	configure(change: SessionChange): void;
	/** Kept with the session. */
	setImages(policy: ImagePolicy): void;
	/** A new session that starts with the conversation up to that entry. */
	fork(entryId: string, options: Partial<SessionOptions>): SessionApi;
	/** Goes to another entry of the tree and tells there what is left behind. */
	goTo(entryId: string, options?: { summarize?: boolean }): Promise<void>;
	/** Puts back the files as they were before the last tool call that changed any; `null` when there is none. */
	undo(): Promise<string[] | null>;
}
