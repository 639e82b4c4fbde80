import type {
	ChatCompletionCreateParamsStreaming,
	ChatCompletionToolChoiceOption
} from 'openai/resources/chat/completions';
import type { ChatQuirks } from '../../compatible/quirks.ts';
import { quirksOf } from '../../compatible/servers.ts';
import type { ReasoningEffort, Request } from '../../types.ts';
import type { AdapterConfig } from '../adapter.ts';
import { unsupported } from '../unsupported.ts';
import { chatMessages } from './messages.ts';

/**
 * Builds the body of a Chat Completions request. Contains only what the request sets: many servers refuse
 * unknown fields.
 */
export function chatBody(config: AdapterConfig, request: Request): ChatCompletionCreateParamsStreaming {
	if (request.responseFormat) throw unsupported(config, 'a response format');
	const quirks = config.quirks ?? quirksOf(config.name, config.baseUrl);
	const body: ChatCompletionCreateParamsStreaming = {
		model: request.model,
		messages: chatMessages(config, request, quirks),
		stream: true
	};
	if (quirks.askForUsage) body.stream_options = { include_usage: true };
	if (request.maxTokens !== undefined) body[quirks.maxTokens] = request.maxTokens;
	if (request.temperature !== undefined) body.temperature = request.temperature;
	if (request.reasoningEffort) Object.assign(body, effort(quirks, request.reasoningEffort));
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

/** Servers that support only on and off think for every effort except `none`. */
function effort({ effort: form }: ChatQuirks, value: ReasoningEffort): Record<string, unknown> {
	if (form === 'reasoning') return { reasoning: { effort: value } };
	if (form === 'thinking') return { thinking: { type: value === 'none' ? 'disabled' : 'enabled' } };
	return form === 'none' ? {} : { reasoning_effort: value };
}

function toolChoice(choice: NonNullable<Request['toolChoice']>): ChatCompletionToolChoiceOption {
	return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
