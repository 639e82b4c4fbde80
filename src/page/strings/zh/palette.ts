import type { Strings } from '../en/index.ts';

/** Strings of the palette of actions and the list of shortcuts. */
export const palette: Strings['palette'] = {
	title: '操作',
	help: '快捷键',
	find: '你想做什么？',
	none: '没有这样的操作。',
	close: '关闭',
	actions: {
		palette: '查找操作',
		help: '显示快捷键',
		message: '给智能体写消息',
		stop: '停止智能体',
		find: '在对话中查找',
		settings: '设置',
		keys: '提供商和密钥',
		share: '分享这个会话',
		compact: '总结较早的对话',
		clear: '在同样的文件上开始新对话',
		theme: '下一个主题',
		home: '所有会话',
		surface: (name) => `显示${name}`,
		mode: (name) => `模式：${name}`
	},
	composer: [
		['Enter', '发送；智能体工作时：引导它'],
		['Alt+Enter', '把消息排在这个任务之后'],
		['Shift+Enter', '换行'],
		['Escape', '在消息框中停止智能体'],
		['↑', '在空的消息框中查看较早的消息'],
		['@', '提及文件'],
		['/', '命令和技能，写在开头']
	]
};
