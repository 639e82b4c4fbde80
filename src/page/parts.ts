import type { ForkStore, OnAllowRule, SessionApi, SessionChange } from '#agent/api.ts';
import type { ReasoningEffort, Usage } from '#llm/types.ts';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import type { AskPermission, PermissionMode } from '#agent/guards/permission-types.ts';
import type { SessionLog } from '#agent/session-log.ts';
import type { CutOff } from '#agent/unclosed.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { SessionStore, StoredSession } from '#session/contract.ts';
import type { ImportRepository, ImportSource, ProjectOrigin, WorkspaceApi } from '#workspace/contract.ts';
import type { AskHost } from './egress/ask-host.ts';
import type { EgressLedger } from './egress/ledger.ts';
import type { ShareParts } from './share/parts.ts';

/** A model the person can choose: one line of the *Model* combobox. */
export interface ModelChoice {
	/** Catalog id. */
	model: string;
	/** Who serves it: `anthropic`, `openai`, `gemini`, `compatible-<name>`, `demo`. */
	provider: string;
	/** What the page calls it, e.g. `Opus 4.6`. */
	label: string;
	/** The demo's scripted mind, which the page says plainly. */
	scripted: boolean;
}

/** One text that a model is asked for. */
export interface TextOrder {
	system: string;
	prompt: string;
	signal: AbortSignal;
}

/** What the agent starts with. */
export interface AgentStart extends SessionChange {
	id: string;
	environment: ExecutionEnvironment;
	workspace: WorkspaceApi;
	choice: ModelChoice;
	log: SessionLog;
	/** Why a run at the end of the log has no end there. */
	cutOff: CutOff;
	mode: PermissionMode;
	askPermission: AskPermission;
	allowRules: PermissionRule[];
	onAllowRule: OnAllowRule;
	/** Whether the repository's own instructions go into the prompt. */
	trustProjectInstructions: boolean;
	reasoningEffort: ReasoningEffort | null;
	/** Keeps the agent's fork over a reload. */
	forkStore: ForkStore;
}

/**
 * Everything the page needs of the other rooms, loaded when first used. `parts-in-browser.ts`
 * has the real ones; tests and the harness of `test/page/` bring their own.
 */
export interface Parts {
	/** Shown by `window.sandglass`. */
	readonly version: string;
	/** Modes that work here, in the order shown. */
	readonly modes: readonly PermissionMode[];
	/** Where the preview's frame is served; `null` where it is not. */
	readonly previewFrameUrl: string | null;
	/** What keeps programs from running in this window, as a sentence; `null` when nothing does. */
	missing(): string | null;
	/** Starts to load what a project will need, without waiting. */
	prepare(): void;
	/** Starts the computer of a project that is about to be opened, without waiting; `createEnvironment` gives it. */
	prepareComputer?(): void;
	/** Asks for the project of the demo, without waiting. */
	prepareDemo?(): void;
	/** Nobody waits: makes ready all that the first project will need, a computer too. */
	prepareAll?(): void;
	openStore(): Promise<SessionStore>;
	/** @param onNotice called with a sentence for the person, e.g. that it is not the computer they chose */
	createEnvironment(onNotice?: (notice: string) => void): Promise<ExecutionEnvironment>;
	/** Who types an address has allowed its host; who opens a share has not. Absent where nothing is asked. */
	allowOrigin?(source: ImportSource): Promise<void>;
	/** Told when the computer in the tab stopped by itself; it starts again with its files at the next call. */
	onCrash?(listener: (reason: string) => void): void;
	importRepository: ImportRepository;
	openWorkspace(environment: ExecutionEnvironment, origin: ProjectOrigin, stored: StoredSession): Promise<WorkspaceApi>;
	/** Models that can be used, best first; the demo model only where it is the session's own or nothing else is there. */
	models(): Promise<ModelChoice[]>;
	/** The demo's model. */
	demoModel(): ModelChoice;
	/** The task its script is for. */
	demoTask(): Promise<string>;
	startAgent(start: AgentStart): Promise<SessionApi>;
	/** Changes the model of a running agent. */
	changeModel(agent: SessionApi, choice: ModelChoice): Promise<void>;
	/**
	 * Asks a model for a text outside the conversation.
	 *
	 * @param onText told all of it so far
	 * @returns what it took. Rejects with the client's typed errors
	 */
	writeText(choice: ModelChoice, order: TextOrder, onText: (text: string) => void): Promise<Usage>;
	readonly share: ShareParts | null;
	/** What leaves the sandbox; absent where nothing can. */
	readonly egress?: EgressLedger;
	/** Asks a git server's API with the person's token; absent where nothing can leave. */
	readonly askHost?: AskHost;
}
