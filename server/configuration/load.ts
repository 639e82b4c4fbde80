import type { z } from 'zod';
import type { S3Bucket } from '../shares/s3-store.ts';
import { readCompatible, type CompatibleServer } from './compatible.ts';
import { readS3 } from './s3.ts';
import { schema } from './schema.ts';

export type Configuration = z.output<typeof schema> & {
	compatible: CompatibleServer[];
	/** Stores shares there instead of in `SHARES_DIR`. */
	s3: S3Bucket | undefined;
};

/** One or more settings are invalid; each problem is a sentence that names its variable, never its value. */
export class ConfigurationError extends Error {
	override readonly name = 'ConfigurationError';
	constructor(readonly problems: readonly string[]) {
		super(problems.join('\n'));
	}
}

/** Checks whether only this machine can reach a `HOST`. */
export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Checks the environment. A variable set to the empty string counts as not set.
 * @throws ConfigurationError naming every invalid variable
 */
export function loadConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
	const env: Record<string, string> = {};
	for (const [name, value] of Object.entries(environment)) {
		const trimmed = value?.trim();
		if (trimmed) env[name] = trimmed;
	}
	const problems: string[] = [];
	for (const name of Object.keys(env))
		if (name.startsWith('SANDGLASS_') && !(name in schema.shape))
			problems.push(`${name} is not a setting of Sandglass. Check its spelling or remove it.`);

	const compatible = readCompatible(env, problems);
	const parsed = schema.safeParse(env);
	if (!parsed.success)
		for (const issue of parsed.error.issues) problems.push(`${String(issue.path[0])} ${issue.message}.`);
	const s3 = parsed.success ? readS3(parsed.data, problems) : undefined;
	if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems);

	const configuration = { ...parsed.data, compatible, s3 };
	if (configuration.SANDGLASS_LEND !== (configuration.SANDGLASS_GUEST_USD !== undefined))
		throw new ConfigurationError([
			'SANDGLASS_LEND and SANDGLASS_GUEST_USD must be set together: the first opens this server to guests, the second limits the dollars that each of them may spend a day.'
		]);
	if (
		!configuration.SANDGLASS_LEND &&
		!isLoopback(configuration.HOST) &&
		!configuration.SANDGLASS_TOKEN &&
		hasKeys(configuration)
	)
		throw new ConfigurationError([
			`HOST is ${configuration.HOST}, which other machines can reach, and there are provider keys but no SANDGLASS_TOKEN: ` +
				'anyone could spend them. Set SANDGLASS_TOKEN to a long random word, or HOST to localhost, or open it to guests with SANDGLASS_LEND=1 and SANDGLASS_GUEST_USD.'
		]);
	const machines = machineProblem(configuration);
	if (machines) throw new ConfigurationError([machines]);
	return configuration;
}

/** Returns what is missing before this server may offer machines. */
function machineProblem(configuration: Configuration): string | undefined {
	const { HOST, SANDGLASS_DOCKER, SANDGLASS_HERE, SANDGLASS_KUBERNETES, SANDGLASS_TOKEN } = configuration;
	const name = SANDGLASS_KUBERNETES === undefined ? 'SANDGLASS_DOCKER' : 'SANDGLASS_KUBERNETES';
	const hasEngine = SANDGLASS_DOCKER !== undefined || SANDGLASS_KUBERNETES !== undefined;
	if (hasEngine !== (configuration.SANDGLASS_MACHINE_IMAGE !== undefined))
		return `${name} and SANDGLASS_MACHINE_IMAGE must be set together: the engine, and the image of its machines.`;
	if (hasEngine && SANDGLASS_TOKEN === undefined)
		return `${name} needs SANDGLASS_TOKEN, on this machine too: every client of this server can use its machines. Set it to a long random word.`;
	if (SANDGLASS_HERE !== undefined && !isLoopback(HOST))
		return `SANDGLASS_HERE gives the page commands on this machine, so HOST must be localhost and not ${HOST}.`;
	return undefined;
}

function hasKeys(configuration: Configuration): boolean {
	const { ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, compatible } = configuration;
	return Boolean(ANTHROPIC_API_KEY ?? OPENAI_API_KEY ?? GEMINI_API_KEY) || compatible.length > 0;
}
