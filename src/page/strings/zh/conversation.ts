import type { Strings } from '../en/index.ts';

/** What the header and the conversation say. */
export const conversation: Pick<
	Strings,
	'header' | 'modes' | 'timeline' | 'tool' | 'permission' | 'question' | 'attention'
> = {
	header: {
		home: '所有会话',
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
		priceUnknown: '价格未知',
		modelChanged: (model) => `从这里起：${model}`,
		todoReminder: '任务列表再次提交给了模型。',
		checkpoints: { turn: '这一步之前', command: '这条命令之前', Imported: '导入时' },
		goBack: '回到这里',
		turnCost: (tokens, cost) => `${tokens} 个 token · ${cost}`,
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
		subagent: (name) => `助手 ${name}`
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
		copyText: '复制文字',
		copyLink: '复制这一步的链接',
		copied: '已复制',
		notCopied: '浏览器不允许页面复制。'
	},
	permission: {
		group: '许可',
		once: '允许一次',
		session: '本次会话允许',
		always: '始终允许',
		covers: {
			path: '写入',
			beginning: '以此开头的命令',
			line: '仅这一行',
			host: '访问'
		},
		deny: '拒绝',
		explain: '说明拒绝的原因……',
		explanation: '它应该改做什么',
		tell: '拒绝并告诉它',
		back: '返回',
		asked: (agent) => (agent === 'main' ? '智能体请求' : `助手 ${agent} 请求`),
		decided: {
			allow_once: '你允许了一次。',
			allow_session: '你在本次会话中允许了它。',
			allow_always: '你始终允许它。',
			deny: '你拒绝了它。',
			deny_explain: '你拒绝了它并说明了原因。'
		},
		unanswered: '没有得到答复。'
	},
	question: { answer: '你的回答', reply: '回答' },
	attention: {
		idle: '智能体已完成。',
		waiting: '智能体在等你。',
		closed: '会话已结束。',
		working: '智能体正在工作。'
	}
};
