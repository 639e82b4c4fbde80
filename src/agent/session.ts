import type { Client, ContentPart, ReasoningEffort } from '#llm/types.ts';
import type { AgentRun, SessionApi, SessionChange, SessionOptions, ToolChoice } from './api.ts';
import { messagesLeftBehind, addBranchSummary } from './branch-summary.ts';
import { SessionCompaction } from './session-compaction.ts';
import { ContextMeter } from './context-window.ts';
import { Conversation } from './conversation.ts';
import { EventQueue } from './event-stream.ts';
import type { AgentResult, SessionEvent, SessionState } from './events.ts';
import type { Skill } from './extensions/skills/load.ts';
import { SwitchingEnvironment } from '#environment/wrappers/switching.ts';
import { foundFamily, type Family } from './family.ts';
import { FileChanges } from './file-changes.ts';
import { FileFork } from './file-fork.ts';
import { forkLog, forkOptions } from './fork.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import type { PermissionMode } from './guards/permission-types.ts';
import { HookRunner } from './hooks.ts';
import { MemoryLog, SESSION_LOG_VERSION } from './memory-log.ts';
import { MessageQueues } from './message-queues.ts';
import { MeteredClient } from './metered-client.ts';
import { acceptedContent, type ImagePolicy } from './image-policy.ts';
import type { Profile } from './profile.ts';
import { PendingQuestion } from './questions.ts';
import { SessionBusyError, SessionClosedError, SessionOperationCancelled } from './session-errors.ts';
import { SessionEmitter } from './session-emitter.ts';
import type { SessionLog } from './session-log.ts';
import { endsWithQuestion, mayChange } from './session-state.ts';
import { childOptions } from './child-options.ts';
import type { SessionParent, SessionParts } from './session-parts.ts';
import { SessionRuns } from './session-runs.ts';
import type { TodoItem } from './todo.ts';
import { missingEnds } from './unclosed.ts';
import { errorData } from './error-data.ts';
import { emptyUsage } from '#llm/usage.ts';

/** Errors after which a session cannot continue: it ends and can be reopened with another key or model. */
const CLOSING_ERRORS = new Set(['authentication']);

/**
 * A conversation with an agent that works in an environment. With the log of an earlier session it continues
 * that session. See {@link SessionApi} for each method.
 */
export class Session implements SessionApi, SessionParts {
	readonly id: string;
	readonly log: SessionLog;
	readonly conversation: Conversation;
	readonly hooks: HookRunner;
	readonly mailbox = new MessageQueues();
	readonly question = new PendingQuestion();
	readonly meter: ContextMeter;
	readonly files: FileChanges;
	readonly fileFork: FileFork;
	readonly options: SessionOptions;
	readonly emitter: SessionEmitter;
	/** Shared with the subagents. */
	readonly family: Family;
	/** Client for requests outside the conversation: they count towards the cap. */
	readonly client: Client;
	profile: Profile;
	reasoningEffort: ReasoningEffort | null;
	#images: ImagePolicy;
	#state: SessionState = 'idle';
	#controller = new AbortController();
	#working: Promise<unknown> = Promise.resolve();
	#closing: Promise<void> | null = null;
	readonly #compaction: SessionCompaction;
	readonly #runs: SessionRuns;

	constructor(
		given: SessionOptions,
		readonly parent: SessionParent | null = null
	) {
		const place = new SwitchingEnvironment(given.environment);
		const options = (this.options = { ...given, environment: place });
		this.log = options.log ?? new MemoryLog();
		const root = this.log.entries().find((entry) => entry.type === 'session');
		this.id = options.id ?? root?.sessionId ?? crypto.randomUUID();
		if (!root) this.log.append({ type: 'session', version: SESSION_LOG_VERSION, sessionId: this.id, title: '' });
		this.profile = options.profile;
		this.reasoningEffort = options.reasoningEffort ?? null;
		const settings = this.log.branch().findLast((entry) => entry.type === 'settings');
		this.#images = options.images ?? settings?.images ?? {};
		this.emitter = new SessionEmitter(this.id, this.log);
		this.family = parent?.session.family ?? foundFamily(options, this.log, this.emitter.emit);
		const { budget } = this.family;
		this.emitter.onEvent((event) => {
			if (event.type === 'usage') budget.add(event.usage, this.profile.model);
		});
		this.client = new MeteredClient(options.client, budget, (usage) => {
			this.emitter.emit({ type: 'usage', turnIndex: 0, usage, purpose: 'side_request' });
		});
		this.conversation = new Conversation(this.log);
		this.meter = new ContextMeter(this.conversation.messages);
		this.hooks = new HookRunner(options.hooks ?? [], this.emitter.emit);
		if (options.hooks?.some((hook) => hook.onEvent))
			this.emitter.onEvent((event) => this.hooks.notify('onEvent', event));
		this.fileFork = new FileFork(this, place);
		this.files = parent?.files ?? new FileChanges(options.environment, this.emitter.emit);
		this.#compaction = new SessionCompaction(this, () => this.#runs.work);
		this.#runs = new SessionRuns(this, {
			compaction: this.#compaction,
			spawn: (child) => new Session(...childOptions(this, child)),
			suspend: (waiting) => this.#changeState(waiting ? 'awaiting_input' : 'processing'),
			flush: () => this.#flush()
		});
		this.#open();
	}

	get state(): SessionState {
		return this.#state;
	}

	get events(): AsyncIterable<SessionEvent> {
		return this.emitter.events;
	}

	get queues(): { steering: readonly ContentPart[][]; followUps: readonly ContentPart[][] } {
		return { steering: this.mailbox.steering, followUps: this.mailbox.followUps };
	}

	get todo(): readonly TodoItem[] {
		return this.#runs.todo.read();
	}

	get activeTools(): readonly string[] | null {
		return this.#runs.tools.names;
	}

	get tools(): readonly ToolChoice[] {
		return this.#runs.tools.choices;
	}

	skills(): Promise<Skill[]> {
		return this.#runs.skills.list();
	}

	get allowRules(): readonly PermissionRule[] {
		return this.family.rules;
	}

	get mode(): PermissionMode {
		return this.family.mode;
	}

	get images(): ImagePolicy {
		return this.parent ? this.parent.session.images : this.#images;
	}

	get root(): SessionParts {
		return this.parent?.session.root ?? this;
	}

	/**
	 * Mode used for decisions: `ask` instead of `fork` if no fork is open, or if a subagent's files are not a copy of
	 * that fork.
	 */
	get effectiveMode(): PermissionMode {
		if (this.mode !== 'fork') return this.mode;
		const { parent, root } = this;
		const isOnFork =
			root.fileFork.isOpen && (!parent || parent.files || parent.copiedFrom === root.fileFork.environment);
		return isOnFork && (!parent || parent.session.effectiveMode === 'fork') ? 'fork' : 'ask';
	}

	submit(input: string | ContentPart[]): AgentRun {
		this.assertFree();
		const content = acceptedContent(input, this.images, this.profile);
		const queue = new EventQueue<SessionEvent>();
		this.emitter.run = queue;
		this.#controller = new AbortController();
		this.#changeState('processing');
		const result = new Promise<AgentResult>((resolve) => {
			this.#working = this.#work(content, (ended) => {
				this.emitter.run = null;
				queue.end();
				resolve(ended);
			});
		});
		return { result, [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator]() };
	}

	steer(message: string | ContentPart[], options: { interrupt?: boolean } = {}): void {
		this.#assertOpen();
		this.mailbox.steer(acceptedContent(message, this.images, this.profile), options.interrupt ?? false);
	}

	followUp(message: string | ContentPart[]): void {
		this.#assertOpen();
		this.mailbox.followUp(acceptedContent(message, this.images, this.profile));
	}

	setFollowUps(messages: ContentPart[][]): void {
		this.#assertOpen();
		this.mailbox.followUps = messages;
	}

	dequeue(message: readonly ContentPart[]): boolean {
		return this.mailbox.remove(message);
	}

	async stop(): Promise<void> {
		if (this.#state === 'closed') return;
		this.#controller.abort(new DOMException('The run was stopped.', 'AbortError'));
		await Promise.all([this.#working, this.#runs.subagents.stopAll()]);
	}

	async abort(): Promise<void> {
		const stopped = this.stop();
		await (this.#closing ??= stopped.then(() => this.#end()));
	}

	close(): Promise<void> {
		// A run that waits for an answer that never comes would keep the session open.
		if (this.question.asked) return this.abort();
		return (this.#closing ??= this.#working.then(() => this.#end()));
	}

	answer(text: string): void {
		this.#assertOpen();
		if (this.question.answer(text)) return;
		if (this.#state !== 'awaiting_input') throw new SessionBusyError('Nothing was asked. Send a message instead.');
		this.submit(text);
	}

	/** Returns false if there was nothing to compact, a hook canceled it or it failed. */
	async compact(): Promise<boolean> {
		this.assertFree();
		const before = this.#state;
		this.#controller = new AbortController();
		this.#changeState('processing');
		const work = this.#compaction.now(this.#controller.signal);
		this.#working = work.then(() => this.#afterCompaction(before));
		await this.#working;
		return work;
	}

	setModel(profile: Profile): void {
		this.#assertOpen();
		this.#runs.tools.useNeutralNames();
		this.profile = profile;
		const { provider, model } = profile;
		this.log.append({ type: 'model_change', provider, model });
		this.emitter.emit({ type: 'model_change', provider, model });
		this.#announceCacheBreak('model');
	}

	setReasoningEffort(effort: ReasoningEffort | null): void {
		this.#assertOpen();
		this.reasoningEffort = effort;
		this.#announceCacheBreak('reasoning effort');
	}

	setActiveTools(names: string[] | null): void {
		this.#assertOpen();
		this.#runs.tools.choose(names);
		this.#announceCacheBreak('set of tools');
	}

	setMode(mode: PermissionMode): void {
		this.#assertOpen();
		const toolsChange = (mode === 'plan') !== (this.mode === 'plan');
		this.family.mode = mode;
		if (toolsChange) this.#announceCacheBreak('set of tools');
	}

	configure(change: SessionChange): void {
		this.#assertOpen();
		Object.assign(this.options, change);
		if (change.allowRules) this.family.rules = change.allowRules;
		if ('spendingCapUsd' in change) this.family.budget.limitsChanged();
		if ('userInstructions' in change) this.#announceCacheBreak('instructions of the user');
		if (change.tools || 'withoutTools' in change) this.#announceCacheBreak('set of tools');
	}

	setImages(policy: ImagePolicy): void {
		this.#assertOpen();
		this.#images = policy;
		this.log.append({ type: 'settings', images: policy });
	}

	/**
	 * @throws SessionOperationCancelled when a hook cancels
	 * @throws RangeError when there is no such entry
	 */
	fork(entryId: string, options: Partial<SessionOptions> = {}): Session {
		if (!this.hooks.gateSessionOpNow('fork')) throw new SessionOperationCancelled('fork');
		const id = options.id ?? crypto.randomUUID();
		const log = forkLog(this.log, entryId, id, options.log);
		return new Session({ ...forkOptions(this), forked: true, ...options, id, log });
	}

	/**
	 * Moves to another entry of the tree, where the next message starts a new branch. With `summarize`, a short summary
	 * of the branch left behind is added. Restoring the files is up to the host.
	 *
	 * @throws RangeError when there is no such entry
	 */
	async goTo(entryId: string, { summarize = true }: { summarize?: boolean } = {}): Promise<void> {
		this.assertFree();
		const fromId = this.log.leafId() ?? '';
		const left = this.log.branch();
		this.log.moveTo(entryId);
		this.#controller = new AbortController();
		this.#changeState('processing');
		const dropped = summarize ? messagesLeftBehind(left, this.log.branch()) : [];
		const work = addBranchSummary(this, dropped, fromId).then(() => this.#changeState('idle'));
		this.#working = work;
		await work;
		await this.#flush();
	}

	async undo(): Promise<string[] | null> {
		this.assertFree();
		if (!(await this.hooks.gateSessionOp('undo'))) return null;
		return this.files.undo();
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	#open(): void {
		const earlier = this.log.branch().flatMap((entry) => (entry.type === 'event' ? [entry.event] : []));
		for (const body of missingEnds(earlier, this.options.cutOff ?? 'interrupted')) this.emitter.emit(body);
		const last = earlier.findLast((event) => event.type === 'state_change');
		const bracket = earlier.findLast(({ type }) => type === 'session_start' || type === 'session_end');
		if (last?.to === 'awaiting_input') this.#state = 'awaiting_input';
		if (last?.to === 'processing') this.emitter.emit({ type: 'state_change', from: 'processing', to: 'idle' });
		const { provider, model } = this.profile;
		if (bracket?.type !== 'session_start') this.emitter.emit({ type: 'session_start', provider, model });
		const { machineChange, forked } = this.options;
		if (forked) this.emitter.emit({ type: 'session_fork' });
		if (machineChange) this.emitter.emit({ type: 'machine_change', ...machineChange });
	}

	/** Processes one input and the follow-ups after it. Never rejects. */
	async #work(input: ContentPart[], firstEnded: (result: AgentResult) => void): Promise<void> {
		let ended: ((result: AgentResult) => void) | null = firstEnded;
		for (let content: ContentPart[] | undefined = input; content;) {
			const result: AgentResult = await this.#runs.run(content).catch((cause: unknown): AgentResult => {
				const error = errorData(cause);
				this.emitter.emit({ type: 'error', error, fatal: true });
				return { text: '', stopReason: 'error', turns: 0, usage: emptyUsage(), error };
			});
			await this.#flush();
			content = result.stopReason === 'end_turn' ? this.mailbox.nextFollowUp() : undefined;
			if (!content) await this.#settle(result);
			ended?.(result);
			ended = null;
		}
	}

	async #settle(result: AgentResult): Promise<void> {
		// If the session is being closed already, closing waits for this run: waiting for it here would deadlock.
		if (result.error && CLOSING_ERRORS.has(result.error.code) && !this.#closing) return (this.#closing = this.#end());
		const asks = result.stopReason === 'end_turn' && result.turns > 0 && endsWithQuestion(result.text);
		await this.#runs.stopSubagents(result.stopReason === 'aborted');
		this.#changeState(asks ? 'awaiting_input' : 'idle');
		await this.#flush();
	}

	async #afterCompaction(before: SessionState): Promise<void> {
		const queued = this.#controller.signal.aborted ? undefined : this.mailbox.nextFollowUp();
		if (queued) return this.#work(queued, () => undefined);
		this.#changeState(before === 'awaiting_input' ? 'awaiting_input' : 'idle');
		await this.#flush();
	}

	async #end(): Promise<void> {
		await this.#runs.close();
		await this.fileFork.close();
		// Output of ending processes and subagents is recorded before the session reports its end.
		await this.#flush();
		this.#changeState('closed');
		if (!this.parent?.files) this.files.dispose();
		this.emitter.emit({ type: 'session_end', state: 'closed' });
		await this.#flush();
		this.emitter.run?.end();
		this.emitter.events.end();
	}

	/** Flushes the log. A storage failure causes a warning; the next flush retries. */
	async #flush(): Promise<void> {
		try {
			await this.log.flush();
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			this.emitter.emit({ type: 'warning', code: 'not_saved', message: `The session could not be saved: ${reason}` });
		}
	}

	#changeState(to: SessionState): void {
		const from = this.#state;
		if (from === to || !mayChange(from, to)) return;
		this.#state = to;
		this.emitter.emit({ type: 'state_change', from, to });
	}

	#announceCacheBreak(what: string): void {
		if (this.conversation.length === 0) return;
		const message = `The ${what} changed: the provider's prompt cache is rebuilt with the next request.`;
		this.emitter.emit({ type: 'warning', code: 'cache_break', message });
	}

	#assertOpen(): void {
		if (this.#state === 'closed' || this.#closing) throw new SessionClosedError();
	}

	/** @internal */
	assertFree(): void {
		this.#assertOpen();
		if (this.#state === 'processing') throw new SessionBusyError();
		if (this.question.asked)
			throw new SessionBusyError('The agent waits for an answer. Call answer(), or stop it first.');
	}
}
