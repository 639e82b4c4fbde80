import type { MergeResult, OverlayEnvironment } from '#environment/contract.ts';
import type { ContentPart, ToolCallPart } from '#llm/types.ts';
import { ActiveTools } from './active-tools.ts';
import type { GuardOptions } from './api.ts';
import type { AgentResult } from './events.ts';
import { NOT_ANSWERED, type AskPermission } from './guards/permission-types.ts';
import { FamilyGuards } from './family-guards.ts';
import { QuestionWithdrawn } from './question-withdrawn.ts';
import { runAgentLoop } from './loop/agent-loop.ts';
import { DEFAULT_TOOL_ROUNDS, type AgentLoopConfig, type TurnSettings } from './loop/config.ts';
import { RunToolState } from './loop/run-state.ts';
import { WriteDiagnostics } from './diagnostics/write-diagnostics.ts';
import { createGuards } from './guards/guards.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import { collectPromptParts } from './prompt/collect.ts';
import type { Session } from './session.ts';
import type { WorkInHand } from './work-in-hand.ts';
import type { SessionCompaction } from './session-compaction.ts';
import { Subagents, type ChildOptions } from './subagents.ts';
import { DEFAULT_MAX_IMAGE_BYTES, reasonWithoutImages } from './image-policy.ts';
import { BackgroundProcesses } from './tools/background.ts';
import { TemporaryFiles } from './tools/temporary-files.ts';
import { Skills } from './extensions/skills/skills.ts';
import { ServerNotices } from './server-notices.ts';
import { SystemPrompts, withSkills } from './system-prompts.ts';
import { TodoList } from './todo-list.ts';
import { restoredTodo } from './restored-todo.ts';
import { createToolLimits } from './tools/truncation.ts';
import type { ToolBinding, ToolContext, ToolLimits, ToolResult } from './tool.ts';
import { emptyUsage } from '#llm/usage.ts';

const DEFAULT_MAX_DEPTH = 1;

/** Drives the loop for a session: what a run gets of it, and what the session keeps of a run. */
export class SessionRuns {
	readonly todo: TodoList;
	readonly subagents: Subagents;
	readonly skills: Skills;
	readonly tools: ActiveTools;
	readonly #toolState = new RunToolState();
	readonly #guards: FamilyGuards;
	readonly #prompts: SystemPrompts;
	/** `null`: turned off. */
	readonly #diagnostics: WriteDiagnostics | null;
	readonly #servers: ServerNotices;
	#turns = 0;
	/** Of the run now; one hook may have changed it. */
	#systemPrompt: string | null = null;

	constructor(
		private readonly session: Session,
		private readonly compaction: SessionCompaction,
		spawn: (child: ChildOptions) => Session
	) {
		const { options, emitter } = session;
		this.todo = new TodoList(restoredTodo(session.log.branch()));
		for (const entry of session.log.branch()) {
			if (entry.type === 'event' && entry.event.type === 'agent_end') this.#turns += entry.event.result.turns;
		}
		this.#guards = new FamilyGuards(
			session.family,
			(rules, ask) => (options.createGuards ?? createGuards)(this.#guardOptions(rules, ask)),
			options.askPermission && this.#asking(options.askPermission)
		);
		const { environment, diagnostics = true } = options;
		const readBlob = (blob: string): Promise<Uint8Array> => session.files.history.read(blob);
		this.#diagnostics = diagnostics ? new WriteDiagnostics(environment, readBlob, emitter.emit) : null;
		this.#servers = new ServerNotices(environment);
		const trusted = options.trustProjectInstructions ?? false;
		this.#prompts = new SystemPrompts(
			environment,
			withSkills(options.collectPromptParts ?? collectPromptParts, () => this.skills.section()),
			() => session.root.options.userInstructions ?? '',
			trusted
		);
		this.skills = new Skills(environment, trusted && (options.skills ?? true));
		this.tools = new ActiveTools(session, this.skills);
		this.subagents = new Subagents({
			environment,
			create: spawn,
			emit: emitter.emit,
			merge: (overlay, copiedFrom) => this.#merge(overlay, copiedFrom),
			fork: () => session.root.fileFork.environment
		});
	}

	/** Ends subagents and the commands left in the background, and removes what tools kept; for the end of the session. */
	async close(): Promise<void> {
		await this.subagents.closeAll();
		await BackgroundProcesses.of(this.#toolState).killAll();
		await TemporaryFiles.of(this.#toolState).removeAll(this.session.options.environment);
	}

	/** What a summary of the conversation would otherwise leave out. */
	get work(): WorkInHand {
		return {
			mode: this.session.effectiveMode,
			todo: this.todo.read(),
			processes: BackgroundProcesses.of(this.#toolState).running(),
			subagents: this.subagents.working()
		};
	}

	/** No subagent works on after the run of the agent that started it. */
	async stopSubagents(stoppedByUser: boolean): Promise<void> {
		const stopped = await this.subagents.stopAll();
		if (stopped.length === 0 || stoppedByUser) return;
		const message = `The run ended before ${stopped.join(', ')} had finished: stopped. A message to them continues their work.`;
		this.session.emitter.emit({ type: 'warning', code: 'subagents_stopped', message });
	}

	/** One input from its hooks to its end. */
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
		for (const message of prepared.messages) {
			conversation.append(message, { notice: true });
			session.meter.add(message);
		}
		emitter.emit({ type: 'user_input', content: prepared.prompt });
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
			limits: this.#limits(),
			...(options.failureDetection ? { failureDetection: options.failureDetection } : {}),
			...(options.loopDetection ? { loopDetection: options.loopDetection } : {}),
			...(options.streamRetry ? { streamRetry: options.streamRetry } : {}),
			...(options.compaction ? { contextManager: this.compaction } : {}),
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
					await session.flush();
				},
				beforeTurn: () => this.#checkpoint('turn'),
				toolContext: (call, signal, onProgress) => this.#toolContext(call, signal, onProgress),
				aroundToolCall: async (call, binding, execute) => {
					this.#servers.prepare();
					return this.#servers.append(await this.#aroundToolCall(call, binding, execute), binding.tool.name);
				},
				overBudget: () => session.family.budget.exceeded()
			}
		};
	}

	#todoStrategy(): Pick<AgentLoopConfig, 'todoStrategy'> {
		const { todoStaleTurns } = this.session.options;
		const enabled = todoStaleTurns !== null && !this.session.parent;
		const staleThresholdTurns = todoStaleTurns ?? undefined;
		return {
			todoStrategy: { enabled, list: this.todo, ...(staleThresholdTurns === undefined ? {} : { staleThresholdTurns }) }
		};
	}

	/** As they are now; a change takes effect with the next request. */
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

	#limits(): ToolLimits {
		const { options, profile } = this.session;
		const timeout = options.defaultCommandTimeoutMs ?? profile.defaultCommandTimeoutMs;
		return createToolLimits({
			...options.outputLimits,
			...(timeout === undefined ? {} : { defaultCommandTimeoutMs: timeout })
		});
	}

	#toolContext(call: ToolCallPart, signal: AbortSignal, onProgress: (delta: string) => void): ToolContext {
		const { session, todo } = this;
		const agentId = session.parent?.agentId ?? 'main';
		const depth = session.parent?.depth ?? 0;
		const mayHaveAgents = depth < (session.options.maxSubagentDepth ?? DEFAULT_MAX_DEPTH);
		return {
			callId: call.id,
			agentId,
			environment: session.options.environment,
			signal,
			onProgress,
			propose: (change) => this.#guards.propose(change, { callId: call.id, agentId, toolName: call.name, signal }),
			permitCommand: (change, exec) =>
				this.#guards.permitCommand(change, exec, { callId: call.id, agentId, toolName: call.name, signal }),
			state: this.#toolState,
			limits: this.#limits(),
			commandPrefix: session.options.commandPrefix,
			images: { maxBytes: session.images.maxBytes ?? DEFAULT_MAX_IMAGE_BYTES, scale: session.options.scaleImage },
			todo: { read: () => todo.read(), replace: (items) => todo.replace(items) },
			...(mayHaveAgents ? { agents: this.subagents.during(signal) } : {}),
			...(session.parent ? {} : { askUser: (...asked) => this.#askUser(call.id, signal, ...asked) })
		};
	}

	#askUser(
		callId: string,
		signal: AbortSignal,
		question: string,
		options?: string[],
		multiple = false
	): Promise<string> {
		const { session } = this;
		const show = (): void => {
			session.emitter.emit({
				type: 'question',
				callId,
				question,
				...(options ? { options } : {}),
				...(multiple ? { multiple } : {})
			});
			session.suspend(true);
		};
		return session.question.ask(signal, show, () => session.suspend(false));
	}

	async #aroundToolCall(
		_: ToolCallPart,
		{ tool }: ToolBinding,
		execute: () => Promise<ToolResult>
	): Promise<ToolResult> {
		if (tool.access !== 'write') {
			const result = await execute();
			if (tool.access === 'read') this.#diagnostics?.prepare(result);
			return result;
		}
		const { files, fileFork } = this.session;
		const shell = tool.name.startsWith('shell');
		// What runs on a fork leaves the project as it is.
		if (shell && !fileFork.isOpen) await this.#checkpoint('command');
		const diagnostics = shell ? null : this.#diagnostics;
		const result = await files.during(
			shell ? 'shell' : 'tool',
			execute,
			(value, changed) => diagnostics?.append(value, changed) ?? value
		);
		await fileFork.keep();
		return result;
	}

	/** A checkpoint that fails is told; the work goes on without it. */
	async #checkpoint(label: string): Promise<void> {
		const { options, emitter, log, parent } = this.session;
		if (!options.checkpoint || parent) return;
		try {
			const { id, tree } = await options.checkpoint(label);
			log.append({ type: 'checkpoint', checkpointId: id, tree, label });
			emitter.emit({ type: 'checkpoint', checkpointId: id, tree, label });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			emitter.emit({ type: 'warning', code: 'checkpoint_failed', message: `No checkpoint was taken: ${reason}` });
		}
	}

	/** A merge writes on the subagent's behalf, so the mode of the moment decides. */
	async #merge(overlay: OverlayEnvironment, copiedFrom: OverlayEnvironment | null): Promise<MergeResult | string> {
		const { session } = this;
		if (session.mode === 'plan')
			return 'Its changes are not merged: in plan mode nothing is changed. Wait for it again when the mode allows it.';
		if (copiedFrom !== session.root.fileFork.environment)
			return 'Its changes are not merged: it worked on a copy of other files than yours. Make them by hand.';
		return session.files.during('tool', () => overlay.merge());
	}

	#guardOptions(rules: readonly PermissionRule[], ask: AskPermission | undefined): GuardOptions {
		const { options } = this.session;
		return {
			mode: () => this.session.effectiveMode,
			allowRules: rules,
			environment: options.environment,
			readBeforeWrite: () => this.session.profile.readBeforeWrite,
			state: this.#toolState,
			...(options.network ? { network: options.network } : {}),
			...(options.onAllowRule ? { onAllowRule: options.onAllowRule } : {}),
			...(ask ? { ask } : {})
		};
	}

	#asking(ask: AskPermission): AskPermission {
		const { emitter } = this.session;
		return async (request, signal) => {
			emitter.emit({ type: 'permission_request', ...request });
			try {
				const decision = await ask(request, signal);
				emitter.emit({ type: 'permission_resolved', requestId: request.requestId, decision });
				return decision;
			} catch (error) {
				const explanation = error instanceof QuestionWithdrawn ? error.message : NOT_ANSWERED;
				const decision = { kind: 'deny_explain' as const, explanation };
				emitter.emit({ type: 'permission_resolved', requestId: request.requestId, decision });
				throw error;
			}
		};
	}
}
