import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import type http from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { S3Bucket } from '#server/shares/s3-store.ts';
import { startUpstream } from '../start.ts';

interface StoredObject {
	bytes: Buffer;
	/** Includes its content type. */
	metadata: Record<string, string>;
}

const KEYS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret', region: 'eu-test-1' };
const PAGE = 2;

/**
 * Kinds of failure: the connection closes before or after the request was processed, or it was processed but an error
 * is returned.
 */
export type Failure = 'cut' | 'cut after' | '503 after' | '412';

/**
 * Stands in for an S3 store: one bucket, put (also conditional), head, get, delete, list in small pages. Rejects
 * requests not signed with the right secret, or whose body differs from the signed one.
 * @param fails called for each request
 */
export async function startS3(fails: (method: string, key: string) => Failure | undefined = () => undefined) {
	const objects = new Map<string, StoredObject>();
	const seen: string[] = [];
	/** Last key of the previous page, by opaque token. */
	const tokens = new Map<string, string>();
	const upstream = await startUpstream((request, response) => {
		buffer(request)
			.then((body) => answer(request, response, body))
			.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});
	const bucket: S3Bucket = { endpoint: upstream.url, bucket: 'sandglass', ...KEYS };

	async function answer(request: http.IncomingMessage, response: http.ServerResponse, bytes: Buffer): Promise<void> {
		const url = new URL(request.url ?? '/', upstream.url);
		const key = decodeURIComponent(url.pathname.slice('/sandglass/'.length));
		seen.push(`${request.method} ${key || 'list'}`);
		const failure = fails(request.method ?? '', key);
		if (failure === 'cut') return void response.destroy();
		if (failure === '412') return void response.writeHead(412).end();
		if (failure === 'cut after') response.end = () => response.destroy();
		if (failure === '503 after') response.statusCode = 503;
		const stored = objects.get(key);
		if (!(await signedRight(request, url, bytes))) response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
		else if (url.searchParams.get('list-type') === '2') {
			const page = list(url.searchParams);
			if (page === undefined) response.writeHead(400).end('<Code>InvalidArgument</Code>');
			else response.end(page);
		} else if (request.method === 'PUT') {
			if (request.headers['if-none-match'] === '*' && stored) return void response.writeHead(412).end();
			const metadata = Object.entries(request.headers).filter(
				([name]) => name.startsWith('x-amz-meta-') || name === 'content-type'
			);
			objects.set(key, { bytes, metadata: Object.fromEntries(metadata.map(([name, value]) => [name, String(value)])) });
			response.end();
		} else if (request.method === 'DELETE') {
			objects.delete(key);
			response.writeHead(204).end();
		} else if (!stored) response.writeHead(404).end();
		else {
			response.writeHead(200, { ...stored.metadata, 'content-length': stored.bytes.byteLength });
			response.end(request.method === 'HEAD' ? undefined : stored.bytes);
		}
	}

	/** Returns undefined for a token of no page. */
	function list(query: URLSearchParams): string | undefined {
		const token = query.get('continuation-token');
		const after = token === null ? '' : tokens.get(token);
		if (after === undefined) return undefined;
		const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort();
		const page = keys.slice(0, PAGE);
		const last = page.at(-1);
		const next = `"<${tokens.size}>" & 'more' &lt;`;
		if (keys.length > PAGE && last !== undefined) tokens.set(next, last);
		const element = tokens.has(next) ? `<NextContinuationToken>${escapeXml(next)}</NextContinuationToken>` : '';
		return `<ListBucketResult>${page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}${element}</ListBucketResult>`;
	}

	return { bucket, objects, seen };
}

const escapeXml = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

async function signedRight(request: http.IncomingMessage, url: URL, bytes: Buffer): Promise<boolean> {
	const given = request.headers.authorization ?? '';
	const names = /SignedHeaders=([^,]*)/.exec(given)?.[1]?.split(';') ?? [];
	const headers = new Headers();
	for (const name of names)
		if (name !== 'host' && name !== 'x-amz-date') headers.set(name, String(request.headers[name]));
	const digest = headers.get('x-amz-content-sha256');
	if (request.method === 'PUT' && digest !== createHash('sha256').update(bytes).digest('hex')) return false;
	const signer = new AwsV4Signer({
		method: request.method,
		url: url.href,
		headers,
		...KEYS,
		service: 's3',
		datetime: String(request.headers['x-amz-date'])
	});
	return (await signer.sign()).headers.get('authorization') === given;
}
