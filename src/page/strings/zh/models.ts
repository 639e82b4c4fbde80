import type { Strings } from '../en/index.ts';

/** Strings of remarks on models, and of the dialog for naming one. */
export const models: Strings['models'] = {
	badges: { new: '新', fast: '快', preview: '预览' },
	ends: (date) => `供应至 ${date}`,
	ended: (date) => `已于 ${date} 停止供应`,
	title: '使用其他模型',
	provider: '提供商',
	name: '模型名称',
	asking: (provider) => `正在向 ${provider} 查询可用模型……`,
	listed: (provider, count) => `${provider} 提供 ${count} 个模型。输入即可搜索。`,
	notListed: (provider) => `${provider} 的列表里没有这个名称，仍可尝试使用。`,
	noList: (provider) => `${provider} 没有返回模型列表。请按其 API 中的名称输入。`,
	window: (tokens) => `最多可读取 ${tokens.toLocaleString('zh')} 个 token。`,
	unknown: '对这个模型一无所知：将使用保守的限制，也不显示费用。',
	cancel: '取消',
	use: '使用这个模型'
};
