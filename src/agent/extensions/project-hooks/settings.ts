import { z } from 'zod';

/** Settings file of a project, relative to the working directory. */
export const PROJECT_SETTINGS_PATH = '.sandglass/settings.json';

/** Maximum size in bytes; a larger file is not read. */
export const MAX_SETTINGS_BYTES = 64 * 1024;

const MAX_HOOKS = 20;
const DEFAULT_TIMEOUT_SECONDS = 60;

const common = {
	command: z.string().trim().min(1).max(4_000),
	timeout_seconds: z.number().positive().max(600).default(DEFAULT_TIMEOUT_SECONDS)
};
const ofTools = { ...common, tools: z.array(z.string().min(1).max(100)).min(1).max(50).optional() };

const projectHook = z.discriminatedUnion('event', [
	z.strictObject({ event: z.literal('before_tool'), ...ofTools }),
	z.strictObject({ event: z.literal('after_tool'), ...ofTools }),
	z.strictObject({ event: z.literal('message'), ...common }),
	z.strictObject({ event: z.literal('end'), ...common })
]);

const settings = z.strictObject({ hooks: z.array(projectHook).max(MAX_HOOKS).default([]) });

/**
 * Command of a project that runs at a certain point of the agent's work. `tools` are neutral names (`edit_file`,
 * `shell`) or the model's; absent: all tools.
 */
export type ProjectHook = z.infer<typeof projectHook>;

/** Points at which a hook runs: around a tool call, before a message, and when the agent is about to end. */
export type HookEvent = ProjectHook['event'];

/** A settings file that cannot be used; the message names the first problem. */
export class ProjectSettingsError extends Error {
	override readonly name = 'ProjectSettingsError';
}

/**
 * Parses the text of a settings file.
 *
 * @throws ProjectSettingsError
 */
export function parseProjectHooks(text: string): ProjectHook[] {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		throw new ProjectSettingsError(`${PROJECT_SETTINGS_PATH} is not valid JSON: ${(error as SyntaxError).message}`);
	}
	const parsed = settings.safeParse(json);
	if (parsed.success) return parsed.data.hooks;
	const [issue] = parsed.error.issues;
	const place = issue?.path.map(String).join('.') ?? '';
	throw new ProjectSettingsError(`${PROJECT_SETTINGS_PATH}${place && `, ${place}`}: ${issue?.message ?? 'not valid'}`);
}
