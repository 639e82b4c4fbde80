import type {
	ChatCompletionCreateParamsStreaming,
	ChatCompletionToolChoiceOption
} from 'openai/resources/chat/completions';
import type { Request } from '../../types.ts';
import type { AdapterConfig } from '../adapter.ts';
import { chatMessages } from './messages.ts';

/** The body of a Chat Completions request. Only what the request names is sent: many servers refuse what they do not know. */
export function chatBody(config: AdapterConfig, request: Request): ChatCompletionCreateParamsStreaming {
	const body: ChatCompletionCreateParamsStreaming = {
		model: request.model,
		messages: chatMessages(config, request),
		stream: true,
		stream_options: { include_usage: true }
	};
	if (request.maxTokens !== undefined) body.max_tokens = request.maxTokens;
	if (request.temperature !== undefined) body.temperature = request.temperature;
	if (request.reasoningEffort) body.reasoning_effort = request.reasoningEffort;
	const tools = request.tools ?? [];
	if (tools.length > 0) {
		body.tools = tools.map(({ name, description, parameters }) => ({
			type: 'function',
			function: { name, description, parameters }
		}));
		if (request.toolChoice !== undefined) body.tool_choice = toolChoice(request.toolChoice);
		if (request.parallelToolCalls === false) body.parallel_tool_calls = false;
	}
	return Object.assign(body, request.providerOptions ?? {});
}

function toolChoice(choice: NonNullable<Request['toolChoice']>): ChatCompletionToolChoiceOption {
	return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
