import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalExecutionEnvironment } from '../../../src/environment/local/environment.ts';
import {
	runAgentLoop,
	Session,
	type AgentRun,
	type Profile,
	type Tool,
	type ToolBinding
} from '../../../src/agent/index.ts';
import { createClient, directProvider } from '../../../src/llm/index.ts';
import type { Outcome } from './bare.ts';
import { answer, lookupSchema, PROMPT, saveSchema, SYSTEM, TOOLS } from './tasks.ts';

/** Environment of a conversation with our own code; `end` cleans it up. */
export interface Ours {
	run(url: string): Promise<Outcome>;
	end(): Promise<void>;
}

export interface OursOptions {
	/** Name used by the client: `anthropic`, `openai`, `gemini`. */
	provider: string;
	model: string;
	/** True for a whole `Session`, false for `runAgentLoop` alone. */
	session: boolean;
}

/** Runs our loop over our client over the provider's official SDK, in a real environment. */
export async function ours({ provider, model, session }: OursOptions): Promise<Ours> {
	const workingDirectory = await mkdtemp(join(tmpdir(), 'sandglass-bench-'));
	const environment = new LocalExecutionEnvironment({ workingDirectory });
	await environment.initialize();
	return {
		async run(url) {
			const baseUrl = provider === 'openai' ? `${url}/v1` : url;
			const client = createClient({ providers: { [provider]: directProvider(provider, 'key', baseUrl) } });
			const settings = { client, environment };
			if (!session) {
				// Same number of rounds as the bare loop.
				const own = {
					provider,
					model,
					systemPrompt: SYSTEM,
					tools: bindings,
					maxOutputTokens: 8_000,
					maxToolRounds: 0
				};
				return consume(runAgentLoop({ ...settings, ...own }, PROMPT));
			}
			const whole = new Session({
				...settings,
				profile: profile(provider, model),
				mode: 'full',
				maxToolRoundsPerInput: 0
			});
			const outcome = await consume(whole.submit(PROMPT));
			await whole.close();
			return outcome;
		},
		async end() {
			await environment.cleanup();
			await rm(workingDirectory, { recursive: true });
		}
	};
}

async function consume(run: AgentRun): Promise<Outcome> {
	const outcome = { textCharacters: 0, argumentCharacters: 0, delaysUs: [] as number[] };
	for await (const event of run) {
		if (event.type === 'assistant_text_delta') outcome.textCharacters += event.delta.length;
		else if (event.type === 'tool_call_start') outcome.argumentCharacters += JSON.stringify(event.arguments).length;
		else if (event.type === 'tool_call_output_delta')
			outcome.delaysUs.push((performance.now() - Number(event.delta)) * 1_000);
	}
	const { error } = await run.result;
	if (error) throw new Error(error.message);
	return outcome;
}

/** Its live output is the time it was written, which shows how long an event takes to reach its consumer. */
function tool(definition: (typeof TOOLS)[number], schema: Tool['schema']): ToolBinding {
	return {
		definition,
		tool: {
			...definition,
			schema,
			access: 'read',
			execute(_arguments, context) {
				context.onProgress(String(performance.now()));
				return Promise.resolve({ content: answer(definition.name), isError: false });
			}
		}
	};
}

const schemas: Record<string, Tool['schema']> = { lookup: lookupSchema, save: saveSchema };
const bindings = TOOLS.map((definition) => tool(definition, schemas[definition.name] ?? lookupSchema));

function profile(provider: string, model: string): Profile {
	return {
		id: provider,
		provider,
		model,
		tools: bindings,
		basePrompt: SYSTEM,
		instructionFiles: [],
		buildSystemPrompt: () => SYSTEM,
		providerOptions: () => ({}),
		supportsParallelToolCalls: true,
		supportsStreaming: true,
		supportsReasoning: true,
		supportsImages: true,
		contextWindowTokens: 200_000,
		maxOutputTokens: 8_000,
		readBeforeWrite: 'off'
	};
}
