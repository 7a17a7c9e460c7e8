/** What is allowed but worth a look. */
export interface PreviewWarning {
  readonly code:
    | 'no-writes'
    | 'budget-spent'
    /** It needs what is lost already, or has nobody left to review it. */
    | 'cascade'
    /** Two tasks of one wave may write the same files. */
    | 'write-overlap'
    /** A task reads what another of its wave writes, as it was before. */
    | 'read-overlap'
    /** Without barriers its `verify` may run without work of earlier waves that the task does not wait for. */
    | 'verify-early'
    /** A wave has tasks that may write anything beside others that write. */
    | 'unstated-overlap';
  readonly taskId: string;
  readonly message: string;
}
