import type {
	ResponseInputContent,
	ResponseInputImage,
	ResponseInputItem,
	ResponseInputText
} from 'openai/resources/responses/responses';
import { callIdMap, responsesCallIds } from '../../history/call-ids.ts';
import { argumentsText } from '../../history/arguments-text.ts';
import { isInstruction } from '../../history/instructions.ts';
import { repairOrphans } from '../../history/orphans.ts';
import type { ContentPart, ImagePart, Message, Request, ToolCallPart, ToolResultPart } from '../../types.ts';
import { type AdapterConfig, mayReturn } from '../adapter.ts';
import { withoutUnsupported } from '../unsupported.ts';
import { reasoningItem } from './reasoning-item.ts';

/**
 * Converts the history to Responses items. A reasoning item is sent back only directly before the item that
 * followed it, and only to its origin.
 */
export function responsesInput(config: AdapterConfig, request: Request): ResponseInputItem[] {
	const items: ResponseInputItem[] = [];
	const callId = callIdMap(responsesCallIds);
	const customNames = new Set((request.tools ?? []).filter((tool) => tool.custom).map((tool) => tool.name));
	const isCustom = (name: string, args: Record<string, unknown>) =>
		customNames.has(name) && typeof args['input'] === 'string';
	/** Ids of calls sent as free-form ones, whose results have their own type. */
	const customCalls = new Set<string>();

	for (const message of withoutUnsupported(config, repairOrphans(request.messages), refused)) {
		if (message.role === 'assistant') message.content.forEach((part, index) => assistantPart(message, part, index));
		else if (message.role === 'tool') {
			for (const part of message.content) if (part.type === 'tool_result') items.push(result(part));
		} else {
			const role = isInstruction(message) ? 'developer' : 'user';
			const content = message.content.flatMap(userPart);
			if (content.length > 0) items.push({ type: 'message', role, content });
		}
	}
	return items;

	function assistantPart(message: Message, part: ContentPart, index: number): void {
		if (part.type === 'text' && part.text !== '') {
			items.push({ role: 'assistant', content: part.text });
		} else if (part.type === 'tool_call') {
			items.push(call(part));
		} else if (part.type === 'thinking' && mayReturn(config, request, part.provider)) {
			const item = reasoningItem(part.provider?.item);
			const follower = message.content
				.slice(index + 1)
				.some((next) => next.type === 'tool_call' || (next.type === 'text' && next.text !== ''));
			if (item && follower) items.push(item);
		}
	}

	function call(part: ToolCallPart): ResponseInputItem {
		const id = callId(part.id);
		const input = part.arguments['input'];
		if (isCustom(part.name, part.arguments) && typeof input === 'string') {
			customCalls.add(part.id);
			return { type: 'custom_tool_call', call_id: id, name: part.name, input };
		}
		return { type: 'function_call', call_id: id, name: part.name, arguments: argumentsText(part) };
	}

	function result(part: ToolResultPart): ResponseInputItem {
		const images = (part.images ?? []).map(image);
		const text: ResponseInputText[] = part.content === '' ? [] : [{ type: 'input_text', text: part.content }];
		const output = images.length > 0 ? [...text, ...images] : part.content;
		return {
			type: customCalls.has(part.callId) ? 'custom_tool_call_output' : 'function_call_output',
			call_id: callId(part.callId),
			output
		};
	}
}

function refused(part: ContentPart): string | null {
	return part.type === 'audio' ? 'audio' : null;
}

function userPart(part: ContentPart): ResponseInputContent[] {
	if (part.type === 'text') return part.text === '' ? [] : [{ type: 'input_text', text: part.text }];
	if (part.type === 'image') return [image(part)];
	if (part.type === 'image_url') return [{ type: 'input_image', detail: 'auto', image_url: part.url }];
	if (part.type === 'document') {
		const data = `data:${part.mediaType};base64,${part.data}`;
		return [{ type: 'input_file', filename: part.name ?? 'document', file_data: data }];
	}
	return [];
}

function image(part: ImagePart): ResponseInputImage {
	return { type: 'input_image', detail: 'auto', image_url: `data:${part.mediaType};base64,${part.data}` };
}
