import type { EventOf, SessionEvent } from '#agent/events.ts';
import { disclosedKind, todoText } from '#session/share/passages.ts';
import { formatSeconds } from '../format.ts';
import { t } from '../strings/index.ts';
import type { Item, ItemBody, ItemOf, ToolStatus } from './items.ts';
import { TaskTally } from './task-tally.ts';
import { toolKind } from './tool-kind.ts';

/** Events that add one line, which later events do not change. */
type LineEvent = Extract<
	SessionEvent,
	{
		type:
			| 'turn_limit'
			| 'warning'
			| 'notice'
			| 'loop_detection'
			| 'hook_error'
			| 'hook_run'
			| 'file_fork'
			| 'context_compact'
			| 'model_change'
			| 'machine_change'
			| 'todo_reminder';
	}
>;

function machineText({ action, kind, files, durationMs }: EventOf<'machine_change'>): string {
	const seconds = formatSeconds(durationMs);
	return action === 'move' ? t.machines.movedTo(t.machines.names[kind], seconds, files) : t.machines.returned(seconds);
}

/**
 * Converts a session's events to the timeline's items, one event at a time. The cost per event does not depend on the
 * session's length. Known events (by `seq`) are ignored, so a stored log and a live stream may overlap; deltas are
 * never stored, so numbers may be missing.
 */
export class Fold {
	readonly #items: Item[] = [];
	/** Last `seq` that was processed. */
	lastSeq = 0;
	/** Checkpoint that precedes the next item. */
	#checkpointId: string | null = null;
	/** By checkpoint: index of the last message or step that had ended by then. */
	readonly #happened = new Map<string, number>();
	#task = new TaskTally(0);
	#text: number | null = null;
	#reasoning: number | null = null;
	#calls = new Map<string, number>();
	#permissions = new Map<string, number>();
	#questions = new Map<string, number>();
	#agents = new Map<string, { fold: Fold; index: number }>();
	/** Subagents whose items here are older than in their own folds. */
	#stale = new Set<{ fold: Fold; index: number }>();

	/** Items in display order. */
	get items(): readonly Item[] {
		for (const { fold, index } of this.#stale)
			this.#patch(index, 'agent', (item) => ({ ...item, nested: fold.items.slice() }));
		this.#stale.clear();
		return this.#items;
	}

	/** Returns true if anything visible changed. */
	push(event: SessionEvent): boolean {
		if (event.seq <= this.lastSeq) return false;
		this.lastSeq = event.seq;
		return this.#take(event);
	}

	#take(event: SessionEvent): boolean {
		this.#task.take(event);
		switch (event.type) {
			case 'user_input':
				this.#task = new TaskTally(event.timestamp);
				return this.#add(event, { kind: 'user', content: event.content, steering: false });
			case 'steering_injected':
				return this.#add(event, { kind: 'user', content: event.content, steering: true });
			case 'assistant_text_start':
			case 'assistant_text_delta':
			case 'assistant_text_end':
			case 'reasoning_start':
			case 'reasoning_delta':
			case 'reasoning_end':
			case 'message_end':
				return this.#takeMessage(event);
			case 'tool_call_delta':
			case 'tool_call_start':
			case 'tool_call_output_delta':
			case 'tool_call_end':
				return this.#takeCall(event);
			case 'permission_request':
				this.#setStatus(event.callId, 'waiting');
				this.#permissions.set(event.requestId, this.#items.length);
				return this.#add(event, { kind: 'permission', request: event, expired: false });
			case 'permission_resolved':
				return this.#resolve(event);
			case 'question':
				return this.#ask(event);
			case 'checkpoint':
				return this.#checkpoint(event.checkpointId);
			case 'retry':
				return this.#retry(event);
			case 'agent_end':
				return this.#end(event);
			case 'session_fork':
				return this.#add(event, { kind: 'forked' });
			case 'error':
				return this.#add(event, { kind: 'error', error: event.error, fatal: event.fatal });
			case 'diagnostics':
				if (event.items.length === 0) return false;
				return this.#add(event, { kind: 'diagnostics', path: event.path, items: event.items });
			case 'subagent_event':
				return this.#nested(event);
			case 'session_start':
			case 'session_end':
			case 'agent_start':
			case 'state_change':
			case 'turn_start':
			case 'turn_end':
			case 'message_start':
			case 'file_change':
			case 'usage':
			case 'context_usage':
				return false;
			default:
				return this.#addLine(event);
		}
	}

	/** Processes model output: text and reasoning deltas. */
	#takeMessage(
		event: Extract<SessionEvent, { type: `assistant_text_${string}` | `reasoning_${string}` | 'message_end' }>
	): boolean {
		switch (event.type) {
			case 'assistant_text_start':
				this.#text = this.#items.length;
				return this.#add(event, { kind: 'text', text: '', streaming: true });
			case 'assistant_text_delta':
				return this.#patch(this.#text, 'text', (item) => ({ ...item, text: item.text + event.delta }));
			case 'assistant_text_end':
				return this.#closeText(event, event.text);
			case 'reasoning_start':
				this.#reasoning = this.#items.length;
				return this.#add(event, { kind: 'reasoning', text: '', streaming: true, durationMs: 0 });
			case 'reasoning_delta':
				return this.#patch(this.#reasoning, 'reasoning', (item) => ({ ...item, text: item.text + event.delta }));
			case 'reasoning_end':
				return this.#closeReasoning(event, event.text);
			case 'message_end':
				return [this.#closeText(event), this.#closeReasoning(event), this.#queueCalls(event)].includes(true);
		}
	}

	/** Marks the tool calls of a complete response as queued: those that are not running yet wait for others. */
	#queueCalls({ message, stopReason }: Extract<SessionEvent, { type: 'message_end' }>): boolean {
		if (stopReason === 'error' || stopReason === 'aborted') return false;
		const written = message.content.flatMap((part) => {
			const item = part.type === 'tool_call' ? this.#items[this.#calls.get(part.id) ?? -1] : undefined;
			return item?.kind === 'tool' && item.status === 'preparing' ? [item.callId] : [];
		});
		for (const callId of written) this.#setStatus(callId, 'queued');
		return written.length > 0;
	}

	/** Processes a tool call: partial arguments, start, output and end. */
	#takeCall(event: Extract<SessionEvent, { type: `tool_call_${string}` }>): boolean {
		switch (event.type) {
			case 'tool_call_delta':
				return this.#tool(event, event.callId, event.toolName, { arguments: event.partialArguments });
			case 'tool_call_start':
				return this.#tool(event, event.callId, event.toolName, { arguments: event.arguments, status: 'running' });
			case 'tool_call_output_delta':
				if (!this.#isOpen(event.callId, 'tool_call_end')) return false;
				return this.#patch(this.#calls.get(event.callId), 'tool', (item) => ({
					...item,
					output: item.output + event.delta
				}));
			case 'tool_call_end':
				return this.#tool(event, event.callId, event.toolName, {
					status: event.isError ? 'failed' : 'done',
					output: event.output,
					details: event.details,
					durationMs: event.durationMs
				});
		}
	}

	/** Adds the line of an event that no later event changes. */
	#addLine(event: LineEvent): boolean {
		const add = (text: string, tone: 'info' | 'warning' = 'info') => this.#add(event, { kind: 'notice', tone, text });
		switch (event.type) {
			case 'turn_limit':
				return this.#add(event, { kind: 'limit', text: event.message });
			case 'warning': {
				// The error that follows reports it, with what to do.
				if (event.code === 'context_overflow') return false;
				const passage = disclosedKind(event.code);
				if (passage) return this.#add(event, { kind: 'unshown', passage, text: event.message });
				return add(event.message, 'warning');
			}
			case 'notice':
				return add(event.message);
			case 'loop_detection':
			case 'hook_error':
				return add(event.message, 'warning');
			case 'hook_run': {
				// The card of the call shows the output of its hooks.
				if (event.callId !== undefined && event.exitCode === 0) return false;
				return add(
					t.timeline.hook(event.command, event.exitCode, formatSeconds(event.durationMs)),
					event.exitCode === 0 ? 'info' : 'warning'
				);
			}
			case 'file_fork':
				return add(
					[t.fork.reported[event.action](event.count), t.fork.clash(event.conflicts)].filter(Boolean).join(' '),
					event.conflicts.length > 0 || event.action === 'lost' ? 'warning' : 'info'
				);
			case 'context_compact':
				if (!event.success) return add(t.timeline.compactFailed, 'warning');
				return this.#add(event, {
					kind: 'compacted',
					beforeTokens: event.beforeTokens,
					afterTokens: event.afterTokens
				});
			case 'model_change':
				return add(t.timeline.modelChanged(event.model));
			case 'machine_change':
				if (event.action === 'lost') return add(t.machines.lostThere(t.machines.names[event.kind]), 'warning');
				return this.#add(event, { kind: 'moved', text: machineText(event) });
			case 'todo_reminder':
				return add([t.timeline.todoReminder, todoText(event.items)].join('\n'));
		}
	}

	/** Last item before a checkpoint; `undefined` for one of another branch. */
	happenedBefore(checkpointId: string): Item | undefined {
		return this.#items[this.#happened.get(checkpointId) ?? -1];
	}

	/**
	 * A checkpoint before a command is created after its call has started: it belongs to that call, unless the call
	 * already has one.
	 */
	#checkpoint(id: string): boolean {
		const last = this.#items.findLastIndex((item) => item.kind === 'user' || (item.kind === 'tool' && isOver(item)));
		this.#happened.set(id, last);
		const index = this.#items.findLastIndex((item) => item.kind === 'tool' && item.status === 'running');
		const running = this.#items[index];
		if (running === undefined) this.#checkpointId = id;
		else this.#items[index] = { ...running, checkpointId: running.checkpointId ?? id };
		return running !== undefined;
	}

	#add(event: SessionEvent, body: ItemBody): boolean {
		const { sessionId, seq, timestamp } = event;
		const checkpoint = this.#checkpointId === null ? {} : { checkpointId: this.#checkpointId };
		this.#checkpointId = null;
		this.#items.push({ key: `${sessionId}:${seq}`, seq, timestamp, ...checkpoint, ...body });
		return true;
	}

	/** Replaces the item at an index if it is of the expected kind. */
	#patch<K extends Item['kind']>(
		index: number | null | undefined,
		kind: K,
		change: (item: ItemOf<K>) => Item
	): boolean {
		const item = index === null || index === undefined ? undefined : this.#items[index];
		if (index === null || index === undefined || item === undefined || !isKind(item, kind)) return false;
		this.#items[index] = change(item);
		return true;
	}

	/** A text without deltas (in a replay) is created by its end event. */
	#closeText(event: SessionEvent, text?: string): boolean {
		const index = this.#text;
		this.#text = null;
		if (index === null && text) return this.#add(event, { kind: 'text', text, streaming: false });
		return this.#patch(index, 'text', (item) => ({ ...item, text: text ?? item.text, streaming: false }));
	}

	#closeReasoning(event: SessionEvent, text?: string): boolean {
		const index = this.#reasoning;
		this.#reasoning = null;
		if (index === null && text) {
			return this.#add(event, { kind: 'reasoning', text, streaming: false, durationMs: 0 });
		}
		return this.#patch(index, 'reasoning', (item) => ({
			...item,
			text: text ?? item.text,
			streaming: false,
			durationMs: event.timestamp - item.timestamp
		}));
	}

	#tool(event: SessionEvent, callId: string, toolName: string, change: Partial<ItemOf<'tool'>>): boolean {
		// An earlier call with the same id stays as displayed.
		if (!this.#isOpen(callId, event.type)) {
			this.#calls.set(callId, this.#items.length);
			this.#add(event, {
				kind: 'tool',
				callId,
				toolName,
				tool: toolKind(toolName),
				arguments: {},
				status: 'preparing',
				output: ''
			});
		}
		if (event.type === 'tool_call_end') this.#closeQuestion(callId);
		return this.#patch(this.#calls.get(callId), 'tool', (item) => ({ ...item, ...change, toolName }));
	}

	/**
	 * Returns true if an event belongs to the displayed call: each call has partial arguments, then one start and one
	 * end.
	 */
	#isOpen(callId: string, type: SessionEvent['type']): boolean {
		const item = this.#items[this.#calls.get(callId) ?? -1];
		if (item?.kind !== 'tool') return false;
		return type === 'tool_call_end' ? !isOver(item) : item.status === 'preparing' || item.status === 'queued';
	}

	#setStatus(callId: string, status: ToolStatus): void {
		this.#patch(this.#calls.get(callId), 'tool', (item) => ({ ...item, status }));
	}

	#resolve(event: Extract<SessionEvent, { type: 'permission_resolved' }>): boolean {
		const index = this.#permissions.get(event.requestId);
		this.#permissions.delete(event.requestId);
		return this.#patch(index, 'permission', (item) => {
			this.#setStatus(item.request.callId, 'running');
			return { ...item, decision: event.decision };
		});
	}

	/** Marks prompts that were open when the run ended: they can no longer be answered. */
	#expire(): void {
		for (const index of this.#permissions.values()) {
			this.#patch(index, 'permission', (item) => ({ ...item, expired: true }));
		}
		this.#permissions.clear();
	}

	#ask(event: Extract<SessionEvent, { type: 'question' }>): boolean {
		const { callId, question, options = [], multiple = false } = event;
		this.#questions.set(callId, this.#items.length);
		return this.#add(event, { kind: 'question', callId, question, options, multiple, open: true });
	}

	#end(event: Extract<SessionEvent, { type: 'agent_end' }>): boolean {
		this.#expire();
		const { stopReason } = event.result;
		return this.#add(event, { kind: 'end', stopReason, ...this.#task.totals(event.timestamp) });
	}

	/** All attempts share one line. */
	#retry({ attempt, delayMs, message, ...event }: Extract<SessionEvent, { type: 'retry' }>): boolean {
		const tried = { kind: 'retry', attempt, delayMs, message } as const;
		const last = this.#items.length - 1;
		return (
			this.#patch(last, 'retry', (item) => ({ ...item, ...tried })) ||
			this.#add({ ...event, attempt, delayMs, message }, tried)
		);
	}

	#closeQuestion(callId: string): void {
		this.#patch(this.#questions.get(callId), 'question', (item) => ({ ...item, open: false }));
		this.#questions.delete(callId);
	}

	#nested(event: Extract<SessionEvent, { type: 'subagent_event' }>): boolean {
		let agent = this.#agents.get(event.agentId);
		if (!agent) {
			agent = { fold: new Fold(), index: this.#items.length };
			this.#agents.set(event.agentId, agent);
			this.#add(event, { kind: 'agent', agentId: event.agentId, nested: [] });
		}
		if (!agent.fold.push(event.event)) return false;
		this.#stale.add(agent);
		return true;
	}
}

function isOver({ status }: ItemOf<'tool'>): boolean {
	return status === 'done' || status === 'failed';
}

function isKind<K extends Item['kind']>(item: Item, kind: K): item is ItemOf<K> {
	return item.kind === kind;
}
