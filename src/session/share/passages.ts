import { REMINDER_TEMPLATE } from '#agent/loop/reminders.ts';
import { restoredTodo } from '#agent/restored-todo.ts';
import type { SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { TodoItem } from '#agent/todo.ts';
import type { ContentPart, Message } from '#llm/types.ts';

/** Role of a passage in the conversation. */
export type PassageKind = 'user' | 'assistant' | 'call' | 'result' | 'picture' | 'summary' | 'todo';

/** Content of the log that reaches the model, as readable text. */
export interface Passage {
	kind: PassageKind;
	text: string;
	/** Tool call it belongs to. */
	callId?: string;
	/** The image that `text` only describes. */
	picture?: { mediaType: string; data: string };
}

/** Everything in a message that reaches the model. */
export function passagesOf({ role, content }: Message): Passage[] {
	return content.flatMap((part) => passagesOfPart(role, part)).filter(({ text }) => text !== '');
}

/** Content that an entry adds to the conversation, or to the agent's reminders. */
export function passagesOfEntry(entry: SessionEntry): Passage[] {
	switch (entry.type) {
		case 'message':
			return passagesOf(entry.message);
		case 'compaction':
		case 'branch_summary':
			return entry.summary === '' ? [] : [{ kind: 'summary', text: entry.summary }];
		case 'todo_list':
			return entry.items.length === 0 ? [] : [{ kind: 'todo', text: todoText(entry.items) }];
		case 'event': {
			const items = restoredTodo([entry]);
			const { event } = entry;
			const callId = event.type === 'tool_call_end' ? { callId: event.callId } : {};
			return items.length === 0 ? [] : [{ kind: 'todo', text: todoText(items), ...callId }];
		}
		default:
			return [];
	}
}

/** Content that the timeline shows of an event, in the form of {@link Passage.text}. */
export function shownBy(event: SessionEvent): Passage[] {
	switch (event.type) {
		case 'user_input':
		case 'steering_injected':
			return passagesOf({ role: 'user', content: event.content });
		case 'assistant_text_end':
			return [{ kind: 'assistant', text: event.text }];
		case 'tool_call_start':
			return [{ kind: 'call', text: callText(event.toolName, event.arguments), callId: event.callId }];
		case 'loop_detection':
		case 'notice':
			return [{ kind: 'user', text: event.message }];
		case 'todo_reminder':
			return [{ kind: 'user', text: reminderText(event.turnsSinceUpdate, event.items) }];
		case 'warning': {
			const kind = disclosedKind(event.code);
			return kind ? [{ kind, text: event.message }] : [];
		}
		default:
			return [];
	}
}

const DISCLOSED = 'unshown_';
const KINDS: readonly string[] = [
	'user',
	'assistant',
	'call',
	'result',
	'picture',
	'summary',
	'todo'
] satisfies PassageKind[];

/** Code of the warning that shows an otherwise hidden passage. */
export function disclosureCode(kind: PassageKind): string {
	return DISCLOSED + kind;
}

/** Kind of the passage that a warning with this code shows; `null` for other warnings. */
export function disclosedKind(code: string | undefined): PassageKind | null {
	const kind = code?.startsWith(DISCLOSED) ? code.slice(DISCLOSED.length) : '';
	return isKind(kind) ? kind : null;
}

function isKind(kind: string): kind is PassageKind {
	return KINDS.includes(kind);
}

/** The task list as the agent is reminded of it. */
export function todoText(items: readonly TodoItem[]): string {
	return items.map(({ status, content }) => `- [${status}] ${content}`).join('\n');
}

function reminderText(turns: number, items: readonly TodoItem[]): string {
	return REMINDER_TEMPLATE.replaceAll('{N}', () => String(turns)).replaceAll('{todo_list}', () => todoText(items));
}

function callText(name: string, args: Record<string, unknown>): string {
	return `${name} ${JSON.stringify(args, null, 1)}`;
}

function passagesOfPart(role: Message['role'], part: ContentPart): Passage[] {
	switch (part.type) {
		case 'text':
			return [{ kind: role === 'assistant' ? 'assistant' : 'user', text: part.text }];
		case 'image':
			return [pictureOf(part)];
		case 'tool_call':
			return [{ kind: 'call', text: callText(part.name, part.arguments), callId: part.id }];
		case 'tool_result':
			return [
				{ kind: 'result', text: part.content, callId: part.callId },
				...(part.images ?? []).map((image) => ({ ...pictureOf(image), callId: part.callId }))
			];
		default:
			// Admitted messages have no other parts.
			return [];
	}
}

function pictureOf({ mediaType, data }: { mediaType: string; data: string }): Passage {
	const kilobytes = Math.ceil((data.length * 3) / 4 / 1024);
	return { kind: 'picture', text: `${mediaType}, ${kilobytes} KB`, picture: { mediaType, data } };
}
