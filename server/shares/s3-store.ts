import { AwsClient } from 'aws4fetch';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import type { ShareRecord, ShareStore } from './store.ts';

/** A bucket of a server that speaks S3's protocol, addressed by path: `<endpoint>/<bucket>/<key>`. */
export interface S3Bucket {
	endpoint: string;
	bucket: string;
	accessKeyId: string;
	secretAccessKey: string;
	region: string;
}

const BLOBS = 'shares/';
/** Prefix of an empty object `expiry/<ms>-<id>` per share: expired shares are found by listing names only. */
const EXPIRIES = 'expiry/';
const MS_DIGITS = 15;
const TIMEOUT_MS = 60_000;
const recordSchema = z.object({ expiresAt: z.coerce.number(), deleteHash: z.string() });

/**
 * Stores each share in an object, with its record in the object's metadata, so that the two cannot be separated. S3
 * shows an object only when it is complete; `If-None-Match: *` makes creation exclusive. The expiry entry is written
 * first: a crash in between leaves an entry without a share, which the sweep removes once it expires.
 */
export function createS3Store(options: S3Bucket, now: () => number = Date.now): ShareStore {
	const client = new AwsClient({ ...options, service: 's3', retries: 2 });
	const root = `${options.endpoint}/${options.bucket}`;

	async function call(method: string, path: string, expected: readonly number[], init: RequestInit = {}) {
		const answer = await client
			.fetch(root + path, { ...init, method, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
			.catch((error: unknown) => {
				throw unavailable(error);
			});
		if (expected.includes(answer.status)) return answer;
		await answer.body?.cancel();
		throw unavailable(`${method} was answered ${answer.status}`);
	}

	function put(key: string, bytes: Buffer, headers: Record<string, string>): Promise<Response> {
		const digest = createHash('sha256').update(bytes).digest('hex');
		return call('PUT', `/${key}`, [200, 409, 412], {
			body: new Uint8Array(bytes),
			headers: { ...headers, 'x-amz-content-sha256': digest }
		});
	}

	async function head(id: string): Promise<{ record: ShareRecord; bytes: number; writer: string | null } | undefined> {
		const answer = await call('HEAD', `/${BLOBS}${id}`, [200, 404]);
		if (answer.status === 404) return undefined;
		const { headers } = answer;
		const record = recordSchema.parse({
			expiresAt: headers.get('x-amz-meta-expires-at'),
			deleteHash: headers.get('x-amz-meta-delete-hash')
		});
		return { record, bytes: Number(headers.get('content-length')), writer: headers.get('x-amz-meta-writer') };
	}

	const remove = async (key: string): Promise<void> => void (await call('DELETE', `/${key}`, [200, 204, 404]));

	/** The names of all expiries, page by page. */
	async function* expiries(): AsyncGenerator<string> {
		let next = '';
		do {
			const query = new URLSearchParams({ 'list-type': '2', prefix: EXPIRIES });
			if (next) query.set('continuation-token', next);
			const page = await (await call('GET', `?${query.toString()}`, [200])).text();
			for (const [, key = ''] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) yield key;
			next = unescapeXml(/<NextContinuationToken>([^<]*)</.exec(page)?.[1] ?? '');
		} while (next);
	}

	return {
		async create(id, record, body) {
			const bytes = await buffer(body);
			const writer = randomUUID();
			await put(expiryKey(id, record.expiresAt), Buffer.alloc(0), {});
			const answer = await put(BLOBS + id, bytes, {
				'if-none-match': '*',
				'content-type': 'application/octet-stream',
				'x-amz-meta-writer': writer,
				'x-amz-meta-expires-at': String(record.expiresAt),
				'x-amz-meta-delete-hash': record.deleteHash
			});
			if (answer.status === 200) return;
			// A first attempt that the store saved without confirming blocks the retry.
			if ((await head(id))?.writer !== writer) throw new Error('A share with this id already exists.');
		},
		async open(id) {
			const share = await head(id);
			if (!share || share.record.expiresAt <= now()) return undefined;
			return { ...share, body: () => Readable.from(read(id), { objectMode: false }) };
		},
		async delete(id) {
			const share = await head(id);
			if (!share) return;
			await remove(BLOBS + id);
			await remove(expiryKey(id, share.record.expiresAt));
		},
		async sweep() {
			let removed = 0;
			for await (const key of expiries()) {
				const time = Number(key.slice(EXPIRIES.length, EXPIRIES.length + MS_DIGITS));
				if (!(time <= now())) continue;
				const id = key.slice(EXPIRIES.length + MS_DIGITS + 1);
				// Checked again: a create that failed because the id exists left an entry with another time.
				const share = await head(id);
				if (share && share.record.expiresAt <= now()) {
					await remove(BLOBS + id);
					removed += 1;
				}
				await remove(key);
			}
			return removed;
		}
	};

	async function* read(id: string): AsyncGenerator<Uint8Array> {
		const answer = await call('GET', `/${BLOBS}${id}`, [200]);
		if (answer.body) for await (const chunk of answer.body) yield chunk;
	}
}

const expiryKey = (id: string, expiresAt: number): string =>
	`${EXPIRIES}${String(expiresAt).padStart(MS_DIGITS, '0')}-${id}`;

const unescapeXml = (text: string): string =>
	text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const unavailable = (cause: unknown): Refusal =>
	new Refusal(502, 'shares_unavailable', 'The share store does not respond correctly. Try again later.', {}, cause);
