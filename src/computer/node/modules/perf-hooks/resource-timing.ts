import type { OwnEntry } from './entries.ts';

/** Times that `fetch` of undici measures, in milliseconds. */
interface TimingInfo {
	startTime: number;
	endTime: number;
	redirectStartTime?: number;
	redirectEndTime?: number;
	postRedirectStartTime?: number;
	finalServiceWorkerStartTime?: number;
	finalNetworkRequestStartTime?: number;
	finalNetworkResponseStartTime?: number;
	encodedBodySize?: number;
	decodedBodySize?: number;
	finalConnectionTimingInfo?: {
		domainLookupStartTime?: number;
		domainLookupEndTime?: number;
		connectionStartTime?: number;
		connectionEndTime?: number;
		secureConnectionStartTime?: number;
		ALPNNegotiatedProtocol?: string;
	} | null;
}

/** Bytes that the Fetch Standard counts for the headers of a response. */
const HEADERS = 300;

/** Fields of a `PerformanceResourceTiming`, in Node's order. */
export function resourceFields(
	timing: TimingInfo,
	name: string,
	initiatorType: string,
	cacheMode: string,
	responseStatus: number,
	deliveryType: string
) {
	const connection = timing.finalConnectionTimingInfo ?? {};
	const encodedBodySize = timing.encodedBodySize ?? 0;
	return {
		name,
		entryType: 'resource',
		startTime: timing.startTime,
		duration: timing.endTime - timing.startTime,
		initiatorType,
		nextHopProtocol: connection.ALPNNegotiatedProtocol,
		workerStart: timing.finalServiceWorkerStartTime,
		redirectStart: timing.redirectStartTime,
		redirectEnd: timing.redirectEndTime,
		fetchStart: timing.postRedirectStartTime,
		domainLookupStart: connection.domainLookupStartTime,
		domainLookupEnd: connection.domainLookupEndTime,
		connectStart: connection.connectionStartTime,
		connectEnd: connection.connectionEndTime,
		secureConnectionStart: connection.secureConnectionStartTime,
		requestStart: timing.finalNetworkRequestStartTime,
		responseStart: timing.finalNetworkResponseStartTime,
		responseEnd: timing.endTime,
		transferSize: cacheMode === 'local' ? 0 : encodedBodySize + (cacheMode === 'validated' ? 0 : HEADERS),
		encodedBodySize,
		decodedBodySize: timing.decodedBodySize ?? 0,
		deliveryType,
		responseStatus
	} satisfies OwnEntry & Record<string, unknown>;
}
