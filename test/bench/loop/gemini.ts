import type { Content, GenerateContentResponse } from '@google/genai';
import { SYSTEM, TOOLS } from './tasks.ts';
import type { BenchWire } from './wire.ts';

export const MODEL = 'gemini-3-pro-preview';

const tools = [
	{
		functionDeclarations: TOOLS.map(({ name, description, parameters }) => ({
			name,
			description,
			parametersJsonSchema: parameters
		}))
	}
];

/** Only the parts of a response that both the wire and the SDK's own class have. */
type Event = Pick<GenerateContentResponse, 'candidates'>;

/** Its calls arrive whole and without ids. */
export const gemini: BenchWire<Content, Event> = {
	path: `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`,
	headers: { 'x-goog-api-key': 'key' },
	prompt: (text) => ({ role: 'user', parts: [{ text }] }),
	body: (contents) => ({ contents, systemInstruction: { parts: [{ text: SYSTEM }] }, tools }),
	async sdk(url) {
		const { GoogleGenAI } = await import('@google/genai');
		const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: url } });
		return (contents) =>
			client.models.generateContentStream({
				model: MODEL,
				contents,
				config: { systemInstruction: SYSTEM, tools, automaticFunctionCalling: { disable: true } }
			});
	},
	read(turn, event, onDelta) {
		for (const part of event.candidates?.[0]?.content?.parts ?? []) {
			if (part.text) {
				turn.text += part.text;
				onDelta(part.text);
			} else if (part.functionCall) {
				const { name = '', args } = part.functionCall;
				turn.calls.push({ id: part.thoughtSignature ?? '', name, argumentsText: JSON.stringify(args) });
			}
		}
	},
	messages: ({ text, calls }, results) => [
		{
			role: 'model',
			parts: [
				...(text ? [{ text }] : []),
				...calls.map(({ id, name, argumentsText }) => ({
					functionCall: { name, args: JSON.parse(argumentsText) },
					thoughtSignature: id
				}))
			]
		},
		{
			role: 'user',
			parts: calls.map(({ name }, index) => ({ functionResponse: { name, response: { output: results[index] } } }))
		}
	]
};
