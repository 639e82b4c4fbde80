import type { Machine } from '../machine.ts';
import type { Handlers } from './handlers.ts';

export function outsideCalls({ outside }: Machine): Pick<Handlers, 'fetch' | 'asset' | 'now'> {
	return {
		fetch: (_, request) => outside.fetch(request),
		asset: (_, name) => outside.asset(name),
		now: () => Date.now()
	};
}
