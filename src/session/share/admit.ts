import type { SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { ContentPart, Message, Usage } from '#llm/types.ts';
import { ShareError } from './errors.ts';

/** Images from an untrusted share that may be sent to a model. */
const IMAGE = { mediaTypes: /^image\/(?:png|jpeg|gif|webp)$/, data: /^[A-Za-z0-9+/]+={0,2}$/ };
/** Ids are sent to providers, and the replay does not show them: too short and restricted for sentences. */
const CALL_ID = /^[\x21-\x7e]{1,512}$/;
const MAX_TOOL_NAME_LENGTH = 256;

const LEFT_OUT = {
	image: '[A picture was left out: it is in no form that can be shown.]',
	image_url: '[A picture at another address was left out.]',
	audio: '[A recording was left out.]',
	document: '[A document was left out.]'
} as const;

/**
 * Converts the entries of an untrusted share to a form that a session here may contain. Drops everything that
 * would reach a model without being visible to the visitor: roles other than those of a conversation, encrypted
 * or provider-specific parts, anything a provider would fetch. Events are renumbered, since the timeline skips
 * numbers it has already passed.
 *
 * @throws ShareError `instructions` or `damaged`
 */
export function admitEntries(entries: readonly SessionEntry[]): SessionEntry[] {
	const toolNames = new Map<string, string>();
	return entries.map((entry, index): SessionEntry => {
		if (entry.type === 'message') {
			return { ...entry, message: admitMessage(entry.message, toolNames) };
		}
		// Image settings are decided by the session's user.
		if (entry.type === 'settings') return { ...entry, images: {} };
		if (entry.type !== 'event') return entry;
		assertCounts(entry.event);
		return { ...entry, event: { ...entry.event, seq: index + 1 } };
	});
}

function admitMessage({ role, content }: Message, toolNames: Map<string, string>): Message {
	if (role === 'system' || role === 'developer') throw new ShareError('instructions', `a message of role ${role}`);
	return { role, content: content.flatMap((part) => admitPart(role, part, toolNames)) };
}

/** The admitted form of a part; empty if a message of that role never has such a part. */
function admitPart(role: Message['role'], part: ContentPart, toolNames: Map<string, string>): ContentPart[] {
	switch (part.type) {
		case 'text':
			return role === 'tool' ? [] : [part];
		case 'image':
			return role === 'user' ? [isShowable(part) ? part : { type: 'text', text: LEFT_OUT.image }] : [];
		case 'image_url':
		case 'audio':
		case 'document':
			return role === 'user' ? [{ type: 'text', text: LEFT_OUT[part.type] }] : [];
		case 'tool_call': {
			if (role !== 'assistant') return [];
			const { type, id, name } = part;
			assertNames(id, name);
			toolNames.set(id, name);
			return [{ type, id, name, arguments: part.arguments }];
		}
		case 'tool_result': {
			if (role !== 'tool') return [];
			const { type, callId, content, images = [], isError } = part;
			const toolName = toolNames.get(callId) ?? part.toolName;
			assertNames(callId, toolName);
			const shown = images.filter(isShowable);
			return [{ type, callId, toolName, content, ...(shown.length > 0 ? { images: shown } : {}), isError }];
		}
		case 'thinking':
		case 'redacted_thinking':
		case 'opaque':
			return [];
	}
}

function isShowable({ mediaType, data }: { mediaType: string; data: string }): boolean {
	return IMAGE.mediaTypes.test(mediaType) && data.length % 4 === 0 && IMAGE.data.test(data);
}

function assertNames(callId: string, toolName: string): void {
	if (!CALL_ID.test(callId)) throw new ShareError('damaged', 'the id of a tool call');
	if (toolName.length > MAX_TOOL_NAME_LENGTH) throw new ShareError('damaged', 'the name of a tool');
}

/** Limits continue from a session's usage: negative values would lift them. */
function assertCounts(event: SessionEvent): void {
	if (event.type === 'subagent_event') return assertCounts(event.event);
	const usage: Usage | null = event.type === 'usage' ? event.usage : null;
	const counts = event.type === 'agent_end' ? [event.result.turns] : Object.values(usage ?? {});
	if (counts.some((count) => typeof count === 'number' && count < 0))
		throw new ShareError('damaged', 'a count below 0');
}
