import { z } from 'zod';
import {
	address,
	bytes,
	dollars,
	hostEntry,
	hops,
	list,
	onOff,
	port,
	previewOriginField,
	secret,
	whole
} from './fields.ts';

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
	SANDGLASS_GITHUB_CLIENT_ID: z
		.string()
		.regex(/^[A-Za-z0-9._-]{8,64}$/, 'must be the client id of a GitHub app')
		.optional(),
	SANDGLASS_GITHUB_URL: address.default('https://github.com'),
	SANDGLASS_SOURCE_URL: address.optional(),
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
	SANDGLASS_HERE: z.string().optional(),
	SANDGLASS_DOCKER: z
		.string()
		.refine(
			(value) => value.startsWith('/') || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
			'must be the path of the Docker socket or an http:// address'
		)
		.optional(),
	SANDGLASS_KUBERNETES: z
		.string()
		.refine(
			(value) => value === 'in-cluster' || value.startsWith('/'),
			'must be in-cluster or the absolute path of a kubeconfig'
		)
		.optional(),
	SANDGLASS_KUBERNETES_NAMESPACE: z
		.string()
		.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be the name of a namespace')
		.optional(),
	SANDGLASS_KUBERNETES_TEMPLATE: z
		.string()
		.refine((value) => value.startsWith('/'), 'must be the absolute path of a template for pods')
		.optional(),
	SANDGLASS_MACHINE_IMAGE: z
		.string()
		.regex(/^[a-z0-9][a-zA-Z0-9._/:@-]*$/, 'must be the name of an image, such as debian:13')
		.optional(),
	SANDGLASS_MACHINE_CPUS: whole(2, 1, 256),
	SANDGLASS_MACHINE_MEMORY: bytes('4g'),
	SANDGLASS_MACHINE_PIDS: whole(512, 16, 100_000),
	SANDGLASS_MACHINE_DISK: bytes('2g'),
	SANDGLASS_MACHINE_IDLE: whole(1_800, 30, 604_800),
	SANDGLASS_MACHINE_LIFETIME: whole(28_800, 60, 2_592_000),
	SANDGLASS_MACHINE_PER_CLIENT: whole(1, 1, 100),
	SANDGLASS_MACHINE_RUNTIME: z
		.string()
		.regex(/^[a-zA-Z0-9][\w.-]*$/, 'must be the name of a runtime of the engine, such as runsc')
		.optional(),
	SHARES_DIR: z.string().default('shares'),
	S3_ENDPOINT: address.optional(),
	S3_BUCKET: z
		.string()
		.regex(
			/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
			'must be the name of a bucket: 3 to 63 small letters, digits, dots and dashes'
		)
		.optional(),
	S3_ACCESS_KEY_ID: secret.optional(),
	S3_SECRET_ACCESS_KEY: secret.optional(),
	S3_REGION: z
		.string()
		.regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as us-east-1')
		.default('us-east-1')
});
