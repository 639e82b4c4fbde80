import { callerGone, type ServerApp } from '../context.ts';
import { route } from '../methods.ts';
import { checkAddress, parseAddress, type AddressPolicy } from '../outbound/address-check.ts';
import type { Guard } from '../outbound/guard.ts';
import { refuseRedirect } from '../outbound/redirect.ts';
import { Refusal } from '../refusal.ts';
import { pickHeaders, relay } from '../relay.ts';
import { archiveAddress, type ArchiveStyle } from './archive-address.ts';

const LIMITS = { headersMs: 60_000, idleMs: 30_000, totalMs: 10 * 60_000, maxBytes: 512 * 2 ** 20 };

/** `/api/archive?url=&ref=`: the host's tar.gz of a ref. 404 `no_archive` means: clone instead. */
export function archiveRoute(
	app: ServerApp,
	guard: Guard,
	policy: AddressPolicy,
	styles: ReadonlyMap<string, ArchiveStyle>
): void {
	route(app, '/api/archive', {
		GET: async (c) => {
			const signal = callerGone(c);
			const repository = parseAddress(c.req.query('url'));
			checkAddress(repository, policy);
			const url = archiveAddress(repository, c.req.query('ref') ?? '', styles);
			if (!url)
				throw new Refusal(
					404,
					'no_archive',
					`${repository.host} offers no known archive format. Clone it with git instead.`
				);
			c.set('log', { to: url.host });
			const answer = await guard.request({
				url,
				method: 'GET',
				headers: { ...pickHeaders(c.req.header(), ['authorization']), 'user-agent': 'sandglass' },
				signal,
				limits: LIMITS
			});
			refuseRedirect(answer);
			if (answer.status !== 200) {
				answer.body.destroy();
				throw new Refusal(
					answer.status >= 500 ? 502 : 404,
					'archive_failed',
					`${url.host} answered ${answer.status} when asked for the archive. Check the repository and the ref.`
				);
			}
			return relay(c, 200, { 'content-type': 'application/gzip' }, answer.body);
		}
	});
}
