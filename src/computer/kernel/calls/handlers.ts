import { checkedCalls } from '../rights/checked-calls.ts';
import type { Computer } from '../computer.ts';
import type { Handlers } from './handler.ts';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { outsideCalls } from './outside-calls.ts';
import { processCalls } from './process-calls.ts';
import { datagramCalls } from './datagram-calls.ts';
import { socketCalls } from './socket-calls.ts';
import { streamCalls } from './stream-calls.ts';

export function createHandlers(computer: Computer): Handlers {
	const calls = {
		...fileCalls(computer),
		...streamCalls(computer),
		...socketCalls(computer),
		...datagramCalls(computer),
		...processCalls(computer),
		...outsideCalls(computer)
	};
	return checkedCalls(calls, computer);
}
