import { z } from 'zod';
import { address, dollars, hostEntry, hops, list, onOff, port, previewOriginField, secret } from './fields.ts';

const archiveHost = z
	.string()
	.regex(
		/^[a-z0-9][a-z0-9.-]*(:\d{1,5})?=(github|gitlab|gitea|bitbucket|https?:\/\/\S*\{ref\}\S*)$/i,
		'must be a list of host=github, host=gitlab, host=gitea, host=bitbucket or host=<address with {path} and {ref}>'
	);

const connectHost = z
	.string()
	.regex(
		/^(https?:\/\/|wss?:\/\/)?(\*\.)?[a-z0-9][a-z0-9.-]*(:\d{1,5})?$/i,
		'must be a list of hosts or origins, such as https://api.openai.com'
	);

/** Variables with a fixed name. `COMPATIBLE_<NAME>_*` are read in `compatible.ts`. */
export const schema = z.object({
	PORT: port,
	HOST: z
		.string()
		.regex(/^[a-z0-9.:-]+$/i, 'must be a host name or an IP address')
		.default('localhost'),
	ANTHROPIC_API_KEY: secret.optional(),
	OPENAI_API_KEY: secret.optional(),
	GEMINI_API_KEY: secret.optional(),
	ANTHROPIC_BASE_URL: address.default('https://api.anthropic.com'),
	OPENAI_BASE_URL: address.default('https://api.openai.com/v1'),
	GOOGLE_GEMINI_BASE_URL: address.default('https://generativelanguage.googleapis.com'),
	SANDGLASS_TOKEN: secret.min(16, 'must have at least 16 characters, or it can be guessed').optional(),
	SANDGLASS_ALLOW_HOSTS: list(hostEntry),
	SANDGLASS_HOSTS: list(hostEntry),
	SANDGLASS_OWN_KEYS: onOff.prefault('1'),
	SANDGLASS_CONNECT_HOSTS: list(connectHost),
	SANDGLASS_ARCHIVE_HOSTS: list(archiveHost),
	SANDGLASS_PREVIEW_ORIGIN: previewOriginField.optional(),
	SANDGLASS_WEBCONTAINER: onOff,
	SANDGLASS_METRICS: onOff,
	NPM_REGISTRY: address.optional(),
	REDIS_URL: z
		.string()
		.refine((value) => URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol), 'must be a redis:// address')
		.optional(),
	SANDGLASS_TRUST_PROXY: hops,
	SANDGLASS_DAILY_USD: dollars,
	SANDGLASS_LEND: onOff,
	SANDGLASS_GUEST_USD: dollars,
	SHARES_DIR: z.string().default('shares'),
	S3_ENDPOINT: address.optional(),
	S3_BUCKET: z
		.string()
		.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, 3 to 63 small letters, digits, - and .')
		.optional(),
	S3_ACCESS_KEY_ID: secret.optional(),
	S3_SECRET_ACCESS_KEY: secret.optional(),
	S3_REGION: z
		.string()
		.regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as us-east-1')
		.default('us-east-1')
});
