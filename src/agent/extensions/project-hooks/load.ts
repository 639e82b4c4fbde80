import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import {
	MAX_SETTINGS_BYTES,
	parseProjectHooks,
	PROJECT_SETTINGS_PATH,
	ProjectSettingsError,
	type ProjectHook
} from './settings.ts';

/** Decision of the host's user about a settings file. */
export interface ProjectHookTrust {
	/**
	 * Returns true if the user allowed the hooks of exactly this file.
	 *
	 * @param text content of the settings file
	 */
	isTrusted(text: string): boolean;
}

/** Returns the text of the settings file; `null` if it is missing or unreadable. */
export async function readProjectSettings(environment: ExecutionEnvironment): Promise<string | null> {
	try {
		const { kind, size } = await environment.stat(PROJECT_SETTINGS_PATH);
		if (kind !== 'file' || size > MAX_SETTINGS_BYTES) return null;
		return await environment.readFile(PROJECT_SETTINGS_PATH);
	} catch (error) {
		if (isEnvironmentError(error)) return null;
		throw error;
	}
}

/** Reads the hooks of a project before each run; they do not change during a run. */
export class LoadedHooks {
	/** Settings text whose hooks were used last. */
	#used: string | null = null;
	#reported: string | null = null;

	/** @param warn receives a message for the user if hooks that were used before, or allowed, are not used */
	constructor(
		private readonly trust: ProjectHookTrust | undefined,
		private readonly warn: (message: string) => void
	) {}

	/** Returns the hooks for the next run; none if the user has not allowed this text of the file. */
	async read(environment: ExecutionEnvironment): Promise<readonly ProjectHook[]> {
		if (!this.trust) return [];
		const text = await readProjectSettings(environment);
		if (text === null || !this.trust.isTrusted(text)) {
			if (this.#used !== null)
				this.warn(
					text === null
						? `The hooks of this project no longer run: ${PROJECT_SETTINGS_PATH} is gone or cannot be read.`
						: `The hooks of this project do not run: ${PROJECT_SETTINGS_PATH} has changed since you allowed it.`
				);
			this.#used = null;
			return [];
		}
		this.#used = text;
		return this.#parse(text);
	}

	#parse(text: string): readonly ProjectHook[] {
		try {
			return parseProjectHooks(text);
		} catch (error) {
			if (!(error instanceof ProjectSettingsError)) throw error;
			if (this.#reported !== text) this.warn(`The hooks of this project do not run. ${error.message}`);
			this.#reported = text;
			return [];
		}
	}
}
