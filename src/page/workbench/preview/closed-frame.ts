import { parseDriverOffer, parseReport, type Report } from '../../preview/reports.ts';

/** Milliseconds that a document may be unresponsive before its frame counts as navigated away. */
const SILENCE_MS = 1500;

/**
 * Shows a document in the preview's sandboxed frame, which reports when it is ready and then accepts one port. A script
 * that navigates elsewhere gains nothing: whatever is loaded then has no port.
 */
export function showDocument(
	frame: HTMLIFrameElement,
	html: string,
	onReport: (report: Report) => void,
	onDriver: (key: string, port: MessagePort) => void
): () => void {
	const channel = new MessageChannel();
	let isShown = false;
	let silence: ReturnType<typeof setTimeout> | undefined;
	const received = (event: MessageEvent<unknown>): void => {
		if (event.source !== frame.contentWindow) return;
		if (event.data === 'sandglass:preview-ready' && !isShown) {
			isShown = true;
			// An opaque origin cannot be named as a target; the source was checked.
			frame.contentWindow?.postMessage('sandglass:preview-port', '*', [channel.port2]);
			channel.port1.postMessage({ html });
			return;
		}
		const key = parseDriverOffer(event.data);
		if (key !== null && event.ports[0]) return onDriver(key, event.ports[0]);
		const report = parseReport(event.data);
		if (!report) return;
		clearTimeout(silence);
		onReport(report);
	};
	const loaded = (): void => {
		if (!isShown) return;
		clearTimeout(silence);
		silence = setTimeout(() => onReport({ type: 'left' }), SILENCE_MS);
		frame.contentWindow?.postMessage('sandglass:there?', '*');
	};
	addEventListener('message', received);
	frame.addEventListener('load', loaded);
	return () => {
		clearTimeout(silence);
		removeEventListener('message', received);
		frame.removeEventListener('load', loaded);
		channel.port1.close();
	};
}
