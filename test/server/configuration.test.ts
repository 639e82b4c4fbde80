import { expect, it } from 'vitest';
import { ConfigurationError, loadConfiguration } from '#server/configuration/load.ts';
import { startSandglass } from './start.ts';

it('starts with nothing set', () => {
	expect(loadConfiguration({ PORT: '', HOST: undefined, OPENAI_API_KEY: ' ' })).toMatchObject({
		PORT: 5173,
		HOST: 'localhost'
	});
});

it('names each variable that is wrong and never shows its value', () => {
	const wrong: Record<string, string> = {
		PORT: 'abc-wrong',
		HOST: 'a b-wrong',
		ANTHROPIC_API_KEY: 'two words-wrong',
		OPENAI_BASE_URL: 'ftp://wrong',
		NPM_REGISTRY: 'https://user:wrong@r.example',
		SANDGLASS_TOKEN: 'wrong',
		SANDGLASS_ALLOW_HOSTS: 'http://wrong/',
		SANDGLASS_ARCHIVE_HOSTS: 'wrong=svn',
		SANDGLASS_METRICS: 'wrong',
		SANDGLASS_SOURCE_URL: 'ftp://wrong',
		SANDGLASS_TYPO: 'wrong',
		COMPATIBLE_A_API_KEY: 'wrong',
		COMPATIBLE_wrong: 'wrong',
		S3_BUCKET: 'wrong',
		REDIS_URL: 'wrong',
		SANDGLASS_DAILY_USD: 'wrong',
		SANDGLASS_LEND: 'wrong'
	};
	for (const [name, value] of Object.entries(wrong)) {
		const load = () => loadConfiguration({ [name]: value });
		expect(load, name).toThrow(ConfigurationError);
		expect(load, name).toThrow(name === 'COMPATIBLE_A_API_KEY' ? 'COMPATIBLE_A_BASE_URL' : name);
		if (name !== 'COMPATIBLE_wrong') expect(load, name).not.toThrow(value);
	}
});

it('refuses to be public with keys and no token', () => {
	const open = { HOST: '0.0.0.0', OPENAI_API_KEY: 'sk-x' };
	expect(() => loadConfiguration(open)).toThrow('SANDGLASS_TOKEN');
	expect(() => loadConfiguration({ ...open, SANDGLASS_TOKEN: 'a-long-random-word' })).not.toThrow();
	expect(() => loadConfiguration({ HOST: '0.0.0.0' })).not.toThrow();
});

it('says when the port is taken', async () => {
	const first = await startSandglass();
	await expect(startSandglass({ PORT: new URL(first.url).port })).rejects.toThrow(/^Port \d+ is in use/);
});
