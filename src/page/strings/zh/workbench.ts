import type { Strings } from '../en/index.ts';

/** Strings of the workbench, the checkpoints and the errors' frame. */
export const workbench: Pick<
	Strings,
	| 'tabs'
	| 'files'
	| 'changes'
	| 'follow'
	| 'terminal'
	| 'moment'
	| 'checkpoints'
	| 'lanes'
	| 'trust'
	| 'hooks'
	| 'errors'
	| 'engine'
	| 'time'
> = {
	tabs: {
		agent: '智能体',
		files: '文件',
		changes: '更改',
		terminal: '终端',
		preview: '预览',
		network: '网络',
		surface: '工作台',
		divider: '对话栏宽度',
		dividerHint: '拖动可调整对话栏宽度，双击恢复默认宽度。'
	},
	files: {
		tree: '项目树',
		loading: '正在列出文件……',
		more: (count) => `还有 ${count} 项……`,
		empty: '这里还什么都没有。智能体、终端或你都可以创建第一个文件。',
		tabs: '打开的文件',
		tabUnsaved: (name) => `${name}，未保存`,
		close: (name) => `关闭 ${name}`,
		closeQuestion: (name) => `保存对 ${name} 的更改？`,
		closeWhy: '如果不保存就关闭，你的更改将丢失。',
		discard: '不保存',
		cancel: '取消',
		saveAndClose: '保存并关闭',
		conflict: '冲突',
		compare: '比较',
		compareLabel: '从新版本到你的版本',
		removedBeneath: '你编辑时，这个文件被移除了。',
		discardMine: '放弃我的',
		pick: '选择一个文件来阅读或编辑。',
		opening: '正在打开……',
		save: '保存',
		saved: '已保存',
		unsaved: '未保存',
		saving: '保存中……',
		back: '所有文件',
		binary: (size) => `这是 ${size} 的二进制文件，保持原样；可以在终端中处理它。`,
		tooLarge: (size) => `这个文件有 ${size}。编辑器最多打开 1 MB；请在终端中用 less 或 head。`,
		image: (size) => `图片，${size}`,
		gone: '这个文件已被移除。',
		changedBeneath: '你输入时，它在编辑器之外被更改了。',
		reload: '采用那个版本',
		keepMine: '保留我的',
		modified: '已更改',
		newFile: '新文件',
		newPath: '新文件的路径',
		create: '创建'
	},
	changes: {
		empty: '与导入时没有任何不同。',
		loading: '比较中……',
		list: '更改的路径',
		more: (count) => `再显示一些（还有 ${count} 个路径）`,
		unified: '合并显示',
		split: '并排',
		view: '差异布局',
		revertFile: '还原整个路径',
		revertHunk: '还原这一部分',
		commit: '提交',
		commitText: '提交说明',
		committed: (id) => `已提交为 ${id}。`,
		committedElsewhere: (subject) => `这些更改都已提交，最近一次提交是“${subject}”。`,
		countFromHere: '从该提交开始计算更改',
		patch: '保存补丁',
		zip: '保存 zip',
		binary: '二进制文件，无法逐行显示。',
		same: '两边又相同了。',
		kinds: { added: '新增', modified: '更改', removed: '移除' },
		total: (files, added, removed) => `${files} 个路径 · +${added} −${removed}`
	},
	follow: {
		on: '跟随智能体',
		off: '跟随',
		onTitle: '显示智能体正在处理的文件或命令。自己选择其他内容即停止跟随。',
		offTitle: '显示智能体正在处理的文件或命令'
	},
	terminal: {
		agent: '上一条命令',
		noCommand: '还没有命令',
		shells: 'Shell 列表',
		shell: (number) => `Shell ${number}`,
		leave: 'Alt+M：消息框 · Alt+1–5：其他标签页',
		open: '再打开一个 Shell',
		close: (number) => `结束 Shell ${number}`,
		loading: '正在启动 Shell……',
		ended: (code) => `Shell 已结束，退出码 ${code}。`,
		restart: '重新开始',
		earlier: '– 以上来自重新加载之前；新的 Shell 从这里开始 –',
		collapse: '隐藏 Shell',
		expand: '显示 Shell'
	},
	moment: {
		files: '此刻的文件',
		none: '还没有文件。',
		kinds: { added: '这一步新增', modified: '这一步修改', removed: '这一步删除' },
		inStep: '（这一步）',
		failed: '无法读取这些文件。',
		terminal: '此刻的终端',
		agent: '智能体',
		output: '最后一条命令的输出',
		noCommand: '还没有运行过命令。',
		asOf: (time) => `${time} 时的样子`,
		lastCommand: '此刻之前的最后一条命令',
		forkBefore: (label) => `在 ${label} 之前派生`,
		tryIt: '换一种方式试试…',
		run: '派生并运行',
		later: '之后',
		previous: '上一步',
		next: '下一步',
		lane: (title) => `派生：${title}`,
		main: '主线',
		thisFork: '这个派生',
		lanes: '这个会话的派生',
		history: '历史',
		steps: (count) => `${count} 步`
	},
	lanes: {
		label: '派生',
		main: '主会话',
		thisFork: '当前派生'
	},
	checkpoints: {
		label: '检查点',
		live: '实时',
		now: '现在',
		present: '回退之前',
		cleared: '新对话之前',
		fork: '派生',
		forkHere: '从这里派生',
		go: '回到这里',
		stay: '返回现在',
		question: (time, label) => `${time} · ${label}。尚未作任何更改。`,
		busy: '智能体正在工作。',
		stopAndGo: '停止并回退',
		step: (index, count) => `第 ${index} 步，共 ${count} 步`,
		failed: (command) => `${command} 失败`,
		passed: (command) => `${command} 通过`,
		value: (label, index, count) => `${label}，第 ${index} 个，共 ${count} 个`,
		forkFrom: (title) => `派生：${title}`
	},
	trust: {
		title: '这个仓库带有给智能体的指令',
		intro: '它们会成为智能体所得指示的一部分。在你决定之前，一概不用。',
		use: '使用',
		ignore: '不使用',
		script: (name) => `脚本“${name}”`,
		instructions: '指令',
		skill: '技能',
		command: '命令'
	},
	hooks: {
		title: '这个仓库会自行运行命令',
		changed: '这个仓库自行运行的命令已经更改',
		intro: '它们在智能体工作时运行，权限与智能体自己的命令相同。在你允许之前，一个也不会运行。',
		allow: '运行',
		ignore: '不运行',
		openFile: '打开文件',
		when: {
			before_tool: (tools) => `在${tools ?? '每一步'}之前`,
			after_tool: (tools) => `在${tools ?? '每一步'}之后`,
			message: () => '随每条消息',
			end: () => '在智能体结束之前'
		},
		section: '本项目自行运行的命令',
		none: '没有。项目在 .sandglass/settings.json 中列出它们。',
		on: '它们在智能体工作时运行。',
		off: '它们已关闭。',
		turnOn: '开启',
		turnOff: '关闭'
	},
	errors: {
		dismiss: '关闭提示',
		again: '重试',
		replaceKey: '更换密钥',
		switchModel: '切换模型',
		sameKey: '同一个密钥',
		yourKey: (provider) => `你的 ${provider} 密钥`,
		serverKey: (provider) => `此服务器的 ${provider} 密钥`,
		cheaper: (percent) => `费用约为 ${percent}%`,
		sameCost: '费用相同',
		dearer: (times) => `费用约为 ${times} 倍`,
		allModels: '所有模型…',
		addKey: '添加密钥',
		openSettings: '打开设置',
		details: '详情',
		continueTask: '从停下的地方继续任务。',
		home: '回到起始页',
		unknown: '出了点问题。',
		pause: (wait) => `请等待${wait}后重新发送。`,
		unknownStep: '你的工作已保存。请重试；如果仍然失败，请重新加载页面。'
	},
	engine: {
		snapshot:
			'这个浏览器不与沙箱共享内存，所以每个程序都在文件的副本上工作。命令、Node、git 和搜索都能运行。等待另一个程序的程序（execSync、spawnSync），或立即读取标准输入的程序，会得到说明原因的错误；运行中的程序只在暂停时才能看到彼此的更改。',
		isolated:
			'这个浏览器窗口没有共享内存，所以程序无法在这里运行。请用页面自带的服务器，或使用当前版本的 Chromium、Firefox 或 Safari。',
		unlisted: '这个项目在 WebContainer 上运行。它的程序访问网络时不经过这个页面，所以不在请求列表里。'
	},
	time: {
		now: '刚刚',
		minutes: (count) => `${count} 分钟前`,
		hours: (count) => `${count} 小时前`,
		yesterday: '昨天'
	}
};
