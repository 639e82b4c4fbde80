import type { Strings } from '../en/index.ts';

const quoted = (name: string): string => `“${name}”`;

/** Strings around the message box. */
export const composer: Strings['composer'] = {
	message: '消息',
	placeholder: '说说要改什么……',
	placeholderWorking: '引导智能体，或把下一步排入队列……',
	placeholderWaiting: '回答它，或说说接下来做什么……',
	send: '发送',
	stop: '停止',
	queueUp: '排队',
	queueTitle: '在当前任务之后（Alt+Enter）',
	addFile: '提及文件',
	status: '智能体',
	states: { idle: '空闲', working: '工作中', waiting: '等你答复', closed: '已关闭' },
	waitingForKey: '等待密钥',
	queue: '等待中的消息',
	steering: '这一步之后送达',
	queued: '排队中',
	remove: '移出队列',
	edit: '编辑',
	sendNow: '立即发送',
	sendNowTitle: '在当前步骤之后、队列其余消息之前',
	held: '尚未发送。留在这里的消息会在下一个任务之后发送。',
	removed: '消息已移出队列。',
	goneFromQueue: '智能体已经收到这条消息。',
	pictures: '随消息发送的图片',
	picture: (number) => `图片 ${number}`,
	removePicture: (number) => `移除图片 ${number}`,
	brokenPicture: (name) => `${name === '' ? '这张图片' : quoted(name)}太大，而且无法缩小。`,
	attach: '添加附件',
	attachments: '附件',
	attachedFiles: '附件：',
	attaching: (count) => `正在添加 ${count} 个文件…`,
	attached: (path) => `已添加附件 ${path}。`,
	removeAttachment: (name) => `移除 ${name}`,
	attachmentRemoved: (path) => `已移除 ${path}。`,
	attachmentTooLarge: (name, size, limit) =>
		`${name === '' ? '该文件' : quoted(name)}大小为 ${size}。附件最大为 ${limit}。`,
	attachmentUnreadable: (name) =>
		`无法读取${name === '' ? '该文件' : quoted(name)}。如果是文件夹，请打包成 zip 再添加。`,
	tooManyAttachments: (name, limit) =>
		`未添加${name === '' ? '一个文件' : quoted(name)}：一条消息最多可带 ${limit} 个文件。`,
	noAttachmentFolder: (folder) => `附件存放在文件夹${quoted(folder)}中，但项目里已有同名的文件或链接。`,
	commands: '命令',
	command: {
		compact: '总结较早的对话，腾出空间',
		clear: '在同样的文件上开始新对话',
		review: '查看改了什么',
		settings: '密钥、限制、工具服务器、主题',
		help: '快捷键和命令',
		notNow: '要等智能体空闲、并且没有打开的副本时才能这样做。'
	},
	addKey: '添加密钥，运行你自己的任务',
	replay: '回放',
	buildsPage: '看它做一个网页',
	ended: [
		'轮到你了',
		'演示播放的是脚本。有了 Anthropic、OpenAI 或 Google 的密钥，智能体就能处理你自己的任务，在这个项目或你的项目中。'
	],
	demo: '这个模型是一份脚本；工具、文件和测试都是真的。',
	matches: '文件',
	readOnly: '这个会话已在另一个标签页中打开，这里只能阅读。',
	takeOver: '接管'
};
