import type { MessageCreateParamsStreaming, Tool, ToolChoice } from '@anthropic-ai/sdk/resources/messages/messages';
import { z } from 'zod';
import { modelTraits } from '../../catalog.ts';
import { isObject } from '../../partial-json.ts';
import { instructionText } from '../../history/instructions.ts';
import type { Request } from '../../types.ts';
import type { AdapterConfig } from '../adapter.ts';
import { closedSchema } from '../response-schema.ts';
import { setCacheBreakpoints } from './cache.ts';
import { anthropicMessages } from './messages.ts';
import { thinkingFor } from './thinking.ts';

const optionsSchema = z.object({ betas: z.array(z.string()).optional() }).loose();

/** `providerOptions.betas` become the beta header; everything else goes into the body unchanged. */
export function anthropicBetas(request: Request): string[] {
	const options = optionsSchema.safeParse(request.providerOptions ?? {});
	return options.success ? (options.data.betas ?? []) : [];
}

/** Builds the body of a Messages request. The same request always gives the same bytes. */
export function anthropicBody(config: AdapterConfig, request: Request): MessageCreateParamsStreaming {
	const maxTokens = request.maxTokens ?? Math.min(modelTraits(request.model)?.maxOutput ?? 32_000, 64_000);
	const thinking = thinkingFor(request, maxTokens);
	const thinks = thinking.thinking !== undefined;
	const body: MessageCreateParamsStreaming = {
		model: request.model,
		max_tokens: maxTokens,
		messages: anthropicMessages(config, request),
		stream: true,
		...thinking
	};
	if (request.responseFormat) {
		const format = { type: 'json_schema' as const, schema: closedSchema(request.responseFormat.schema) };
		body.output_config = { ...thinking.output_config, format };
	}
	const system = instructionText(request);
	if (system !== '') body.system = [{ type: 'text', text: system }];
	const tools = request.tools ?? [];
	if (tools.length > 0) {
		body.tools = tools.map((tool): Tool => ({
			name: tool.name,
			description: tool.description,
			input_schema: { ...tool.parameters, type: 'object' }
		}));
		body.tool_choice = toolChoice(request, thinks);
	}
	// A temperature is refused together with thinking, and by the newest models always.
	const style = modelTraits(request.model)?.reasoning;
	if (request.temperature !== undefined && !thinks && !style?.startsWith('adaptive')) {
		// The SDK's type no longer has this field, since the newest models refuse it; older ones still accept it.
		Object.assign(body, { temperature: request.temperature });
	}
	if (request.promptCaching !== false) setCacheBreakpoints(body);
	const { betas: _betas, ...options } = request.providerOptions ?? {};
	return Object.assign(body, isObject(options) ? options : {});
}

function toolChoice(request: Request, thinks: boolean): ToolChoice {
	const choice = request.toolChoice ?? 'auto';
	const oneByOne = request.parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
	if (choice === 'none') return { type: 'none' };
	// A forced choice is an error together with thinking, so the model chooses.
	if (choice === 'auto' || thinks) return { type: 'auto', ...oneByOne };
	return choice === 'required' ? { type: 'any', ...oneByOne } : { type: 'tool', name: choice.name, ...oneByOne };
}
