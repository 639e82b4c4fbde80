import type {
	ResponseCreateParamsStreaming,
	Tool,
	ToolChoiceCustom,
	ToolChoiceFunction
} from 'openai/resources/responses/responses';
import { modelTraits } from '../../catalog.ts';
import type { Request, ToolDefinition } from '../../types.ts';
import type { AdapterConfig } from '../adapter.ts';
import { closedSchema, requiresEverything } from '../response-schema.ts';
import { responsesInput } from './input.ts';

/** Builds the body of a Responses request. The same request always gives the same bytes. */
export function responsesBody(config: AdapterConfig, request: Request): ResponseCreateParamsStreaming {
	const reasons = (modelTraits(request.model)?.reasoning ?? 'effort') !== 'none';
	const body: ResponseCreateParamsStreaming = {
		model: request.model,
		input: responsesInput(config, request),
		stream: true,
		store: false
	};
	if (request.system) body.instructions = request.system;
	if (reasons) {
		body.include = ['reasoning.encrypted_content'];
		body.reasoning = {
			summary: 'auto',
			...(request.reasoningEffort ? { effort: request.reasoningEffort } : {})
		};
	} else if (request.temperature !== undefined) {
		body.temperature = request.temperature;
	}
	if (request.maxTokens !== undefined) body.max_output_tokens = request.maxTokens;
	if (request.cacheKey !== undefined) body.prompt_cache_key = request.cacheKey;
	if (request.responseFormat) {
		const schema = closedSchema(request.responseFormat.schema);
		const { name } = request.responseFormat;
		body.text = { format: { type: 'json_schema', name, schema, strict: requiresEverything(schema) } };
	}
	const tools = request.tools ?? [];
	if (tools.length > 0) {
		body.tools = tools.map(tool);
		body.tool_choice = toolChoice(request, tools);
		body.parallel_tool_calls = request.parallelToolCalls ?? true;
	}
	return Object.assign(body, request.providerOptions ?? {});
}

function tool(definition: ToolDefinition): Tool {
	const { name, description, parameters, custom } = definition;
	if (custom) return { type: 'custom', name, description, format: { type: 'grammar', ...custom } };
	return { type: 'function', name, description, parameters, strict: false };
}

function toolChoice(
	request: Request,
	tools: ToolDefinition[]
): 'auto' | 'none' | 'required' | ToolChoiceFunction | ToolChoiceCustom {
	const choice = request.toolChoice ?? 'auto';
	if (typeof choice === 'string') return choice;
	const custom = tools.some((each) => each.name === choice.name && each.custom);
	return { type: custom ? 'custom' : 'function', name: choice.name };
}
