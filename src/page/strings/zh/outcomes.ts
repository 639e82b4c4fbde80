import type { Strings } from '../en/index.ts';

/** Strings of the comparison of a session with its fork. */
export const outcomes: Strings['outcomes'] = {
	button: '比较',
	title: '比较',
	other: '与之比较',
	withThisFork: (there) => `${there}与这个派生`,
	withMain: (there) => `${there}与主会话`,
	sides: '两个结果',
	filesChanged: '更改的文件',
	testsEdited: '改动的测试',
	files: (count) => `${count} 个文件`,
	model: '模型',
	exit: (command, code) => `${command}：退出码 ${code}`,
	noTests: '没有运行过',
	none: '无',
	unpriced: '价格未知',
	same: '两边的文件相同。',
	differ: (count) => `有 ${count} 个路径不同。`,
	alike: '两边相同。',
	list: (name) => `${name}中更改的文件`,
	kept: '两边都会保留，直到你删除其中一个。',
	newTab: (name) => `在新标签页打开${name}`,
	back: '回到主会话',
	goTo: (name) => `转到${name}`,
	makeMain: '设为主会话',
	isMain: '这个派生现在是主会话。'
};
