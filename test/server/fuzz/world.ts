import type { LookupFunction } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startS3 } from '../s3/s3-server.ts';
import { startSandglass, startUpstream } from '../start.ts';

/** Nothing listens there: port 9 of loopback, for providers, hosts and registries that are down. */
const DEAD = '127.0.0.1:9';
/** Stands for every outside name; the hosts in `allowed` resolve to the fake one. */
const noNames: LookupFunction = (name, _options, answer) =>
	answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '', 4);

/** Starts the whole server with a host that answers everything and one that is down; limits are not reached. */
export async function startWorld() {
	const host = await startUpstream((request, response) => {
		buffer(request).then(
			() => response.setHeader('content-type', 'application/json').end('{"ok":true}'),
			() => response.destroy()
		);
	});
	const { bucket } = await startS3();
	const many = 1e9;
	const server = await startSandglass(
		{
			ANTHROPIC_API_KEY: 'sk-fuzz',
			ANTHROPIC_BASE_URL: host.url,
			OPENAI_API_KEY: 'sk-fuzz',
			OPENAI_BASE_URL: `http://${DEAD}/v1`,
			COMPATIBLE_BOX_BASE_URL: `${host.url}/v1`,
			SANDGLASS_DAILY_USD: '999999',
			SANDGLASS_METRICS: '1',
			SANDGLASS_ALLOW_HOSTS: `${host.host},${DEAD}`,
			SANDGLASS_ARCHIVE_HOSTS: `${host.host}=gitea`,
			NPM_REGISTRY: `${host.url}/npm`,
			S3_ENDPOINT: bucket.endpoint,
			S3_BUCKET: bucket.bucket,
			S3_ACCESS_KEY_ID: bucket.accessKeyId,
			S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
			S3_REGION: bucket.region
		},
		{
			lookup: noNames,
			rateLimits: { llm: many, outbound: many, shares: many, wrongTokens: many },
			shareQuota: { count: many, bytes: many * 1e6 }
		}
	);
	return { server, host: host.host, dead: DEAD };
}

export type World = Awaited<ReturnType<typeof startWorld>>;
