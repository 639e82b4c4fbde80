import type { Strings } from '../en/index.ts';

const paths = (count: number): string => `${count} 个路径`;

/** Strings about work on a copy that the user approves. */
export const fork: Strings['fork'] = {
	reported: {
		begin: () => '从这里起，智能体在副本上工作，也就是文件的一份拷贝。项目里还没有其中的任何改动。',
		restore: (count) => `副本已恢复，有 ${paths(count)}不同。`,
		approve: (count) => `你批准了副本上的 ${paths(count)}，它们现在已在项目里。`,
		drop: (count) => `你在副本上收回了 ${paths(count)}。`,
		discard: (count) => (count === 0 ? '副本已结束，没有任何不同。' : `你丢弃了副本，其中有 ${paths(count)}不同。`),
		lost: () => '副本随它的计算机一起停止，无法恢复。项目保持原样。'
	},
	clash: (conflicts) => (conflicts.length === 0 ? '' : `仍留在副本上，因为项目里也改了这些：${conflicts.join('、')}。`),
	view: '显示哪一边',
	onFork: '副本上',
	inProject: '项目里',
	banner: (count) => (count === 0 ? '智能体在副本上工作，还没有任何不同。' : `在副本上：有 ${paths(count)}待批准。`),
	review: '审阅',
	list: '副本上的路径',
	empty: '副本与项目没有任何不同。',
	hidden: (count) => `另有 ${paths(count)}是 git 忽略或自用的，它们随“全部批准”一起进入项目。`,
	hiddenOnly: (count) => `只有 ${paths(count)}不同，都是 git 忽略或自用的。`,
	approveAll: '全部批准',
	approve: '批准这个路径',
	take: '在副本上收回',
	discard: '丢弃副本',
	discardQuestion: '丢弃智能体在副本上所做的一切？它会保留为一个可以回到的检查点。',
	discardYes: '丢弃',
	end: '结束副本',
	keep: '保留',
	busy: '智能体正在副本上工作。停止它或等它做完，才能批准。',
	conflict: '项目里这里也改了。',
	overwrite: '用副本的覆盖',
	project: '保留项目的',
	approved: (count) => `已批准 ${paths(count)}。`,
	before: '批准副本之前',
	after: '副本已批准',
	thrown: '丢弃时的副本',
	terminal: '这个 Shell 在主计算机上，看不到智能体在副本上所做的事。',
	locked: '有打开的副本。先批准或丢弃它，然后才能回退。'
};
