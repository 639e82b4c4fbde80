/** Addresses of ours on the preview's origin; everything else there belongs to the shown site. */
export const HOST_PATH = '/__sandglass__/host';
export const WORKER_PATH = '/__sandglass__/worker.js';

/**
 * The document the page embeds from the preview's origin. It takes one MessagePort from the page, starts the service
 * worker, and shows the site in a frame of its own; requests of the worker go over the port to the page, which answers
 * them from the sandbox, as it does with the site's WebSockets. What another session left in this origin's storage is removed first.
 */
export const HOST_PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block }</style>
<script>
let page;
let frame;
const failed = (reason) => page.postMessage({ type: 'failed', reason: String(reason) });
const restarted = () => new Promise((resolve, reject) => {
	setTimeout(() => reject(new Error('the service worker does not start')), 20000);
	navigator.serviceWorker.ready.then(resolve, reject);
});
async function empty() {
	localStorage.clear();
	for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
	for (const name of await caches.keys()) await caches.delete(name);
}
async function start({ session, address, title }) {
	if (localStorage.getItem('sandglass:session') !== session) await empty();
	localStorage.setItem('sandglass:session', session);
	await navigator.serviceWorker.register('${WORKER_PATH}', { scope: '/' });
	await restarted();
	frame = document.createElement('iframe');
	frame.title = title;
	frame.src = address;
	document.body.append(frame);
}
navigator.serviceWorker?.addEventListener('message', ({ data, ports }) => {
	if (page && ports[0]) page.postMessage(data, [ports[0]]);
	else ports[0]?.postMessage(null);
});
navigator.serviceWorker?.startMessages();
addEventListener('message', ({ source, data, ports }) => {
	if (source === parent && ports[0] && !page) {
		page = ports[0];
		page.onmessage = ({ data }) => {
			if (data.type === 'reload') frame?.contentWindow.location.reload();
			if (data.type === 'go') frame.src = data.address;
		};
		start(data).catch(failed);
	} else if (!frame || source !== frame.contentWindow || !data) return;
	else if (data.sandglassPreview) page.postMessage(data);
	else if (data.sandglassSocket && ports[0]) page.postMessage({ ...data.sandglassSocket, type: 'socket' }, [ports[0]]);
});
parent.postMessage('sandglass:preview-host', '*');
</script>
`;
