/** Strings of the list of requests. */
export const network = {
	search: 'Search the requests',
	filter: 'Which requests',
	filters: { all: 'All', allowed: 'Allowed', refused: 'Denied', failed: 'Failed' },
	none: 'No requests yet',
	noneWhy:
		'Each request of node, npm, git, curl and the agent’s commands is written down here, allowed or not, before it leaves this tab.',
	unlisted: 'On this site nothing in the tab can reach the network, so there is nothing to list.',
	noMatch: 'No request matches.',
	count: (shown: number, all: number) =>
		shown === all ? (all === 1 ? '1 request' : `${all} requests`) : `${shown} of ${all} requests`,
	bytes: (sent: string, received: string) => `${sent} sent, ${received} received`,
	more: (count: number) => `Show ${count} more`,
	hosts: 'Allowed without a question',
	noHosts: 'No host is allowed without a question.',
	revoke: (host: string) => `Ask again for ${host}`,
	list: 'Requests',
	outcome: {
		asking: 'asks',
		running: 'under way',
		done: (status: number) => `answered ${status}`,
		refused: 'denied',
		failed: 'failed'
	}
};
