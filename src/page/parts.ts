import type { ForkStore, OnAllowRule, SessionApi, SessionChange } from '#agent/api.ts';
import type { ReasoningEffort, Usage } from '#llm/types.ts';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import type { AskPermission, PermissionMode } from '#agent/guards/permission-types.ts';
import type { SessionLog } from '#agent/session-log.ts';
import type { MachineChange } from '#agent/events.ts';
import type { ProjectHookTrust } from '#agent/extensions/project-hooks/load.ts';
import type { CutOff } from '#agent/unclosed.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { SessionStore, StoredSession } from '#session/contract.ts';
import type { ImportRepository, ImportSource, ProjectOrigin, WorkspaceApi } from '#workspace/contract.ts';
import type { Demo } from './demos.ts';
import type { AskHost } from './egress/ask-host.ts';
import type { EgressLedger } from './egress/ledger.ts';
import type { ShareParts } from './share/parts.ts';

/** A model that the user can choose: an option of the *Model* combobox. */
export interface ModelChoice {
	/** Catalog id. */
	model: string;
	/** Provider: `anthropic`, `openai`, `gemini`, `compatible-<name>`, `demo`. */
	provider: string;
	/** Display name, e.g. `Opus 4.6`. */
	label: string;
	/** True for the demo's scripted model, which the page labels as such. */
	scripted: boolean;
}

/** Request for a single text from a model. */
export interface TextOrder {
	system: string;
	prompt: string;
	signal: AbortSignal;
}

/** Initial options of the agent. */
export interface AgentStart extends SessionChange {
	id: string;
	environment: ExecutionEnvironment;
	workspace: WorkspaceApi;
	choice: ModelChoice;
	log: SessionLog;
	/** Interruption of the last run, if the log has no end event for it. */
	cutOff: CutOff;
	/** Move to or from a machine that caused this start. */
	machineChange?: MachineChange | undefined;
	/** True if its log was another session's up to this point. */
	forked?: boolean | undefined;
	mode: PermissionMode;
	askPermission: AskPermission;
	allowRules: PermissionRule[];
	onAllowRule: OnAllowRule;
	/** Includes the repository's own instructions in the prompt. */
	trustProjectInstructions: boolean;
	projectHooks: ProjectHookTrust;
	reasoningEffort: ReasoningEffort | null;
	/** Keeps the agent's fork across a reload. */
	forkStore: ForkStore;
}

/**
 * Everything that the page needs from the other rooms, loaded on first use. `parts-in-browser.ts` has the real ones;
 * tests and the harness of `test/page/` provide their own.
 */
export interface Parts {
	/** Shown by `window.sandglass`. */
	readonly version: string;
	/** Modes that work here, in display order. */
	readonly modes: readonly PermissionMode[];
	/** Address of the preview's frame; `null` if it is not served. */
	readonly previewFrameUrl: string | null;
	/** Reason why programs cannot run in this window, as a sentence; `null` if they can. */
	missing(): string | null;
	/** Starts loading what a project will need, without waiting. */
	prepare(): void;
	/** Starts the computer for a project that is about to be opened, without waiting; `createEnvironment` returns it. */
	prepareComputer?(): void;
	/** Requests the demo's project, without waiting. */
	prepareDemo?(): void;
	/** Prepares everything that the first project will need, including a computer, while the page is idle. */
	prepareAll?(): void;
	openStore(): Promise<SessionStore>;
	/** @param onNotice called with a sentence for the user, e.g. that they did not get the computer they chose */
	createEnvironment(onNotice?: (notice: string) => void): Promise<ExecutionEnvironment>;
	/** Entering an address allows its host; opening a share does not. Absent if permission is never asked. */
	allowOrigin?(source: ImportSource): Promise<void>;
	/** Called when the computer in the tab has crashed; it restarts with its files on the next call. */
	onCrash?(listener: (reason: string) => void): void;
	importRepository: ImportRepository;
	openWorkspace(environment: ExecutionEnvironment, origin: ProjectOrigin, stored: StoredSession): Promise<WorkspaceApi>;
	/** Available models, best first; the demo model only for sessions that use it or if there is no other. */
	models(): Promise<ModelChoice[]>;
	/** The demo's model. */
	demoModel(): ModelChoice;
	/** Task that a demo's script performs. */
	demoTask(demo: Demo): Promise<string>;
	startAgent(start: AgentStart): Promise<SessionApi>;
	/** Changes the model of a running agent. */
	changeModel(agent: SessionApi, choice: ModelChoice): Promise<void>;
	/**
	 * Requests a text from a model outside the conversation.
	 *
	 * @param onText called with the text so far
	 * @returns usage of the request. Rejects with the client's typed errors
	 */
	writeText(choice: ModelChoice, order: TextOrder, onText: (text: string) => void): Promise<Usage>;
	readonly share: ShareParts | null;
	/** Ledger of outgoing requests; absent if nothing can leave. */
	readonly egress?: EgressLedger;
	/** Sends a request to a git server's API with the user's token; absent if nothing can leave. */
	readonly askHost?: AskHost;
}
