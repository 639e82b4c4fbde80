import type { ContentPart, Message } from '#llm/types.ts';
import type { EventBody, SessionEvent } from './events.ts';
import type { ToolResult } from './tool.ts';

/** A pipe that takes longer is skipped. */
export const HOOK_TIMEOUT_MS = 5_000;

export type SessionOperation = 'compact' | 'fork' | 'undo';

/** Input of a run before it starts. */
export interface AgentPreparation {
	prompt: ContentPart[];
	system: string;
	/** Added to the conversation before the prompt. */
	messages: Message[];
}

/**
 * Host logic that runs at certain points of a run (003 §I, 002 F-002). Gates can block an action, pipes change data,
 * notifications only observe. Each gets a copy, never the live object.
 */
export interface Hook {
	/** Name reported in `hook_error`. */
	name?: string;
	/** Gate. `{ block }` becomes the result of the call. A gate that throws blocks. */
	beforeToolCall?(toolName: string, args: Record<string, unknown>): Awaitable<void | { block: string }>;
	/** Gate. A gate on `fork` must answer synchronously. */
	beforeSessionOp?(operation: SessionOperation): Awaitable<void | 'cancel'>;
	/** Pipe. */
	onToolResult?(toolName: string, result: ToolResult): Awaitable<ToolResult>;
	/** Pipe for the messages of the next request; the conversation itself does not change. */
	onContext?(messages: Message[]): Awaitable<Message[]>;
	/** Pipe. `handled` stops it: later hooks do not see the input and no run starts. */
	onInput?(input: ContentPart[]): Awaitable<void | 'handled' | { transform: ContentPart[] }>;
	/** Pipe. */
	onBeforeAgent?(preparation: AgentPreparation): Awaitable<AgentPreparation>;
	/** Notifications; they are not awaited. */
	beforeTurn?(turnIndex: number): Awaitable<void>;
	afterTurn?(turnIndex: number): Awaitable<void>;
	beforeToolExecution?(toolName: string, args: Record<string, unknown>): Awaitable<void>;
	afterToolExecution?(toolName: string, result: ToolResult): Awaitable<void>;
	onEvent?(event: SessionEvent): Awaitable<void>;
}

type Awaitable<T> = T | Promise<T>;
type Notification = 'beforeTurn' | 'afterTurn' | 'beforeToolExecution' | 'afterToolExecution' | 'onEvent';

/** Runs hooks in the order given. A failing hook never ends the loop. */
export class HookRunner {
	/** @param report receives `hook_error` events */
	constructor(
		private readonly hooks: readonly Hook[],
		private readonly report: (body: EventBody) => void
	) {}

	/** Returns the reason why a call is blocked, or `null`. Waits for the gates until the run ends. */
	async gateToolCall(toolName: string, args: Record<string, unknown>, signal: AbortSignal): Promise<string | null> {
		for (const hook of this.hooks) {
			if (!hook.beforeToolCall) continue;
			try {
				const verdict = await untilAborted(hook.beforeToolCall(toolName, structuredClone(args)), signal);
				if (verdict) return verdict.block;
			} catch (error) {
				if (signal.aborted) return 'Operation aborted';
				this.#failed(hook, 'beforeToolCall', error);
				return `Blocked: a hook that checks ${toolName} failed. Do it another way, or notify the user.`;
			}
		}
		return null;
	}

	/** Returns false when a hook cancels. */
	async gateSessionOp(operation: SessionOperation): Promise<boolean> {
		for (const hook of this.hooks) {
			try {
				if ((await hook.beforeSessionOp?.(operation)) === 'cancel') return false;
			} catch (error) {
				this.#failed(hook, 'beforeSessionOp', error);
				return false;
			}
		}
		return true;
	}

	/** Synchronous form of `gateSessionOp`: a later answer counts as a cancellation. */
	gateSessionOpNow(operation: SessionOperation): boolean {
		return this.hooks.every((hook) => {
			try {
				const verdict = hook.beforeSessionOp?.(operation);
				if (verdict === undefined) return true;
				if (verdict instanceof Promise) {
					verdict.catch((error: unknown) => this.#failed(hook, 'beforeSessionOp', error));
					throw new TypeError(`A hook has to answer “${operation}” at once, not with a promise.`);
				}
				return verdict !== 'cancel';
			} catch (error) {
				this.#failed(hook, 'beforeSessionOp', error);
				return false;
			}
		});
	}

	toolResult(toolName: string, result: ToolResult): Promise<ToolResult> {
		return this.#pipe('onToolResult', result, (hook, value) => hook.onToolResult?.(toolName, value));
	}

	context(messages: Message[]): Promise<Message[]> {
		return this.#pipe('onContext', messages, (hook, value) => hook.onContext?.(value));
	}

	beforeAgent(preparation: AgentPreparation): Promise<AgentPreparation> {
		return this.#pipe('onBeforeAgent', preparation, (hook, value) => hook.onBeforeAgent?.(value));
	}

	/** Returns the input to use, or `null` when a hook has handled it. */
	async input(input: ContentPart[]): Promise<ContentPart[] | null> {
		let value = input;
		for (const hook of this.hooks) {
			if (!hook.onInput) continue;
			try {
				const verdict = await withinTimeout(hook.onInput(structuredClone(value)));
				if (verdict === 'handled') return null;
				if (verdict) value = verdict.transform;
			} catch (error) {
				this.#failed(hook, 'onInput', error);
			}
		}
		return value;
	}

	notify<N extends Notification>(point: N, ...args: Parameters<NonNullable<Hook[N]>>): void {
		for (const hook of this.hooks) {
			const listener = hook[point];
			if (!listener) continue;
			const fail = (error: unknown): void => {
				if (!isHookError(args)) this.#failed(hook, point, error);
			};
			try {
				// The mapped type cannot express that `args` fits `listener`; both come from the same `N`.
				const call = listener as (...args: unknown[]) => Awaitable<void>;
				Promise.resolve(call.apply(hook, structuredClone(args))).catch(fail);
			} catch (error) {
				fail(error);
			}
		}
	}

	async #pipe<T>(point: string, initial: T, step: (hook: Hook, value: T) => Awaitable<T> | undefined): Promise<T> {
		let value = initial;
		for (const hook of this.hooks) {
			if (!(point in hook)) continue;
			try {
				value = (await withinTimeout(step(hook, structuredClone(value)))) ?? value;
			} catch (error) {
				this.#failed(hook, point, error);
			}
		}
		return value;
	}

	#failed(hook: Hook, point: string, error: unknown): void {
		const stack = error instanceof Error ? error.stack : undefined;
		const body = { type: 'hook_error', hook: hook.name ?? 'unnamed', point, message: messageOf(error) } as const;
		this.report(stack ? { ...body, stack } : body);
	}
}

/** A failing event listener is not notified of its own failure, which would recurse. */
function isHookError(args: readonly unknown[]): boolean {
	const [event] = args;
	return typeof event === 'object' && event !== null && 'type' in event && event.type === 'hook_error';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function withinTimeout<T>(work: Awaitable<T>): Promise<T> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`The hook took over ${HOOK_TIMEOUT_MS / 1000} s and was skipped.`)),
			HOOK_TIMEOUT_MS
		);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}

async function untilAborted<T>(work: Awaitable<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	let stop: (() => void) | undefined;
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(new DOMException('The run was stopped.', 'AbortError'));
		signal.addEventListener('abort', stop);
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		if (stop) signal.removeEventListener('abort', stop);
	}
}
