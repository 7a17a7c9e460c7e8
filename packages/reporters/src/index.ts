export { type RenderedIssue, renderIssues } from './render-issues.ts';
export { type RenderOptions, renderPreview } from './render-preview.ts';
