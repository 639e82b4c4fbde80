import type { Strings } from '../en/index.ts';

/** Strings of the header and the conversation. */
export const conversation: Pick<
	Strings,
	'header' | 'modes' | 'timeline' | 'step' | 'resend' | 'task' | 'tool' | 'permission' | 'question' | 'attention'
> = {
	header: {
		home: '所有会话',
		forkOf: (title) => `派生自：${title}`,
		fork: '派生',
		cost: '费用',
		costTitle: (input, output) => `这个会话读取了 ${input} 个 token，写出了 ${output} 个`,
		budgetLeft: (left) => `还剩 ${left}`,
		budgetTitle: (limit, left) => `此服务器每天为该提供商出借 ${limit}；UTC 午夜之前还剩 ${left}`,
		budgetUnknown: '此服务器目前无法统计剩余的预算',
		context: '上下文',
		contextTitle: (used, window) => `模型记忆的 ${window} 个 token 中已用 ${used} 个`,
		contextUnknown: '模型第一次回答后可知',
		compact: '立即压缩',
		model: '模型',
		mode: '模式',
		share: '分享',
		settings: '设置',
		theme: { system: '主题：跟随系统', light: '主题：浅色', dark: '主题：深色' },
		addKey: '添加密钥……',
		otherModel: '其他模型……',
		scripted: '脚本演示'
	},
	modes: {
		plan: ['计划', '只阅读和提议，不作更改'],
		ask: ['询问', '每次更改和执行命令前都询问'],
		'auto-edit': ['自动编辑', '自由编辑，执行命令前询问'],
		full: ['完全', '什么都不问'],
		fork: ['在副本上', '在副本上工作，最后由你批准']
	},
	timeline: {
		chooseSeveral: '可选择多项',
		answerWith: (count) => (count === 0 ? '请至少选择一项' : `以所选 ${count} 项作答`),
		label: '时间线',
		emptyTitle: '要做什么？',
		empty: '描述一处更改，问问代码，或让它运行测试。它会先从阅读开始。',
		suggestions: ['解释这个项目是怎样组成的', '运行测试并修好失败的部分', '找到最早的 TODO 并完成它'],
		thinking: '思考中……',
		thought: (seconds) => `思考了 ${seconds} 秒`,
		you: '你',
		steered: '你，在它工作时',
		latest: '最新',
		find: {
			title: '在对话中查找',
			found: '查找结果',
			count: (at, all) => (all === 0 ? '没有' : `第 ${at} 个，共 ${all} 个`),
			earlier: '上一个',
			later: '下一个',
			close: '关闭查找'
		},
		foldAll: '折叠步骤',
		unfoldAll: '展开步骤',
		retry: (attempt, seconds) => `模型没有应答；${seconds} 秒后重试（第 ${attempt} 次）。`,
		compacted: (before, after) => `较早的对话已总结：${before} → ${after} 个 token。`,
		hook: (command, exitCode, seconds) =>
			`钩子 ${command}：${exitCode === 0 ? '通过' : exitCode === null ? '没有完成' : `失败，退出码 ${exitCode}`}（${seconds} 秒）`,
		compactFailed: '较早的对话无法总结，保持原样。',
		showDropped: '显示被去掉的内容',
		hideDropped: '隐藏',
		summary: '模型改读的总结',
		dropped: (count) => `它不再读的 ${count} 条消息`,
		droppedGone: '这份记录里没有被去掉的内容。',
		roles: { user: '你', assistant: '智能体', tool: '结果', system: '指令', developer: '指令' },
		earlierSummary: '较早的总结',
		calls: (name) => `调用了 ${name}`,
		changeLimits: '更改限制',
		otherModel: '选择模型',
		startOver: '用这些文件重新开始',
		modelChanged: (model) => `从这里起：${model}`,
		todoReminder: '任务列表再次提交给了模型。',
		source: '模型读到的原文',
		unshown: {
			head: '只有模型会读到这段内容',
			kinds: {
				user: '作为你的消息',
				assistant: '作为它自己的话',
				call: '作为它发出的调用',
				result: '作为调用的结果',
				picture: '一张图片',
				summary: '作为之前内容的摘要',
				todo: '作为它的任务列表'
			}
		},
		checkpoints: { turn: '这一步之前', command: '这条命令之前', Imported: '导入' },
		goBack: '回到这一步之前',
		ended: {
			end_turn: '',
			max_tokens: '回答达到了模型的长度限制。可以让它继续。',
			max_iterations: '已达到单个任务的轮数限制。可以让它继续。',
			turn_limit: '',
			failure_threshold: '连续失败的工具调用太多。请说明它应该怎样换种做法。',
			permission_denied: '因为你拒绝了一步而结束。请说明如何继续。',
			aborted: '已停止。队列中等待的消息都保留着。',
			interrupted: '页面在此处被关闭或刷新，智能体也随之停下。可以让它继续。',
			rewound: '你回到了这里。发送消息即可从这里继续。',
			content_filter: '提供商的过滤器拦下了回答。请换一种说法描述任务。',
			error: '这次运行因错误而结束。'
		},
		loop: '智能体在重复自己。',
		diagnostics: (count) => `${count} 个问题`,
		subagent: (task) => (task === '' ? '助手' : `助手：${task}`)
	},
	step: {
		shell: ['正在运行', '运行了'],
		input: ['正在查看运行中的命令', '查看了运行中的命令'],
		read: ['正在阅读', '阅读了'],
		edit: ['正在编辑', '编辑了'],
		write: ['正在写入', '尝试写入'],
		written: ['正在写入', '写入了'],
		patch: ['正在编辑', '编辑了'],
		search: ['正在搜索', '搜索了'],
		list: ['正在列出', '列出了'],
		todo: ['正在更新任务列表', '更新了任务列表'],
		agent: ['正在与助手协作：', '与助手协作：'],
		ask: ['正在问你：', '问了你：'],
		web: ['正在打开', '打开了'],
		preview: ['正在使用预览：', '使用了预览：'],
		picture: '预览的截图',
		other: ['正在使用', '使用了'],
		reads: (files, searches) =>
			[files === 0 ? '' : `阅读了 ${files} 个文件`, searches === 0 ? '' : `搜索了 ${searches} 次`]
				.filter(Boolean)
				.join('，'),
		where: (path) => `位于 ${path}`,
		tests: (failed, passed) => (failed > 0 ? `${failed + passed} 项中 ${failed} 项失败` : `${passed} 项通过`)
	},
	resend: {
		edit: '编辑并重新发送',
		again: '派生后重试',
		label: '编辑后的消息',
		why: '从这条消息之前派生。这个会话保持原样。',
		send: '派生并运行',
		cancel: '取消'
	},
	task: {
		worked: (seconds) => `工作了 ${seconds} 秒`,
		answered: (seconds) => `用 ${seconds} 秒作答`,
		steps: (count) => `${count} 步`,
		allowed: (count) => `你允许了 ${count} 次`,
		tokens: (count) => `${count} 个 token`,
		summary: '任务小结',
		done: '完成',
		stopped: '未完成即停止',
		testsPass: '完成，测试全部通过',
		testsFail: (count) => `完成，${count} 项测试失败`,
		files: '文件',
		tests: '测试',
		passed: (count) => `${count} 项通过`,
		failed: (count) => `${count} 项失败`,
		failedBefore: (count) => `之前 ${count} 项失败`,
		time: '用时',
		cost: '费用',
		more: (count) => `另有 ${count} 个文件`,
		review: '查看更改',
		undoAll: '全部撤销……'
	},
	tool: {
		preparing: '编写中……',
		running: '运行中',
		waiting: '询问',
		failed: '失败',
		exit: (code) => `退出码 ${code}`,
		seconds: (seconds) => `${seconds} 秒`,
		noOutput: '没有输出。',
		more: (lines) => `再显示 ${lines} 行`,
		less: '收起',
		lines: (from, to) => `${from}–${to}`,
		matches: (count) => `${count} 行`,
		expand: '显示详情',
		arguments: '参数',
		result: '结果',
		fold: '隐藏详情',
		openFile: '打开文件',
		copyText: '复制文字',
		copyLink: '复制这一步的链接',
		copied: '已复制',
		notCopied: '浏览器不允许页面复制。',
		code: '代码',
		copyCode: '复制'
	},
	permission: {
		group: '许可',
		allow: '允许',
		next: { apply: '应用', retry: '允许并重新运行', run: '实际运行' },
		scope: '允许多久',
		once: '一次',
		session: '本次会话',
		always: '始终',
		covers: {
			path: '写入',
			host: '访问',
			input: '输入这段内容：',
			git: '记录提交和分支',
			server: '持续运行的命令'
		},
		effects: {
			ran: (exitCode) => `已试运行，退出码 ${exitCode}。尚未更改任何内容。`,
			timedOut: '试运行达到了时间限制。尚未更改任何内容。',
			hosts: '它试图访问',
			servers: '它会启动服务器',
			port: (port) => `端口 ${port}`,
			leftRunning: '它会留下运行中的进程',
			signals: '它试图向这些进程发送信号',
			unnamed: '有一项操作被拒绝，这里无法说明是什么。',
			files: '它会更改',
			kinds: { added: '新增', modified: '修改', removed: '删除' },
			more: (count) => `另有 ${count} 个文件位于`,
			count: (count) => `${count} 个文件位于`
		},
		deny: '拒绝',
		explain: '或者告诉它该怎么做……',
		explanation: '它应该改做什么',
		tell: '拒绝并告诉它',
		asked: {
			main: {
				write: '让智能体进行这项修改？',
				execute: '让智能体运行这条命令？',
				network: '让智能体访问网络？',
				other: '让智能体这样做？'
			},
			helper: {
				write: '让助手进行这项修改？',
				execute: '让助手运行这条命令？',
				network: '让助手访问网络？',
				other: '让助手这样做？'
			}
		},
		remembers: '会记住',
		decided: {
			allow_once: '你允许了一次。',
			allow_session: '你在本次会话中允许了它。',
			allow_always: '你始终允许它。',
			deny: '你拒绝了它。',
			deny_explain: '你拒绝了它并说明了原因。'
		},
		unanswered: '没有得到答复。',
		settled: '无需答复：模式或规则已改变，问题因此解决。'
	},
	question: { answer: '你的回答', reply: '回答' },
	attention: {
		idle: '智能体已完成。',
		waiting: '智能体在等你。',
		closed: '会话已结束。',
		working: '智能体正在工作。'
	}
};
