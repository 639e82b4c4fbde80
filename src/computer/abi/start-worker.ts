/** Starts a worker from text. */
export function startWorker(scheme: 'blob' | 'data', text: string): Worker {
	if (scheme === 'data') return new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`);
	return new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
}
