import type { Strings } from '../en/index.ts';

/** Strings of the list of requests. */
export const network: Strings['network'] = {
	search: '搜索请求',
	filter: '显示哪些请求',
	filters: { all: '全部', allowed: '已允许', refused: '已拒绝', failed: '失败' },
	none: '还没有程序请求过网络。',
	noneWhy: 'node、npm、git、curl 和智能体命令的每个请求，无论允许与否，都会在离开这个标签页之前记在这里。',
	unlisted: '在这个站点上，标签页里没有任何程序能访问网络，所以没有可列的内容。',
	noMatch: '没有匹配的请求。',
	count: (shown, all) => (shown === all ? `${all} 个请求` : `${all} 个请求中的 ${shown} 个`),
	bytes: (sent, received) => `发送 ${sent}，接收 ${received}`,
	more: (count) => `再显示 ${count} 个`,
	hosts: '无需询问即可访问的主机',
	noHosts: '没有免询问的主机。',
	revoke: (host) => `${host} 需再次询问`,
	list: '请求',
	outcome: {
		asking: '询问中',
		running: '进行中',
		done: (status) => `已应答 ${status}`,
		refused: '已拒绝',
		failed: '失败'
	}
};
