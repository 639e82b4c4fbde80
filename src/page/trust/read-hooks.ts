import { readProjectSettings } from '#agent/extensions/project-hooks/load.ts';
import { parseProjectHooks, ProjectSettingsError, type ProjectHook } from '#agent/extensions/project-hooks/settings.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Reads and parses the project's settings file; `null` if there is none. */
export async function readHooks(
	environment: ExecutionEnvironment
): Promise<{ text: string; hooks: readonly ProjectHook[]; problem: string | null } | null> {
	const text = await readProjectSettings(environment);
	if (text === null) return null;
	try {
		return { text, hooks: parseProjectHooks(text), problem: null };
	} catch (error) {
		if (error instanceof ProjectSettingsError) return { text, hooks: [], problem: error.message };
		throw error;
	}
}
