import type {
	ContentBlockParam,
	ImageBlockParam,
	MessageParam,
	ToolResultBlockParam
} from '@anthropic-ai/sdk/resources/messages/messages';
import { z } from 'zod';
import { anthropicCallIds, callIdMap } from '../../history/call-ids.ts';
import { isInstruction } from '../../history/instructions.ts';
import { repairOrphans } from '../../history/orphans.ts';
import type { ContentPart, ImagePart, Request } from '../../types.ts';
import { type AdapterConfig, mayReturn } from '../adapter.ts';
import { withoutUnsupported } from '../unsupported.ts';

const imageTypes = z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function refused(part: ContentPart): string | null {
	if (part.type === 'audio') return 'audio';
	if (part.type === 'document') return part.mediaType === 'application/pdf' ? null : `${part.mediaType} documents`;
	const images = part.type === 'image' ? [part] : part.type === 'tool_result' ? (part.images ?? []) : [];
	const unknown = images.find(({ mediaType }) => !imageTypes.safeParse(mediaType).success);
	return unknown ? `${unknown.mediaType} images` : null;
}

/**
 * Converts the history to alternating user and assistant messages. Results come first in a user message, then its
 * text: the repaired history has them directly after their calls.
 */
export function anthropicMessages(config: AdapterConfig, request: Request): MessageParam[] {
	const callId = callIdMap(anthropicCallIds);
	const messages: MessageParam[] = [];
	for (const message of withoutUnsupported(config, repairOrphans(request.messages), refused)) {
		if (isInstruction(message)) continue;
		const role = message.role === 'assistant' ? 'assistant' : 'user';
		const blocks: ContentBlockParam[] = [];
		// A plain loop: the whole history is converted for each request.
		for (const part of message.content) {
			const made = block(config, request, part, callId);
			if (made) blocks.push(made);
		}
		if (blocks.length === 0) continue;
		const last = messages.at(-1);
		if (last?.role === role && Array.isArray(last.content)) last.content.push(...blocks);
		else messages.push({ role, content: blocks });
	}
	return messages;
}

function block(
	config: AdapterConfig,
	request: Request,
	part: ContentPart,
	callId: (id: string) => string
): ContentBlockParam | null {
	switch (part.type) {
		case 'text':
			// The API refuses empty blocks, and blocks of only whitespace at the end of an assistant message.
			return part.text.trim() === '' ? null : { type: 'text', text: part.text };
		case 'image':
			return image(part);
		case 'image_url':
			return { type: 'image', source: { type: 'url', url: part.url } };
		case 'document':
			return {
				type: 'document',
				source: { type: 'base64', media_type: 'application/pdf', data: part.data },
				...(part.name === undefined ? {} : { title: part.name })
			};
		case 'tool_call':
			return { type: 'tool_use', id: callId(part.id), name: part.name, input: part.arguments };
		case 'tool_result': {
			const result: ToolResultBlockParam = {
				type: 'tool_result',
				tool_use_id: callId(part.callId),
				is_error: part.isError
			};
			const text = part.content === '' ? [] : [{ type: 'text' as const, text: part.content }];
			if (part.images?.length) result.content = [...text, ...part.images.map(image)];
			else if (part.content !== '') result.content = part.content;
			return result;
		}
		case 'thinking':
			if (!part.signature || !mayReturn(config, request, part.provider)) return null;
			return { type: 'thinking', thinking: part.text, signature: part.signature };
		case 'redacted_thinking':
			return mayReturn(config, request, part.provider) ? { type: 'redacted_thinking', data: part.data } : null;
		// Audio was removed before.
		case 'audio':
		case 'opaque':
			return null;
	}
}

function image({ mediaType, data }: ImagePart): ImageBlockParam {
	return { type: 'image', source: { type: 'base64', media_type: imageTypes.parse(mediaType), data } };
}
