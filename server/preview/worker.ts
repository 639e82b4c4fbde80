import { HOST_PATH } from './host-page.ts';

/**
 * Service worker of the preview's origin: forwards each request to the page through the host document and
 * applies the policies of {@link sitePolicies} to the response, overriding its own. Nothing is sent over the
 * network: the displayed site reaches only its own origin, and the worker answers that.
 */
export const previewWorker = (policies: Readonly<Record<string, string>>): string => `
const POLICIES = ${JSON.stringify(policies)};
const plain = (status, text) => new Response(text, { status, headers: { ...POLICIES, 'content-type': 'text/plain; charset=utf-8' } });
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
	const url = new URL(event.request.url);
	if (url.origin !== location.origin) event.respondWith(Response.error());
	else if (!url.pathname.startsWith('/__sandglass__/')) event.respondWith(answer(event, url));
});
// Asks a host document whether it displays this origin's preview; one that was closed does not answer.
const isHolder = (host) => new Promise((resolve) => {
	const { port1, port2 } = new MessageChannel();
	port1.onmessage = ({ data }) => resolve(data === true);
	setTimeout(resolve, 5000, false);
	host.postMessage('holder?', [port2]);
});
// Only a document in the frame of the single host is answered: a separate tab, or an ambiguous host, is
// refused.
async function findHost({ clientId, request }) {
	const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
	if (request.mode === 'navigate' ? request.destination !== 'iframe' : windows.find(({ id }) => id === clientId)?.frameType === 'top-level') return null;
	const hosts = windows.filter((client) => new URL(client.url).pathname === '${HOST_PATH}' && client.frameType === 'nested');
	if (hosts.length < 2) return hosts[0];
	const held = await Promise.all(hosts.map(isHolder));
	const holders = hosts.filter((_host, index) => held[index]);
	return holders.length === 1 ? holders[0] : null;
}
async function answer(event, url) {
	const { request } = event;
	const host = await findHost(event);
	if (!host) return plain(403, 'Only the Sandglass tab that shows this preview can open this address. Open it from there.');
	const body = request.method === 'GET' || request.method === 'HEAD' ? null : new Uint8Array(await request.arrayBuffer());
	const { port1, port2 } = new MessageChannel();
	let deliver;
	const next = () => new Promise((resolve) => (deliver = resolve));
	port1.onmessage = ({ data }) => deliver(data);
	const first = next();
	host.postMessage({
		type: 'request', method: request.method, target: url.pathname + url.search, headers: [...request.headers],
		body, isNavigation: request.mode === 'navigate'
	}, [port2]);
	request.signal.addEventListener('abort', () => port1.postMessage('cancel'));
	const head = await first;
	if (head === null) return plain(503, 'The tab of this preview was closed. Open the preview again from Sandglass.');
	const headers = new Headers();
	for (const [name, value] of head.headers) headers.append(name, value);
	for (const [name, value] of Object.entries(POLICIES)) headers.set(name, value);
	const init = { status: head.status, statusText: head.statusText, headers };
	if ([204, 205, 304].includes(head.status) || request.method === 'HEAD') return new Response(null, init);
	return new Response(new ReadableStream({
		async pull(controller) {
			const arrived = next();
			port1.postMessage('more');
			const chunk = await arrived;
			if (chunk) controller.enqueue(chunk);
			else controller.close();
		},
		cancel() {
			port1.postMessage('cancel');
		}
	}), init);
}
`;
