import type { FunctionCallingConfig, GenerateContentConfig, GenerateContentParameters } from '@google/genai';
import { instructionText } from '../../history/instructions.ts';
import type { Request } from '../../types.ts';
import type { AdapterConfig } from '../adapter.ts';
import { closedSchema } from '../response-schema.ts';
import { geminiContents } from './contents.ts';
import { type GeminiSdk, thinkingConfig } from './thinking.ts';

/**
 * Builds the SDK's parameters of one request. `providerOptions` are merged into its `config`; `grounding` adds
 * Google's search.
 */
export function geminiParameters(sdk: GeminiSdk, config: AdapterConfig, request: Request): GenerateContentParameters {
	const settings: GenerateContentConfig = {
		automaticFunctionCalling: { disable: true },
		...(request.signal === undefined ? {} : { abortSignal: request.signal })
	};
	const system = instructionText(request);
	if (system !== '') settings.systemInstruction = system;
	const tools = request.tools ?? [];
	if (tools.length > 0) {
		settings.tools = [
			{
				functionDeclarations: tools.map(({ name, description, parameters }) => ({
					name,
					description,
					parametersJsonSchema: parameters
				}))
			}
		];
		settings.toolConfig = { functionCallingConfig: callingConfig(sdk, request) };
	}
	if (request.responseFormat) {
		settings.responseMimeType = 'application/json';
		settings.responseJsonSchema = closedSchema(request.responseFormat.schema);
	}
	const { grounding, ...options } = request.providerOptions ?? {};
	if (grounding === true) settings.tools = [...(settings.tools ?? []), { googleSearch: {} }];
	const thinking = thinkingConfig(sdk, request);
	if (thinking) settings.thinkingConfig = thinking;
	if (request.maxTokens !== undefined) settings.maxOutputTokens = request.maxTokens;
	if (request.temperature !== undefined) settings.temperature = request.temperature;
	return {
		model: request.model,
		contents: geminiContents(config, request),
		config: Object.assign(settings, options)
	};
}

function callingConfig(sdk: GeminiSdk, request: Request): FunctionCallingConfig {
	const { FunctionCallingConfigMode: mode } = sdk;
	const choice = request.toolChoice ?? 'auto';
	if (choice === 'auto') return { mode: mode.AUTO };
	if (choice === 'none') return { mode: mode.NONE };
	return choice === 'required' ? { mode: mode.ANY } : { mode: mode.ANY, allowedFunctionNames: [choice.name] };
}
