/** Strings of the list of requests. */
export const network = {
	search: 'Search the requests',
	filter: 'Which requests',
	filters: { all: 'All', allowed: 'Allowed', refused: 'Denied', failed: 'Failed' },
	none: 'No requests yet',
	noneWhy: 'Every request from this tab appears here before it’s sent, whether you allow it or not.',
	unlisted: 'On this site nothing in the tab can reach the network, so there is nothing to list.',
	noMatch: 'No matching requests',
	count: (shown: number, all: number) =>
		shown === all ? (all === 1 ? '1 request' : `${all} requests`) : `${shown} of ${all} requests`,
	bytes: (sent: string, received: string) => `${sent} sent, ${received} received`,
	more: (count: number) => `Show ${count} more`,
	hosts: 'Allowed without a question',
	noHosts: 'No host is allowed without a question.',
	revoke: (host: string) => `Ask again before reaching ${host}`,
	list: 'Requests',
	outcome: {
		asking: 'asks',
		running: 'in progress',
		done: (status: number) => `answered ${status}`,
		refused: 'denied',
		failed: 'failed'
	}
};
