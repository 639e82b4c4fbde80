import type { SessionApi } from '#agent/api.ts';
import type { AgentResult, SessionEvent, SessionState } from '#agent/events.ts';
import { ProjectPreview } from '../preview/project-preview.svelte.ts';
import { answerPrograms } from '../preview/testing/answer-programs.ts';
import { PreviewingEnvironment } from '../preview/previewing-environment.ts';
import { ProjectRules } from '../permissions/project-rules.svelte.ts';
import type { PermissionDecision, PermissionMode } from '#agent/guards/permission-types.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ContentPart } from '#llm/types.ts';
import type { StoredSession } from '#session/contract.ts';
import type { ChangedFile, Checkpoint, WorkspaceApi } from '#workspace/contract.ts';
import { announce } from '../live.svelte.ts';
import type { Demo } from '../demos.ts';
import type { FirstView } from '../front/templates.ts';
import type { MachineStay } from '../machines/stay.svelte.ts';
import type { AgentStart, ModelChoice, Parts } from '../parts.ts';
import { StoredFork } from '#session/stored-fork.ts';
import { FirstShell } from '../workbench/terminal/first-shell.ts';
import { PermissionDesk } from '../permission-desk.ts';
import { t } from '../strings/index.ts';
import { Timeline } from '../timeline/timeline-state.svelte.ts';
import { HookTrust } from '../trust/hook-trust.svelte.ts';
import { findSteeringFiles, type SteeringFile } from '../trust/steering-files.ts';
import { hasPreviewOrigin } from '../server-config.ts';
import { AgentSettings } from './agent-settings.svelte.ts';
import { ProjectFork } from './fork.svelte.ts';
import { MessageQueue } from './message-queue.svelte.ts';
import { keepLeaf, restoreLeaf } from './leaf.ts';
import { textOf } from './message-text.ts';
import { storedEvents } from './stored-events.ts';
import { visibleName } from '../visible-text.ts';
import { nameByModel } from './model-title.ts';
import { titleOf } from './title.ts';
import type { Opened } from './open.ts';

/** Text of the status *Agent*. */
export type AgentStatus = keyof typeof t.composer.states;

const TRUST_KEY = 'trust';
const MODE_KEY = 'mode';

/** First message of a project. */
interface FirstDraft {
	text: string;
	files: readonly File[];
	/** False: the user continues to write it. */
	isSent: boolean;
}

/** An open project: environment, workspace, stored session and agent. */
export class Project {
	readonly environment: ExecutionEnvironment;
	readonly workspace: WorkspaceApi;
	readonly stored: StoredSession;
	/** Machine that it is on; `null` in the tab. */
	readonly stay: MachineStay | null;
	readonly notices: string[];
	readonly timeline = new Timeline();
	readonly fork: ProjectFork;
	readonly firstShell = new FirstShell();
	/** The agent's access to the preview. */
	readonly preview = new ProjectPreview(hasPreviewOrigin);
	agent!: AgentSettings;
	rules!: ProjectRules;
	hooks!: HookTrust;
	readonly queue: MessageQueue;
	session: SessionApi | null = $state.raw(null);
	agentState: SessionState = $state('idle');
	choice: ModelChoice = $state.raw()!;
	mode: PermissionMode = $state('ask');
	/** Ids of permission requests waiting for the user. */
	#openRequests: ReadonlySet<string> = $state.raw(new Set());
	writable = $state(true);
	changes: readonly ChangedFile[] = $state.raw([]);
	checkpoints: readonly Checkpoint[] = $state.raw([]);
	/** Initial view of a new project; its screen resets it. */
	firstView: FirstView | null = $state.raw(null);
	/** Message that opened it; its composer resets it, and sends it once its files are attached and there is a model. */
	firstDraft: FirstDraft | null = $state.raw(null);
	/** Demo whose task fits the project, if it comes from the demo's template. */
	demo: Demo | null = $state.raw(null);
	/** Shown to the user until answered. */
	steeringFiles: readonly SteeringFile[] = $state.raw([]);
	/** Number of times that another session of its family became main. */
	familyChanges = $state(0);
	/** Call id of an open question from the agent. */
	question: string | null = $state(null);
	/** Failure of a user's action. */
	failure: unknown = $state.raw(null);
	/**
	 * Reason why current changes are not being stored; storing is retried, and this is `null` once everything is stored.
	 */
	trouble: Error | null = $state.raw(null);
	#parts: Parts;
	#desk = new PermissionDesk(() => (this.#openRequests = this.#desk.open));
	#trust: boolean;
	readonly #left = new AbortController();
	/** True if the agent was started before the user trusted the repository. */
	#stale = false;
	/** True if a provider refused the key, which ends a session; the user continues in a new one. */
	#refused = false;
	/** Settles when the next agent has started; `null` while there is one. */
	#replacing: Promise<void> | null = null;
	#leave: (() => void)[] = [];

	private constructor(parts: Parts, opened: Opened, choice: ModelChoice, kept: Kept) {
		this.#parts = parts;
		this.environment = opened.environment;
		this.workspace = opened.workspace;
		this.stored = opened.stored;
		this.stay = opened.stay ?? null;
		this.notices = opened.notices;
		this.choice = choice;
		this.mode = kept.mode;
		this.#trust = kept.trust ?? false;
		this.writable = opened.stored.writable;
		this.trouble = opened.stored.trouble;
		this.fork = new ProjectFork(this, this.#fail);
		this.queue = new MessageQueue(opened.stored, () => this.session, this.#fail);
	}

	/** @param start model and mode of a new session; a reopened one keeps its own */
	static async open(
		parts: Parts,
		opened: Opened,
		start: { choice: ModelChoice; mode?: PermissionMode }
	): Promise<Project> {
		const { environment, stored, workspace } = opened;
		const [mode, trust] = await Promise.all([
			start.mode ?? stored.readPageState<PermissionMode>(MODE_KEY),
			stored.readPageState<boolean>(TRUST_KEY)
		]);
		const project = new Project(parts, opened, start.choice, { mode: mode ?? 'ask', trust });
		if (stored.writable) project.firstShell.begin(environment);
		[project.steeringFiles, project.rules, project.agent, project.hooks] = await Promise.all([
			trust === undefined && workspace.origin.kind !== 'sample' ? findSteeringFiles(environment) : [],
			ProjectRules.open(stored, (allowRules) => project.session?.configure({ allowRules })),
			AgentSettings.open(stored, () => project.session),
			HookTrust.open(environment, stored, project.#fail),
			project.queue.open(),
			restoreLeaf(stored),
			start.mode && stored.writable && stored.writePageState(MODE_KEY, start.mode)
		]);
		project.#leave.push(...[project.agent, project.queue, project.hooks].map((part) => () => part.leave()));
		project.#leave.push(project.#lendHosts());
		const answer = answerPrograms(project.preview, project.preview.isEnclosed);
		project.#leave.push(environment.servePreview?.(answer) ?? (() => {}));
		project.timeline.load(storedEvents(stored.log));
		await project.#startAgent(opened.rewound ? 'rewound' : 'interrupted', opened);
		project.#watch();
		await project.refreshChanges();
		return project;
	}

	get title(): string {
		return this.stored.summary.title;
	}

	/** Working directory that stored paths start with: the tab's, even while the session is on a machine. */
	get root(): string {
		return (this.stay?.environment.home ?? this.environment).workingDirectory();
	}

	get status(): AgentStatus {
		if (this.agentState === 'closed') return 'closed';
		if (this.#openRequests.size > 0 || this.agentState === 'awaiting_input') return 'waiting';
		return this.agentState === 'processing' ? 'working' : 'idle';
	}

	get working(): boolean {
		return this.agentState === 'processing' || this.question !== null;
	}

	/**
	 * Sends the user's text: a task, steering, or the answer to a question.
	 *
	 * @throws AttachmentRefusedError for pictures that the model cannot see
	 */
	send(message: string | ContentPart[]): void {
		if (this.#replacing) return this.#sendThen(this.#replacing, message);
		if (this.question !== null) return this.answer(textOf(message));
		if (this.agentState === 'processing') {
			this.session?.steer(message);
			this.queue.read();
			return;
		}
		this.#submit(message).catch(this.#fail);
	}

	/** Sends a message to the agent that is starting; a message that it refuses is put back. */
	#sendThen(replacing: Promise<void>, message: string | ContentPart[]): void {
		replacing
			.then(() => this.send(message))
			.catch((error: unknown) => {
				this.firstDraft = { text: textOf(message), files: [], isSent: false };
				this.#fail(error);
			});
	}

	/**
	 * Queues a message to send after the run; sends it immediately if nothing is running. Throws as {@link send} does.
	 */
	sendLater(message: string | ContentPart[]): void {
		if (this.agentState !== 'processing') return this.send(message);
		this.session?.followUp(message);
		this.queue.read();
	}

	/** Starts a task and waits for its end. Rejects with `SessionBusyError` if one is running. */
	async ask(text: string): Promise<AgentResult> {
		await this.#replacing;
		return this.#submit(text);
	}

	async stop(): Promise<void> {
		await this.session?.stop();
		this.queue.read();
	}

	answer(text: string): void {
		this.question = null;
		this.session?.answer(text);
	}

	decide(requestId: string, decision: PermissionDecision): void {
		this.#desk.decide(requestId, decision);
	}

	isOpen(requestId: string): boolean {
		return this.#openRequests.has(requestId);
	}

	setMode(mode: PermissionMode): void {
		this.mode = mode;
		this.session?.setMode(mode);
		void this.#keep(MODE_KEY, mode);
	}

	async setModel(choice: ModelChoice): Promise<void> {
		if (!this.session) return;
		await this.#parts.changeModel(this.session, choice);
		this.choice = choice;
		await this.stored.update({ model: choice.model, provider: choice.provider });
	}

	async compact(): Promise<void> {
		await this.session?.compact();
	}

	/** Applies the user's decision about repository files that would steer the agent. */
	async settleTrust(trust: boolean): Promise<void> {
		this.steeringFiles = [];
		this.#trust = trust;
		await this.#keep(TRUST_KEY, trust);
		// The prompt is fixed when a session starts, so it restarts with the conversation so far.
		this.#stale = trust;
		if (trust && this.agentState === 'idle') await this.#replaceAgent();
	}

	/** Restores files and conversation of a checkpoint; the present becomes a checkpoint. */
	async goTo(checkpoint: Checkpoint): Promise<void> {
		// The last checkpoint may have the current files but an older conversation: only a new one preserves both.
		const present = this.stored.log.leafId();
		if (this.workspace.checkpoints.at(-1)?.entryId !== present) {
			await this.workspace.takeCheckpoint(t.checkpoints.present, present);
		}
		await this.workspace.goTo(checkpoint.id);
		await this.#moveConversation(checkpoint.entryId);
		announce(t.checkpoints.value(checkpoint.label, 1, 1));
	}

	/** Starts a new conversation with the same files; the previous one can be reached through a checkpoint. */
	async clear(): Promise<void> {
		await this.workspace.takeCheckpoint(t.checkpoints.cleared, this.stored.log.leafId());
		await this.#moveConversation(null);
	}

	/** @param entryId `null`: move to before the conversation, when there is only the root */
	async #moveConversation(entryId: string | null): Promise<void> {
		await this.#replaceAgent('rewound', async () => {
			const entry = entryId ?? this.stored.log.entries()[0]?.id;
			if (entry !== undefined) this.stored.log.moveTo(entry);
			await keepLeaf(this.stored);
			this.agent.beside.look();
			this.timeline.reset();
			this.timeline.load(storedEvents(this.stored.log));
		});
		await this.refreshChanges();
	}

	async refreshChanges(): Promise<void> {
		this.changes = await this.workspace.changes();
		this.checkpoints = this.workspace.checkpoints.slice();
		const changedFiles = this.changes.length;
		if (this.writable && changedFiles !== this.stored.summary.changedFiles) await this.stored.update({ changedFiles });
	}

	/**
	 * Takes the write lock from the other tab, and closes: the session is then reopened as that tab left it. This tab's
	 * copy ends first, so that it overwrites nothing of the other one.
	 */
	async takeOver(): Promise<void> {
		await this.#end();
		await this.environment.cleanup();
		await this.stored.takeOver();
		await this.stored.close();
	}

	/**
	 * Ends everything that runs here and gives the computer to another session, with its current files, once all is
	 * stored; `stored` stays open.
	 */
	async handOver(): Promise<ExecutionEnvironment | null> {
		await this.#end();
		await this.stay?.environment.leave();
		return this.stored.release();
	}

	/** Ends the agent and this view of the session; files and environment stay as they are. */
	async retire(): Promise<void> {
		await this.#end();
	}

	/** Ends processes, writes pending data, frees the environment. */
	async close(): Promise<void> {
		await this.#end();
		await this.stored.flush();
		await this.stored.close();
		await this.environment.cleanup();
	}

	async #end(): Promise<void> {
		this.#left.abort();
		for (const leave of this.#leave) leave();
		this.fork.leave();
		await this.session?.abort();
	}

	#submit(message: string | ContentPart[]): Promise<AgentResult> {
		if (!this.session) throw new DOMException('The session is closed', 'SessionClosedError');
		const { result } = this.session.submit(message);
		this.#nameAfter(textOf(message));
		this.agentState = 'processing';
		return result.finally(() => this.queue.read());
	}

	/** Names a session after its first message. */
	#nameAfter(text: string): void {
		const { title, origin } = this.stored.summary;
		if (!this.writable || title !== origin.name) return;
		const named = titleOf(text);
		if (named !== '') this.stored.update({ title: named }).catch(this.#fail);
		void nameByModel({ parts: this.#parts, project: this, request: text, until: this.#left.signal });
	}

	async #startAgent(
		cutOff: AgentStart['cutOff'] = 'interrupted',
		{ machineChange, forked }: Pick<AgentStart, 'machineChange' | 'forked'> = {}
	): Promise<void> {
		const start: AgentStart = {
			id: this.stored.summary.id,
			environment: new PreviewingEnvironment(this.environment, this.preview),
			workspace: this.workspace,
			choice: this.choice,
			log: this.stored.log,
			cutOff,
			machineChange,
			forked,
			mode: this.mode,
			askPermission: this.#desk.ask,
			allowRules: this.rules.all,
			onAllowRule: (rule, lasting, question) => this.rules.add(rule, lasting, question),
			trustProjectInstructions: this.#trust,
			projectHooks: this.hooks,
			...this.agent.start,
			forkStore: new StoredFork(this.stored)
		};
		const seen = storedEvents(this.stored.log).reduce((last, { seq }) => Math.max(last, seq), 0);
		const session = await this.#parts.startAgent(start);
		this.queue.handOver(session);
		this.session = session;
		this.agentState = session.state;
		void this.#read(session, seen);
		if (this.writable) await session.fileFork.restore().catch(this.#fail);
		await this.fork.refresh();
	}

	/**
	 * Ends the agent and starts a new one with the conversation so far. Meanwhile the user can continue to write, and
	 * messages wait for the new agent.
	 *
	 * @param between called while there is no agent
	 */
	async #replaceAgent(cutOff?: AgentStart['cutOff'], between?: () => Promise<void>): Promise<void> {
		[this.#stale, this.#refused] = [false, false];
		const replace = async (): Promise<void> => {
			await this.session?.close();
			await between?.();
			await this.#startAgent(cutOff);
		};
		this.#replacing = replace().finally(() => {
			this.#replacing = null;
			this.agentState = this.session?.state ?? 'closed';
		});
		await this.#replacing;
	}

	/** @param seen last event of the log: a session repeats earlier ones, which are history */
	async #read(session: SessionApi, seen: number): Promise<void> {
		for await (const event of session.events) {
			if (session !== this.session) return;
			this.timeline.push(event);
			this.#follow(event);
			if (event.seq > seen) this.#take(event);
		}
	}

	/** Tracks the open question, which survives a reload. */
	#follow(event: SessionEvent): void {
		if (event.type === 'question') this.question = event.callId;
		else if (event.type === 'tool_call_end' && event.callId === this.question) this.question = null;
	}

	#take(event: SessionEvent): void {
		switch (event.type) {
			case 'state_change':
				this.#takeState(event.to);
				break;
			case 'error':
				this.#refused = event.error.code === 'authentication';
				break;
			case 'file_fork':
				void this.fork.refresh();
				break;
			case 'steering_injected':
			case 'user_input':
				this.queue.read();
				break;
			case 'assistant_text_end':
				announce(event.text);
				break;
			case 'permission_request':
				announce(
					`${t.permission.asked[event.agentId === 'main' ? 'main' : 'helper'][event.action]} ${visibleName(event.description)}`
				);
				break;
			default:
		}
	}

	#takeState(state: SessionState): void {
		const isRefused = state === 'closed' && this.#refused && this.writable;
		// An agent that is being replaced is not displayed as stopped: the message box stays enabled.
		const makesWay = state === 'closed' && (isRefused || this.#replacing !== null);
		this.agentState = makesWay ? 'idle' : state;
		this.queue.read();
		if (isRefused || (state === 'idle' && this.#stale)) void this.#replaceAgent().catch(this.#fail);
	}

	/** Called when another session of its family has become main. */
	familyChanged(): void {
		this.familyChanges += 1;
	}

	/** Lets the ledger use the project's rules about hosts. @returns revokes that */
	#lendHosts(): () => void {
		const { rules } = this;
		const lent = this.#parts.egress?.useLasting({
			get all() {
				return rules.hosts;
			},
			canAdd: rules.scopes.includes('project'),
			add: (host, purpose) => rules.addHost(host, t.egress.question(purpose, host)),
			remove: (host) => rules.removeHost(host)
		});
		return lent ?? (() => {});
	}

	readonly #fail = (error: unknown): void => void (this.failure = error);

	#watch(): void {
		this.#leave.push(
			this.workspace.onUpdate(() => {
				this.refreshChanges().catch(this.#fail);
				if (this.fork.isOpen) void this.fork.refresh();
			}),
			this.stored.onWritableChange((writable) => this.#setWritable(writable)),
			this.stored.onTrouble((trouble) => (this.trouble = trouble))
		);
	}

	/** Stops programs when another tab took the session: they would work on files that are not stored. */
	#setWritable(writable: boolean): void {
		this.writable = writable;
		if (writable) return;
		announce(t.composer.readOnly);
		this.session?.abort().catch(this.#fail);
	}

	async #keep(key: string, value: unknown): Promise<void> {
		if (this.writable) await this.stored.writePageState(key, value).catch(this.#fail);
	}
}

interface Kept {
	mode: PermissionMode;
	trust: boolean | undefined;
}
