import { t } from '../../strings/index.ts';

const ADDRESS = '/preview-tab.html';
/** Time limit for loading the tab. */
const LOADING_MS = 20_000;

/** A preview in a separate tab. */
export interface PreviewTab {
	/** Empty frame that fills the tab. */
	frame: HTMLIFrameElement;
	close(): void;
}

/**
 * Opens a tab for a preview. It is a document of this page's origin, with the same isolation, so that this page keeps a
 * reference to its window and can put the preview's frame into it: in a tab, the preview's own origin would be cut off,
 * by isolation from this page, and by the browser's storage partitioning from the service worker that serves it.
 *
 * Must be called during a user activation. Rejects if the browser blocks the tab.
 *
 * @param dress sets title and sandbox of the frame, as in the workbench
 * @param onClose called when the user closed or left the tab
 */
export function openPreviewTab(dress: (frame: HTMLIFrameElement) => void, onClose: () => void): Promise<PreviewTab> {
	const tab = window.open(ADDRESS);
	if (!tab) return Promise.reject(new Error(t.preview.tabBlocked));
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			removeEventListener('message', ready);
			reject(new Error(t.preview.tabBlocked));
		}, LOADING_MS);
		const ready = ({ source, origin, data }: MessageEvent<unknown>): void => {
			if (source !== tab || origin !== location.origin || data !== 'sandglass:preview-tab') return;
			removeEventListener('message', ready);
			clearTimeout(timer);
			resolve(fill(tab, dress, onClose));
		};
		addEventListener('message', ready);
	});
}

function fill(tab: Window, dress: (frame: HTMLIFrameElement) => void, onClose: () => void): PreviewTab {
	const { document: page } = tab;
	const frame = page.createElement('iframe');
	dress(frame);
	page.title = `${frame.title} – ${t.product}`;
	const note = page.querySelector('h1');
	const ended = note?.textContent ?? '';
	if (note) note.textContent = t.preview.tabNote(frame.title);
	page.querySelector('main')?.append(frame);
	/** Ends the preview together with this page, which it runs in, and notifies the user. */
	const end = (): void => {
		removeEventListener('pagehide', end);
		frame.remove();
		if (note) note.textContent = ended;
	};
	addEventListener('pagehide', end);
	tab.addEventListener('pagehide', () => {
		removeEventListener('pagehide', end);
		onClose();
	});
	return {
		frame,
		close() {
			end();
			tab.close();
			onClose();
		}
	};
}
