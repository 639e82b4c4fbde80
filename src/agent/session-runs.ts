import type { MergeResult, OverlayEnvironment } from '#environment/contract.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { ActiveTools } from './active-tools.ts';
import type { SessionApi } from './api.ts';
import type { AgentResult } from './events.ts';
import { runAgentLoop } from './loop/agent-loop.ts';
import { LoadedHooks } from './extensions/project-hooks/load.ts';
import { ProjectHooks } from './extensions/project-hooks/project-hooks.ts';
import type { HookEvent } from './extensions/project-hooks/settings.ts';
import { DEFAULT_TOOL_ROUNDS, type AgentLoopConfig, type TurnSettings } from './loop/config.ts';
import { RunToolState } from './loop/run-state.ts';
import { WriteDiagnostics } from './diagnostics/write-diagnostics.ts';
import { collectPromptParts } from './prompt/collect.ts';
import { createSessionGuards } from './session-guards.ts';
import type { SessionParts } from './session-parts.ts';
import { SessionToolCalls } from './session-tool-calls.ts';
import type { WorkInHand } from './work-in-hand.ts';
import type { SessionCompaction } from './session-compaction.ts';
import { Subagents, type ChildOptions } from './subagents.ts';
import { reasonWithoutImages } from './image-policy.ts';
import type { ToolContext } from './tool.ts';
import { BackgroundProcesses } from './tools/background.ts';
import { TemporaryFiles } from './tools/temporary-files.ts';
import { Skills } from './extensions/skills/skills.ts';
import { SystemPrompts } from './system-prompts.ts';
import { TodoList } from './todo-list.ts';
import { restoredTodo } from './restored-todo.ts';
import { emptyUsage } from '#llm/usage.ts';

/** Services of the session that runs need, besides its state. */
interface RunServices {
	readonly compaction: SessionCompaction;
	/** Creates a subagent's session. */
	spawn(child: ChildOptions): SessionApi;
	/** Changes the session's state when the model starts or stops waiting for the user. */
	suspend(waiting: boolean): void;
	/** Flushes the log; never rejects. */
	flush(): Promise<void>;
}

/** Runs the loop for a session: prepares each run and records its outcome. */
export class SessionRuns {
	readonly todo: TodoList;
	readonly subagents: Subagents;
	readonly skills: Skills;
	readonly tools: ActiveTools;
	readonly #toolState = new RunToolState();
	readonly #calls: SessionToolCalls;
	readonly #projectHooks: ProjectHooks;
	readonly #loadedHooks: LoadedHooks;
	readonly #prompts: SystemPrompts;
	#turns = 0;
	/** Prompt of the current run; a hook may have changed it. */
	#systemPrompt: string | null = null;

	constructor(
		private readonly session: SessionParts,
		private readonly services: RunServices
	) {
		const { options, emitter } = session;
		this.todo = new TodoList(restoredTodo(session.log.branch()));
		for (const entry of session.log.branch()) {
			if (entry.type === 'event' && entry.event.type === 'agent_end') this.#turns += entry.event.result.turns;
		}
		const { environment, diagnostics = true } = options;
		const trusted = options.trustProjectInstructions ?? false;
		this.#prompts = new SystemPrompts(
			environment,
			options.collectPromptParts ?? collectPromptParts,
			() => this.skills.section(),
			() => session.root.options.userInstructions ?? '',
			trusted
		);
		this.skills = new Skills(environment, trusted && (options.skills ?? true), options.userSkillFolders);
		this.tools = new ActiveTools(session, this.skills);
		this.subagents = new Subagents({
			environment,
			create: (child) => services.spawn(child),
			emit: emitter.emit,
			merge: (overlay, copiedFrom) => this.#merge(overlay, copiedFrom),
			fork: () => session.root.fileFork.environment
		});
		this.#projectHooks = new ProjectHooks(() => session.family.projectHooks, emitter.emit);
		this.#loadedHooks = new LoadedHooks(options.projectHooks, (message) => {
			emitter.emit({ type: 'warning', code: 'project_hooks', message });
		});
		const readBlob = (blob: string): Promise<Uint8Array> => session.files.history.read(blob);
		this.#calls = new SessionToolCalls(session, {
			todo: this.todo,
			subagents: this.subagents,
			guards: createSessionGuards(session, this.#toolState),
			state: this.#toolState,
			hooks: this.#projectHooks,
			diagnostics: diagnostics ? new WriteDiagnostics(environment, readBlob, emitter.emit) : null,
			suspend: (waiting) => services.suspend(waiting)
		});
	}

	/**
	 * Ends subagents and background commands and removes the tools' temporary files, at the end of the session.
	 */
	async close(): Promise<void> {
		await this.subagents.closeAll();
		await BackgroundProcesses.of(this.#toolState).killAll();
		await TemporaryFiles.of(this.#toolState).removeAll(this.session.options.environment);
	}

	/** State that a summary of the conversation would otherwise omit. */
	get work(): WorkInHand {
		return {
			mode: this.session.effectiveMode,
			todo: this.todo.read(),
			processes: BackgroundProcesses.of(this.#toolState).running(),
			subagents: this.subagents.working()
		};
	}

	/** Subagents do not outlive the run of the agent that started them. */
	async stopSubagents(stoppedByUser: boolean): Promise<void> {
		const stopped = await this.subagents.stopAll();
		if (stopped.length === 0 || stoppedByUser) return;
		const message = `The run ended before ${stopped.join(', ')} had finished: stopped. A message to them continues their work.`;
		this.session.emitter.emit({ type: 'warning', code: 'subagents_stopped', message });
	}

	/** Processes one input, from its hooks to its end. */
	async run(input: ContentPart[]): Promise<AgentResult> {
		const { session } = this;
		const { hooks, conversation, emitter } = session;
		await session.fileFork.base.initialize();
		await session.fileFork.prepare(session.mode === 'fork' && !session.parent);
		const given = await hooks.input(input);
		const content = given && (await this.skills.expand(given));
		if (content === null) return { text: '', stopReason: 'end_turn', turns: 0, usage: emptyUsage() };
		this.#systemPrompt = null;
		const settings = await this.#settings();
		const prepared = await hooks.beforeAgent({ prompt: content, system: settings.systemPrompt, messages: [] });
		if (prepared.system !== settings.systemPrompt) this.#systemPrompt = prepared.system;
		for (const message of prepared.messages) this.#addNotice(message);
		emitter.emit({ type: 'user_input', content: prepared.prompt });
		await this.#runMessageHooks(prepared.prompt);
		const result = await runAgentLoop(this.#config(settings), prepared.prompt, conversation.messages).result;
		this.#turns += result.turns;
		return result;
	}

	#config(settings: TurnSettings): AgentLoopConfig {
		const { session } = this;
		const { options } = session;
		return {
			...settings,
			environment: options.environment,
			sessionId: session.id,
			cacheKey: session.id,
			abortSignal: session.signal,
			maxTurns: options.maxTurns ?? 0,
			turnsBefore: this.#turns,
			maxToolRounds: options.maxToolRoundsPerInput ?? DEFAULT_TOOL_ROUNDS,
			limits: this.#calls.limits,
			...(options.failureDetection ? { failureDetection: options.failureDetection } : {}),
			...(options.loopDetection ? { loopDetection: options.loopDetection } : {}),
			...(options.streamRetry ? { streamRetry: options.streamRetry } : {}),
			...(options.compaction ? { contextManager: this.services.compaction } : {}),
			...this.#todoStrategy(),
			host: {
				emit: session.emitter.emit,
				hooks: session.hooks,
				meter: session.meter,
				steering: session.mailbox,
				notices: () => this.subagents.endedNotices(),
				settings: () => this.#settings(),
				recordMessage: (message, origin) => void session.conversation.append(message, origin),
				persist: async () => {
					await session.fileFork.keep();
					await this.services.flush();
				},
				beforeTurn: () => this.#calls.checkpoint('turn'),
				toolContext: (call, signal, onProgress) => this.#calls.context(call, signal, onProgress),
				aroundToolCall: (...call) => this.#calls.run(...call),
				beforeEnd: (text) => this.#beforeEnd(text),
				overBudget: () => session.family.budget.exceeded()
			}
		};
	}

	/** Hooks of the project run for the user's agent; those around tools run for its subagents too. */
	async #runMessageHooks(prompt: readonly ContentPart[]): Promise<void> {
		const { session } = this;
		if (session.parent) return;
		session.family.projectHooks = await this.#loadedHooks.read(session.fileFork.base);
		if (session.family.projectHooks.length === 0) return;
		const text = prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
		const added = await session.files.during('shell', () =>
			this.#projectHooks.beforeMessage(text, this.#hookContext('message'))
		);
		for (const each of added) {
			this.#addNotice({ role: 'user', content: [{ type: 'text', text: each }] });
			session.emitter.emit({ type: 'notice', message: each });
		}
	}

	/** Adds a message of a hook to the conversation. */
	#addNotice(message: Message): void {
		this.session.conversation.append(message, { notice: true });
		this.session.meter.add(message);
	}

	async #beforeEnd(text: string): Promise<string | null> {
		const { session } = this;
		if (session.parent || session.family.projectHooks.length === 0) return null;
		return session.files.during('shell', () => this.#projectHooks.beforeEnd(text, this.#hookContext('end')));
	}

	/** Context of a hook that accompanies no tool call. */
	#hookContext(event: HookEvent): ToolContext {
		const call = {
			type: 'tool_call' as const,
			id: `hook:${crypto.randomUUID()}`,
			name: `hook ${event}`,
			arguments: {}
		};
		return this.#calls.context(call, this.session.signal, () => {});
	}

	#todoStrategy(): Pick<AgentLoopConfig, 'todoStrategy'> {
		const { todoStaleTurns } = this.session.options;
		const enabled = todoStaleTurns !== null && !this.session.parent;
		const staleThresholdTurns = todoStaleTurns ?? undefined;
		return {
			todoStrategy: { enabled, list: this.todo, ...(staleThresholdTurns === undefined ? {} : { staleThresholdTurns }) }
		};
	}

	/** Returns the current settings; a change takes effect with the next request. */
	async #settings(): Promise<TurnSettings> {
		const { profile, reasoningEffort, options } = this.session;
		const tools = await this.tools.bindings();
		const names = tools.map(({ definition }) => definition.name);
		return {
			client: options.client,
			provider: profile.provider,
			model: profile.model,
			systemPrompt: this.#systemPrompt ?? (await this.#prompts.build(profile, names)),
			tools,
			reasoningEffort: profile.supportsReasoning ? reasoningEffort : null,
			parallelToolCalls: profile.supportsParallelToolCalls,
			maxOutputTokens: profile.maxOutputTokens,
			contextWindowTokens: profile.contextWindowTokens,
			providerOptions: profile.providerOptions(),
			withoutImages: reasonWithoutImages(this.session.images, profile.supportsImages)
		};
	}

	/** A merge writes on the subagent's behalf, so the current mode decides. */
	async #merge(overlay: OverlayEnvironment, copiedFrom: OverlayEnvironment | null): Promise<MergeResult | string> {
		const { session } = this;
		if (session.mode === 'plan')
			return 'Its changes are not merged: in plan mode nothing is changed. Wait for it again when the mode allows it.';
		if (copiedFrom !== session.root.fileFork.environment)
			return 'Its changes are not merged: it worked on a copy of other files than yours. Make them by hand.';
		return session.files.during('tool', () => overlay.merge());
	}
}
