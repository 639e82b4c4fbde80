/** Path of our own files on the preview's origin; all other paths belong to the displayed site. */
export const HOST_PATH = '/__sandglass__/host';
export const WORKER_PATH = '/__sandglass__/worker.js';

/**
 * Document that the page embeds from the preview's origin. It takes one MessagePort from the page, starts the
 * service worker, and displays the site in a nested frame; the worker's requests and the site's WebSockets go
 * over the port to the page, which answers them from the sandbox.
 *
 * An origin displays one preview at a time: the newest host document takes the lock, and the previous one
 * leaves. Storage that another preview left in this origin is removed first.
 */
export const HOST_PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block }</style>
<script>
const MARK = 'sandglass:preview';
let page;
let frame;
let isHolder = false;
const failed = (reason) => page.postMessage({ type: 'failed', reason: String(reason) });
const restarted = () => new Promise((resolve, reject) => {
	setTimeout(() => reject(new Error('the service worker does not start')), 20000);
	navigator.serviceWorker.ready.then(resolve, reject);
});
const hold = () => new Promise((resolve, reject) => {
	navigator.locks.request('sandglass:host', { steal: true }, () => {
		isHolder = true;
		resolve();
		return new Promise(() => {});
	}).catch((error) => {
		if (!isHolder) return reject(error);
		isHolder = false;
		frame?.remove();
		page.postMessage({ type: 'taken' });
	});
});
const removed = (name) => new Promise((resolve, reject) => {
	const request = indexedDB.deleteDatabase(name);
	request.onsuccess = request.onblocked = resolve;
	request.onerror = () => reject(request.error);
});
async function empty() {
	localStorage.clear();
	sessionStorage.clear();
	for (const { name } of await indexedDB.databases()) if (name) await removed(name);
	for (const name of await caches.keys()) await caches.delete(name);
	for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
	const folder = await navigator.storage.getDirectory?.();
	if (folder) for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true });
}
function reload() {
	try {
		frame?.contentWindow.location.reload();
	} catch {
		// It navigated to a refused address, and the browser's error page is cross-origin.
		frame.src = frame.src;
	}
}
async function start({ label, address, title }) {
	await hold();
	if (localStorage.getItem(MARK) !== label) await empty();
	localStorage.setItem(MARK, label);
	await navigator.serviceWorker.register('${WORKER_PATH}', { scope: '/' });
	await restarted();
	frame = document.createElement('iframe');
	frame.title = title;
	frame.src = address;
	document.body.append(frame);
}
navigator.serviceWorker?.addEventListener('message', ({ data, ports }) => {
	if (data === 'holder?') ports[0].postMessage(isHolder);
	else if (page && isHolder && ports[0]) page.postMessage(data, [ports[0]]);
	else ports[0]?.postMessage(null);
});
navigator.serviceWorker?.startMessages();
addEventListener('message', ({ source, data, ports }) => {
	if (source === parent && ports[0] && !page) {
		page = ports[0];
		page.onmessage = ({ data }) => {
			if (data.type === 'reload') reload();
			if (data.type === 'go') frame.src = data.address;
		};
		start(data).catch(failed);
	} else if (!frame || source !== frame.contentWindow || !data) return;
	else if (data.sandglassPreview) page.postMessage(data);
	else if (data.sandglassDriver && ports[0]) page.postMessage({ type: 'driver', key: data.sandglassDriver }, [ports[0]]);
	else if (data.sandglassSocket && ports[0]) page.postMessage({ ...data.sandglassSocket, type: 'socket' }, [ports[0]]);
});
parent.postMessage('sandglass:preview-host', '*');
</script>
`;
