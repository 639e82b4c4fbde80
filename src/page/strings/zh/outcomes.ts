import type { Strings } from '../en/index.ts';

/** Strings of the comparison of a session with its fork. */
export const outcomes: Strings['outcomes'] = {
	button: '比较',
	title: '比较两个结果',
	intro: '分开之后各自的结果。只比较 git 会查看的文件。',
	other: '与之比较',
	here: '这个会话',
	there: (title) => `会话“${title}”`,
	model: '模型',
	tests: '最近的测试',
	exit: (command, code) => `${command}：退出码 ${code}`,
	noTests: '没有运行过',
	none: '还没有模型工作过',
	unpriced: '价格未知',
	tokens: '词元',
	worked: '工作时间',
	turns: '轮次',
	same: '两边的文件相同。',
	differ: (count) => `有 ${count} 个路径不同。`,
	sides: '移除的行属于另一个会话，新增的行属于这个会话。',
	list: '不同的路径'
};
