import { t } from '../../strings/index.ts';

const ADDRESS = '/preview-tab.html';
/** Time for the tab to load. */
const LOADING_MS = 20_000;

/** A preview in a tab of its own. */
export interface PreviewTab {
	/** Empty frame that fills the tab. */
	frame: HTMLIFrameElement;
	close(): void;
}

/**
 * Opens a tab for a preview. It is a document of this page's origin, with the same isolation, so that this page keeps
 * its window and can put the preview's frame into it: the preview's own origin would be cut off in a tab, by the
 * isolation from this page, and by the browser's partitions from the service worker that answers it.
 *
 * Has to be called while the browser still counts the user's click. Rejects where it does not let a tab open.
 *
 * @param dress sets title and sandbox of the frame, as in the workbench
 * @param onClose the user closed or left the tab
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
	/** Ends the preview with this page, which it runs in, and says so. */
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
