import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, loadConfiguration, type Configuration } from '#server/configuration/load.ts';
import { npmRegistry } from '#server/configuration/npm-registry.ts';

/** The setting as the server understands it, or the error shown to the operator. */
function read(name: keyof Configuration, value: string): unknown {
	try {
		return loadConfiguration({ [name]: value })[name];
	} catch (error) {
		if (error instanceof ConfigurationError) return error.problems.join('\n');
		throw error;
	}
}

const problemsOf = (environment: Record<string, string>): string => {
	try {
		loadConfiguration(environment);
		return '';
	} catch (error) {
		if (error instanceof ConfigurationError) return error.message;
		throw error;
	}
};

describe('what is not set', () => {
	it('is what docs/configuration.md says', () => {
		const {
			compatible,
			s3,
			SANDGLASS_ALLOW_HOSTS,
			SANDGLASS_HOSTS,
			SANDGLASS_CONNECT_HOSTS,
			SANDGLASS_ARCHIVE_HOSTS,
			...rest
		} = loadConfiguration({});
		expect([
			compatible,
			SANDGLASS_ALLOW_HOSTS,
			SANDGLASS_HOSTS,
			SANDGLASS_CONNECT_HOSTS,
			SANDGLASS_ARCHIVE_HOSTS
		]).toEqual([[], [], [], [], []]);
		expect(s3).toBeUndefined();
		expect(rest).toEqual({
			PORT: 5173,
			HOST: 'localhost',
			ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
			OPENAI_BASE_URL: 'https://api.openai.com/v1',
			GOOGLE_GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com',
			SANDGLASS_OWN_KEYS: true,
			SANDGLASS_GITHUB_URL: 'https://github.com',
			SANDGLASS_WEBCONTAINER: false,
			SANDGLASS_METRICS: false,
			SANDGLASS_TRUST_PROXY: 0,
			SANDGLASS_LEND: false,
			SANDGLASS_MACHINE_CPUS: 2,
			SANDGLASS_MACHINE_MEMORY: 4 * 2 ** 30,
			SANDGLASS_MACHINE_PIDS: 512,
			SANDGLASS_MACHINE_DISK: 2 * 2 ** 30,
			SANDGLASS_MACHINE_IDLE: 1_800,
			SANDGLASS_MACHINE_LIFETIME: 28_800,
			SANDGLASS_MACHINE_PER_CLIENT: 1,
			SHARES_DIR: 'shares',
			S3_REGION: 'us-east-1'
		});
	});
});

describe('a setting', () => {
	it.each<[name: keyof Configuration, value: string, read: unknown]>([
		['PORT', '0', 0],
		['PORT', '65535', 65_535],
		['PORT', ' 8080 ', 8080],
		['HOST', '::1', '::1'],
		['HOST', 'Server-1.example', 'Server-1.example'],
		['OPENAI_BASE_URL', 'https://models.example/v1//', 'https://models.example/v1'],
		['OPENAI_BASE_URL', 'http://models.example', 'http://models.example'],
		['ANTHROPIC_API_KEY', 'sk-!~', 'sk-!~'],
		['SANDGLASS_TOKEN', 'sixteen-letters-', 'sixteen-letters-'],
		['SANDGLASS_ALLOW_HOSTS', 'a.example, B.example:8443\n10.0.0.1', ['a.example', 'b.example:8443', '10.0.0.1']],
		['SANDGLASS_ALLOW_HOSTS', ',', []],
		['SANDGLASS_HOSTS', 'a', ['a']],
		['SANDGLASS_OWN_KEYS', '0', false],
		['SANDGLASS_METRICS', '1', true],
		['SANDGLASS_CONNECT_HOSTS', 'a.example wss://*.b.example:81', ['a.example', 'wss://*.b.example:81']],
		['SANDGLASS_CONNECT_HOSTS', 'ws://a HTTP://b https://c', ['ws://a', 'HTTP://b', 'https://c']],
		['SANDGLASS_ARCHIVE_HOSTS', 'g.example:81=gitea', ['g.example:81=gitea']],
		['SANDGLASS_ARCHIVE_HOSTS', 'g=https://g/{path}?at={ref}', ['g=https://g/{path}?at={ref}']],
		['SANDGLASS_ARCHIVE_HOSTS', 'g=http://g/{ref}.zip?of={path}', ['g=http://g/{ref}.zip?of={path}']],
		['SANDGLASS_ARCHIVE_HOSTS', 'g=github,h=gitlab,i=bitbucket', ['g=github', 'h=gitlab', 'i=bitbucket']],
		['SANDGLASS_PREVIEW_ORIGIN', 'off', 'off'],
		['SANDGLASS_PREVIEW_ORIGIN', 'HTTPS://*.Preview.example:8443/', 'https://*.preview.example:8443'],
		['SANDGLASS_PREVIEW_ORIGIN', 'http://p', 'http://p'],
		['SANDGLASS_GITHUB_CLIENT_ID', 'Iv1.0_9-', 'Iv1.0_9-'],
		['REDIS_URL', 'rediss://r.example:6380', 'rediss://r.example:6380'],
		['REDIS_URL', 'redis://r.example', 'redis://r.example'],
		['SANDGLASS_TRUST_PROXY', '9', 9],
		['SANDGLASS_DAILY_USD', '0.000001', 0.000001],
		['SANDGLASS_DAILY_USD', '999999', 999_999],
		['SANDGLASS_MACHINE_CPUS', '256', 256],
		['SANDGLASS_MACHINE_CPUS', '1', 1],
		['SANDGLASS_MACHINE_PIDS', '16', 16],
		['SANDGLASS_MACHINE_PER_CLIENT', '100', 100],
		['SANDGLASS_MACHINE_MEMORY', '512m', 512 * 2 ** 20],
		['SANDGLASS_MACHINE_MEMORY', '16kB', 16 * 2 ** 10],
		['SANDGLASS_MACHINE_MEMORY', '3G', 3 * 2 ** 30],
		['SANDGLASS_MACHINE_DISK', '1000', 1_000],
		['SANDGLASS_MACHINE_RUNTIME', 'io.containerd.runsc-v1', 'io.containerd.runsc-v1'],
		['SANDGLASS_KUBERNETES_NAMESPACE', 'a', 'a'],
		['SANDGLASS_KUBERNETES_NAMESPACE', 'machines-1', 'machines-1'],
		['SANDGLASS_KUBERNETES_TEMPLATE', '/etc/pod.yaml', '/etc/pod.yaml'],
		['S3_BUCKET', 'a.b-1', expect.stringContaining('S3_BUCKET set without S3_ENDPOINT')],
		['S3_REGION', 'eu-central-2', 'eu-central-2'],
		['SHARES_DIR', '/var/shares', '/var/shares']
	])('%s takes %j', (name, value, expected) => {
		expect(read(name, value)).toEqual(expected);
	});

	const NO_ADDRESS = 'must be an http:// or https:// address.';
	const NO_HOSTS = 'must be a list of host or host:port, separated by commas.';
	const NO_SECRET = 'must be one word of visible ASCII characters, without spaces.';
	const NO_SIZE = 'must be a size such as 512m or 4g.';
	const NO_DOLLARS = 'must be an amount in dollars, such as 5 or 0.25.';
	const NO_ORIGIN = 'must be an origin such as https://*.preview.example.org, or off.';

	it.each<[name: keyof Configuration, wrong: string[], problem: string]>([
		['PORT', ['65536', '100000', 'x80', '80x', '-1', '1.5'], 'must be a number from 0 to 65535.'],
		['HOST', ['a b', 'http://a', 'a/b'], 'must be a host name or an IP address.'],
		['OPENAI_API_KEY', ['two words', 'é', 'a\tb'], NO_SECRET],
		['SANDGLASS_TOKEN', ['fifteen-letters'], 'must have at least 16 characters, or it can be guessed.'],
		['ANTHROPIC_BASE_URL', ['models.example', 'ftp://models.example', 'file:///etc'], NO_ADDRESS],
		[
			'ANTHROPIC_BASE_URL',
			['https://u@m.example', 'https://:p@m.example'],
			'must not contain a user name or password.'
		],
		['ANTHROPIC_BASE_URL', ['https://m.example?a=b', 'https://m.example/#a'], 'must not contain a query or fragment.'],
		['SANDGLASS_ALLOW_HOSTS', ['a.example/x', 'a-', '-a', 'a:', 'a:123456', 'a:x', 'https://a', 'a,b c/'], NO_HOSTS],
		['SANDGLASS_HOSTS', ['*'], NO_HOSTS],
		['SANDGLASS_OWN_KEYS', ['2', 'yes', 'true'], 'must be 1 (on) or 0 (off).'],
		[
			'SANDGLASS_CONNECT_HOSTS',
			['ftp://a', 'a/b', '.a', '**.a', 'a:123456', 'x https://a/'],
			'must be a list of hosts or origins, such as https://api.openai.com.'
		],
		[
			'SANDGLASS_ARCHIVE_HOSTS',
			['g.example', 'g.example=svn', 'g=https://g/{path}', '=github', 'g=githubs', '-g=github', 'g=ftp://g/{ref}'],
			'must be a list of host=github, host=gitlab, host=gitea, host=bitbucket or host=<address with {path} and {ref}>.'
		],
		[
			'SANDGLASS_PREVIEW_ORIGIN',
			['on', 'a.example', 'https://a.example/x', 'https://*', 'xhttps://a', 'https://-a'],
			NO_ORIGIN
		],
		['SANDGLASS_GITHUB_CLIENT_ID', ['seven77', 'x'.repeat(65), 'with space'], 'must be the client id of a GitHub app.'],
		['REDIS_URL', ['http://r.example', 'r.example', 'xredis://r'], 'must be a redis:// address.'],
		['SANDGLASS_TRUST_PROXY', ['10', '-1', 'x1'], 'must be the number of proxies in front, from 0 to 9.'],
		['SANDGLASS_DAILY_USD', ['0', '-1', '1e3', '1.', '.5', '1234567', '1.1234567', 'x5', '5x'], NO_DOLLARS],
		['SANDGLASS_GUEST_USD', ['free'], NO_DOLLARS],
		[
			'SANDGLASS_DOCKER',
			['docker.sock', 'ftp://d', 'xhttp://d'],
			'must be the path of the Docker socket or an http:// address.'
		],
		['SANDGLASS_KUBERNETES', ['kubeconfig', 'cluster'], 'must be in-cluster or the absolute path of a kubeconfig.'],
		['SANDGLASS_KUBERNETES_NAMESPACE', ['A', 'a-', '-a', 'a'.repeat(64)], 'must be the name of a namespace.'],
		['SANDGLASS_KUBERNETES_TEMPLATE', ['pod.yaml'], 'must be the absolute path of a template for pods.'],
		['SANDGLASS_MACHINE_IMAGE', ['Debian', '-a', 'a b'], 'must be the name of an image, such as debian:13.'],
		['SANDGLASS_MACHINE_CPUS', ['0', '257', '1.5', 'x2', '2x'], 'must be a number from 1 to 256.'],
		['SANDGLASS_MACHINE_PIDS', ['15', '100001'], 'must be a number from 16 to 100000.'],
		['SANDGLASS_MACHINE_IDLE', ['29', '604801'], 'must be a number from 30 to 604800.'],
		['SANDGLASS_MACHINE_LIFETIME', ['59', '2592001'], 'must be a number from 60 to 2592000.'],
		['SANDGLASS_MACHINE_PER_CLIENT', ['0', '101'], 'must be a number from 1 to 100.'],
		['SANDGLASS_MACHINE_MEMORY', ['0', '4t', 'x4g', '4gx', '4gbb', 'm', '1.5g'], NO_SIZE],
		['SANDGLASS_MACHINE_DISK', ['0m'], NO_SIZE],
		['SANDGLASS_MACHINE_RUNTIME', ['-runsc', 'a b'], 'must be the name of a runtime of the engine, such as runsc.'],
		[
			'S3_BUCKET',
			['ab', 'Abc', '-abc', 'abc-', 'a'.repeat(64)],
			'must be the name of a bucket: 3 to 63 small letters, digits, dots and dashes.'
		],
		['S3_REGION', ['EU', 'a.b', 'x y'], 'must be the name of a region, such as us-east-1.']
	])('%s refuses %j with a sentence', (name, wrong, problem) => {
		for (const value of wrong) expect(read(name, value), value).toContain(`${name} ${problem}`);
	});
});

describe('settings that belong together', () => {
	it('names all problems at once', () => {
		expect(problemsOf({ PORT: 'x', SANDGLASS_TYPO: '1', COMPATIBLE_A_MODELS: 'm' }).split('\n')).toEqual([
			'SANDGLASS_TYPO is not a setting of Sandglass. Check its spelling or remove it.',
			'COMPATIBLE_A_BASE_URL is missing; the other COMPATIBLE_A_ settings need it.',
			'PORT must be a number from 0 to 65535.'
		]);
	});

	it('fails by a name that the programs that start a server look for, to print no stack', () => {
		expect(() => loadConfiguration({ PORT: 'x' })).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
	});

	it('reads servers that speak Chat Completions by their names', () => {
		const { compatible } = loadConfiguration({
			COMPATIBLE_MY_VLLM_2_BASE_URL: 'http://gpu:8000/v1/',
			COMPATIBLE_MY_VLLM_2_MODELS: 'qwen3, ,gemma\nphi,',
			COMPATIBLE_B_BASE_URL: 'https://b.example',
			COMPATIBLE_B_API_KEY: 'key-of-b'
		});
		expect(compatible).toEqual([
			{ name: 'my-vllm-2', baseUrl: 'http://gpu:8000/v1', key: undefined, models: ['qwen3', 'gemma', 'phi'] },
			{ name: 'b', baseUrl: 'https://b.example', key: 'key-of-b', models: [] }
		]);
	});

	it.each([
		[{ COMPATIBLE_A_BASE_URL: 'a.example' }, 'COMPATIBLE_A_BASE_URL must be an http:// or https:// address.'],
		[
			{ COMPATIBLE_A_BASE_URL: 'http://a', COMPATIBLE_A_API_KEY: 'a b' },
			'COMPATIBLE_A_API_KEY must be one word of visible ASCII characters, without spaces.'
		],
		...[
			'COMPATIBLE_A_URL',
			'COMPATIBLE__BASE_URL',
			'COMPATIBLE_A__MODELS',
			'COMPATIBLE_a_MODELS',
			'COMPATIBLE_a_COMPATIBLE_A_MODELS',
			'COMPATIBLE_A_MODELS_'
		].map((name): [Record<string, string>, string] => [
			{ [name]: 'x' },
			`${name} is not a known setting; write COMPATIBLE_<NAME>_BASE_URL, _API_KEY or _MODELS.`
		])
	])('says what is wrong with %j', (environment, problem) => {
		expect(problemsOf(environment)).toBe(problem);
	});

	it('stores shares on S3 when all of its settings are there, and says which are missing', () => {
		const all = {
			S3_ENDPOINT: 'https://s3.example',
			S3_BUCKET: 'shares',
			S3_ACCESS_KEY_ID: 'id',
			S3_SECRET_ACCESS_KEY: 'secret'
		};
		expect(loadConfiguration(all).s3).toEqual({
			endpoint: 'https://s3.example',
			bucket: 'shares',
			accessKeyId: 'id',
			secretAccessKey: 'secret',
			region: 'us-east-1'
		});
		const names = Object.keys(all);
		for (const name of names) {
			const others = names.filter((each) => each !== name);
			const without = Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
			expect(problemsOf(without)).toBe(`${others.join(', ')} set without ${name}: shares on S3 need all of them.`);
		}
		expect(problemsOf({ S3_BUCKET: 'shares', S3_SECRET_ACCESS_KEY: 'secret' })).toBe(
			'S3_BUCKET, S3_SECRET_ACCESS_KEY set without S3_ENDPOINT, S3_ACCESS_KEY_ID: shares on S3 need all of them.'
		);
		expect(loadConfiguration({ S3_REGION: 'eu-1' }).s3).toBeUndefined();
	});

	it('is public with keys only behind a token or for guests with a limit', () => {
		for (const key of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'COMPATIBLE_A_BASE_URL']) {
			const open = { HOST: '0.0.0.0', [key]: 'http://a.example' };
			expect(problemsOf(open), key).toBe(
				'HOST is 0.0.0.0, which other machines can reach, and there are provider keys but no SANDGLASS_TOKEN: ' +
					'anyone could spend them. Set SANDGLASS_TOKEN to a long random word, or HOST to localhost, or open it to guests with SANDGLASS_LEND=1 and SANDGLASS_GUEST_USD.'
			);
			expect(problemsOf({ ...open, SANDGLASS_LEND: '1', SANDGLASS_GUEST_USD: '1' }), key).toBe('');
			for (const host of ['localhost', '::1', '127.0.0.1', '127.1.22.255'])
				expect(problemsOf({ ...open, HOST: host }), host).toBe('');
			for (const host of ['127.0.0.1.example', '128.0.0.1', '1127.0.0.1', '::', 'localhost.example'])
				expect(problemsOf({ ...open, HOST: host }), host).toContain(`HOST is ${host}`);
		}
	});

	it('lends with a limit for each guest, and has none without lending', () => {
		const problem =
			'SANDGLASS_LEND and SANDGLASS_GUEST_USD must be set together: the first opens this server to guests, the second limits the dollars that each of them may spend a day.';
		expect(problemsOf({ SANDGLASS_LEND: '1' })).toBe(problem);
		expect(problemsOf({ SANDGLASS_GUEST_USD: '1' })).toBe(problem);
	});

	it('offers machines with an engine, an image and a token, and a folder to this machine alone', () => {
		const token = { SANDGLASS_TOKEN: 'a-long-random-word' };
		const image = { SANDGLASS_MACHINE_IMAGE: 'debian:13' };
		for (const [name, value] of [
			['SANDGLASS_DOCKER', '/var/run/docker.sock'],
			['SANDGLASS_DOCKER', 'http://engine:2375'],
			['SANDGLASS_KUBERNETES', 'in-cluster'],
			['SANDGLASS_KUBERNETES', '/etc/kubeconfig']
		] as const) {
			const engine = { [name]: value };
			expect(problemsOf({ ...engine, ...image, ...token })).toBe('');
			expect(problemsOf({ ...engine, ...token })).toBe(
				`${name} and SANDGLASS_MACHINE_IMAGE must be set together: the engine, and the image of its machines.`
			);
			expect(problemsOf({ ...engine, ...image })).toBe(
				`${name} needs SANDGLASS_TOKEN, on this machine too: every client of this server can use its machines. Set it to a long random word.`
			);
		}
		expect(problemsOf({ ...image, ...token })).toContain('SANDGLASS_DOCKER and SANDGLASS_MACHINE_IMAGE');
		expect(problemsOf({ SANDGLASS_HERE: '/home/me/project' })).toBe('');
		expect(problemsOf({ SANDGLASS_HERE: '/home/me/project', HOST: '0.0.0.0' })).toBe(
			'SANDGLASS_HERE gives the page commands on this machine, so HOST must be localhost and not 0.0.0.0.'
		);
	});
});

describe('the registry of npm', () => {
	let directory: string;
	beforeAll(async () => (directory = await mkdtemp(path.join(tmpdir(), 'npmrc-'))));
	afterAll(() => rm(directory, { recursive: true }));

	const withLines = async (text: string, env: Record<string, string> = {}) => {
		const file = path.join(directory, '.npmrc');
		await writeFile(file, text);
		return npmRegistry(env, file);
	};

	it('is the one of npm’s scripts, then that of the user’s file, then the public one', async () => {
		const line = 'save-exact=true\n  registry = "https://r.example/npm/"\n';
		expect(await withLines(line, { npm_config_registry: 'https://s.example' })).toBe('https://s.example');
		expect(await withLines(line)).toBe('https://r.example/npm');
		expect(await withLines("registry='https://r.example'")).toBe('https://r.example');
		expect(await withLines('registry=https://r.example')).toBe('https://r.example');
		expect(await withLines('@scope:registry=https://r.example\n')).toBe('https://registry.npmjs.org');
		expect(await npmRegistry({}, path.join(directory, 'none'))).toBe('https://registry.npmjs.org');
	});

	it('is read from .npmrc in the home of the user', async () => {
		vi.stubEnv('HOME', directory);
		onTestFinished(() => void vi.unstubAllEnvs());
		await writeFile(path.join(directory, '.npmrc'), 'registry=https://home.example');
		expect(await npmRegistry({})).toBe('https://home.example');
	});

	it('is never one with credentials in its address', async () => {
		expect(await withLines('registry=https://u:p@r.example', { npm_config_registry: 'https://u@s.example' })).toBe(
			'https://registry.npmjs.org'
		);
	});
});
