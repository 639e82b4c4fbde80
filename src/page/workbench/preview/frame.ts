/** Shows a document in the preview's closed frame, which says when it is ready and then takes one port. */
export function showDocument(
	frame: HTMLIFrameElement,
	html: string,
	onError: (message: string, line: number | undefined) => void
): () => void {
	const channel = new MessageChannel();
	const ready = (event: MessageEvent<unknown>): void => {
		if (event.source !== frame.contentWindow || event.data !== 'sandglass:preview-ready') return;
		removeEventListener('message', ready);
		// An opaque origin has no name to send to; the source was checked.
		frame.contentWindow?.postMessage('sandglass:preview-port', '*', [channel.port2]);
		channel.port1.postMessage({ html });
	};
	addEventListener('message', ready);
	channel.port1.onmessage = ({ data }: MessageEvent<unknown>) => {
		if (typeof data !== 'object' || data === null || !('error' in data)) return;
		const line = 'line' in data && typeof data.line === 'number' ? data.line : undefined;
		onError(String(data.error).slice(0, 2000), line);
	};
	return () => {
		removeEventListener('message', ready);
		channel.port1.close();
	};
}
