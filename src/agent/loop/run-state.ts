import type { ContentPart, Message, Usage } from '#llm/types.ts';
import { ContextMeter } from '../context-window.ts';
import type { EventBody } from '../events.ts';
import { HookRunner } from '../hooks.ts';
import { ToolRegistry } from '../tools/registry.ts';
import { createToolLimits } from '../tools/truncation.ts';
import type { MessageOrigin } from '../session-log.ts';
import { TodoList } from '../todo-list.ts';
import type { ToolBinding, ToolLimits, ToolState } from '../tool.ts';
import { addUsage, emptyUsage } from '#llm/usage.ts';
import type { AgentLoopConfig, LoopHost, TurnSettings } from './config.ts';
import { FailureWindow } from './failure-window.ts';
import { LoopDetector } from './loop-detection.ts';
import { TodoReminders } from './reminders.ts';

/** State of one run, discarded when it ends. */
export class RunState {
	readonly host: LoopHost;
	readonly signal: AbortSignal;
	readonly hooks: HookRunner;
	readonly meter: ContextMeter;
	readonly failures: FailureWindow;
	readonly loops: LoopDetector;
	readonly reminders: TodoReminders;
	readonly limits: ToolLimits;
	readonly todo: TodoList;
	readonly toolState: ToolState = new RunToolState();
	/** All call ids of the conversation, so that none is used twice. */
	readonly callIds = new Set<string>();
	messages: Message[];
	usage: Usage = emptyUsage();
	text = '';
	turns = 0;
	toolRounds = 0;
	#registry: { bindings: ToolBinding[]; registry: ToolRegistry } | null = null;

	/** @throws ConfigValidationError */
	constructor(
		readonly config: AgentLoopConfig,
		history: readonly Message[],
		readonly emit: (body: EventBody) => void
	) {
		this.host = config.host ?? {};
		this.signal = config.abortSignal ?? new AbortController().signal;
		this.hooks = this.host.hooks ?? new HookRunner(config.hooks ?? [], emit);
		this.meter = this.host.meter ?? new ContextMeter(history);
		this.failures = new FailureWindow(config.failureDetection);
		this.loops = new LoopDetector(config.loopDetection);
		this.reminders = new TodoReminders(config.todoStrategy);
		this.limits = createToolLimits(config.limits);
		this.todo = config.todoStrategy?.list ?? new TodoList();
		this.messages = [...history];
		for (const message of history)
			for (const part of message.content) if (part.type === 'tool_call') this.callIds.add(part.id);
	}

	settings(): Promise<TurnSettings> {
		return this.host.settings?.() ?? Promise.resolve(this.config);
	}

	registry(bindings: ToolBinding[]): ToolRegistry {
		if (this.#registry?.bindings !== bindings) this.#registry = { bindings, registry: new ToolRegistry(bindings) };
		return this.#registry.registry;
	}

	append(message: Message, origin: MessageOrigin = {}): void {
		this.messages.push(message);
		this.meter.add(message);
		this.host.recordMessage?.(message, origin);
	}

	appendSteering(content: ContentPart[]): void {
		this.append({ role: 'user', content }, { steering: true });
	}

	/** Adds a message from Sandglass itself to the model. */
	appendNotice(text: string): void {
		this.append({ role: 'user', content: [{ type: 'text', text }] }, { notice: true });
	}

	count(usage: Usage): void {
		this.usage = addUsage(this.usage, usage);
		this.meter.report(usage);
	}
}

/** Values that tools share; a session passes in its own, which outlives the run. */
export class RunToolState implements ToolState {
	readonly #values = new Map<symbol, unknown>();

	get<T>(key: symbol, create: () => T): T {
		if (!this.#values.has(key)) this.#values.set(key, create());
		// Only the owner has the symbol, so the value is the one it created.
		return this.#values.get(key) as T;
	}
}
