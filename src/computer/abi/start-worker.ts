/**
 * Evaluates the first message. With the script itself as the URL, it would be copied for each worker, and WebKit
 * repeats the URL, megabytes of it, in every line of every stack.
 */
const EVALUATE = 'onmessage = ({ data }) => { onmessage = null; (0, eval)(data); };';

/**
 * Starts a worker from text.
 *
 * @param name shown by developer tools, and in stacks
 */
export function startWorker(scheme: 'blob' | 'data', text: string, name = 'worker'): Worker {
	if (scheme === 'blob')
		return new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), { name });
	const worker = new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(EVALUATE)}`, { name });
	worker.postMessage(`${text}\n//# sourceURL=sandglass:${name}`);
	return worker;
}
