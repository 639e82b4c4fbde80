import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerApp, ServerContext } from '../context.ts';
import { route } from '../methods.ts';
import { apiHeaders } from '../page/headers.ts';
import { Refusal } from '../refusal.ts';
import { relay } from '../relay.ts';
import { bodyStream } from '../request-body.ts';
import type { ShareStore } from './store.ts';

export const MAX_SHARE_BYTES = 32 * 2 ** 20;
const DAY_S = 86_400;
const DEFAULT_S = 30 * DAY_S;
const LONGEST_S = 365 * DAY_S;

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `/api/shares`: encrypted blobs; the server never receives their key. */
export function shareRoutes(
	app: ServerApp,
	store: ShareStore,
	countUpload: (c: ServerContext) => Promise<void>,
	now: () => number = Date.now
): void {
	const find = async (c: ServerContext) => {
		const id = c.req.param('id') ?? '';
		const share = /^[\w-]{22}$/.test(id) ? await store.open(id) : undefined;
		if (share) return { id, ...share };
		throw new Refusal(
			404,
			'share_gone',
			'This share does not exist. It has expired, was deleted, or the link is incomplete.'
		);
	};

	route(app, '/api/shares', {
		PUT: async (c) => {
			await countUpload(c);
			const seconds = Number(c.req.query('expires') ?? DEFAULT_S);
			if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_S)
				throw new Refusal(400, 'expiry_invalid', `A share can last from 1 to ${LONGEST_S} seconds (a year).`);
			const id = randomBytes(16).toString('base64url');
			const deleteToken = randomBytes(24).toString('base64url');
			const expiresAt = now() + seconds * 1000;
			await store.create(id, { expiresAt, deleteHash: hash(deleteToken) }, bodyStream(c, MAX_SHARE_BYTES));
			return c.json({ id, deleteToken, expiresAt }, 201, apiHeaders);
		}
	});
	route(app, '/api/shares/:id', {
		GET: async (c) => {
			const { bytes, body } = await find(c);
			return relay(c, 200, { 'content-type': 'application/octet-stream', 'content-length': bytes }, body());
		},
		DELETE: async (c) => {
			const { id, record } = await find(c);
			const given = Buffer.from(hash(c.req.header('x-delete-token') ?? ''));
			if (!timingSafeEqual(given, Buffer.from(record.deleteHash)))
				throw new Refusal(
					403,
					'delete_refused',
					'Only the creator of a share can delete it, with the token they received.'
				);
			await store.delete(id);
			return c.body(null, 204, apiHeaders);
		}
	});
}
