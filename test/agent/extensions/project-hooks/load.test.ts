import { expect, it } from 'vitest';
import { LoadedHooks, readProjectSettings } from '#agent/extensions/project-hooks/load.ts';
import { MAX_SETTINGS_BYTES, PROJECT_SETTINGS_PATH } from '#agent/extensions/project-hooks/settings.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';

const hooks = (command: string): string => JSON.stringify({ hooks: [{ event: 'end', command }] });

/** A project whose settings file the test can change; if absent, there is none. */
function project(text?: string) {
	const file: { text: string | undefined; kind: string; size?: number; failure?: Error } = { text, kind: 'file' };
	const environment = {
		stat: async (path: string) => {
			if (file.failure) throw file.failure;
			if (path !== PROJECT_SETTINGS_PATH || file.text === undefined)
				throw new EnvironmentError('ENOENT', 'No such file', path);
			return { kind: file.kind, size: file.size ?? file.text.length };
		},
		readFile: async () => file.text ?? ''
	} as unknown as ExecutionEnvironment;
	return { file, environment };
}

/** Hooks of a project as loaded for a run, with the warnings shown to the user. */
function loaded(isTrusted: ((text: string) => boolean) | null, text?: string) {
	const { file, environment } = project(text);
	const warnings: string[] = [];
	const hooksOf = new LoadedHooks(isTrusted ? { isTrusted } : undefined, (message) => void warnings.push(message));
	const commands = async () => (await hooksOf.read(environment)).map(({ command }) => command);
	return { file, warnings, commands };
}

it('reads the settings of a project that has any it can read', async () => {
	const { file, environment } = project();
	expect(await readProjectSettings(environment)).toBeNull();
	file.text = hooks('one');
	expect(await readProjectSettings(environment)).toBe(hooks('one'));
	file.size = MAX_SETTINGS_BYTES;
	expect(await readProjectSettings(environment)).toBe(hooks('one'));
	file.size = MAX_SETTINGS_BYTES + 1;
	expect(await readProjectSettings(environment)).toBeNull();
	Object.assign(file, { size: 9, kind: 'directory' });
	expect(await readProjectSettings(environment)).toBeNull();
	file.failure = new TypeError('A fault of ours.');
	await expect(readProjectSettings(environment)).rejects.toThrow('A fault of ours.');
});

it('uses hooks that the user allowed, and no others', async () => {
	const allowed = loaded((text) => text === hooks('one'), hooks('one'));
	expect(await allowed.commands()).toEqual(['one']);
	expect(await loaded((text) => text === hooks('one'), hooks('two')).commands()).toEqual([]);
	const unasked = loaded(null, hooks('one'));
	expect(await unasked.commands()).toEqual([]);
	expect([allowed.warnings, unasked.warnings]).toEqual([[], []]);
});

it('warns once when hooks that ran do not any more, and again when they ran meanwhile', async () => {
	const { file, warnings, commands } = loaded((text) => text === hooks('one'), hooks('two'));
	await commands();
	expect(warnings).toEqual([]);
	const changed = `The hooks of this project do not run: ${PROJECT_SETTINGS_PATH} has changed since you allowed it.`;
	const gone = `The hooks of this project no longer run: ${PROJECT_SETTINGS_PATH} is gone or cannot be read.`;
	file.text = hooks('one');
	expect(await commands()).toEqual(['one']);
	file.text = hooks('two');
	for (let count = 0; count < 2; count++) expect(await commands()).toEqual([]);
	expect(warnings).toEqual([changed]);
	file.text = hooks('one');
	expect(await commands()).toEqual(['one']);
	file.text = undefined;
	for (let count = 0; count < 2; count++) expect(await commands()).toEqual([]);
	expect(warnings).toEqual([changed, gone]);
});

it('asks no host about a file that is gone', async () => {
	const { file, warnings, commands } = loaded(() => true, hooks('one'));
	await commands();
	file.text = undefined;
	expect(await commands()).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('is gone or cannot be read')]);
});

it('says once for each text why it cannot be used, though it was allowed', async () => {
	const { file, warnings, commands } = loaded(() => true, '{');
	for (let count = 0; count < 2; count++) expect(await commands()).toEqual([]);
	expect(warnings).toEqual([expect.stringMatching(/^The hooks of this project do not run\. .* is not valid JSON/)]);
	file.text = '[]';
	await commands();
	expect(warnings).toHaveLength(2);
	file.text = hooks('one');
	expect(await commands()).toEqual(['one']);
	expect(warnings).toHaveLength(2);
});
