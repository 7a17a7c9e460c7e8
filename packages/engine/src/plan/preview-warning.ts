/** What is allowed but worth a look. */
export interface PreviewWarning {
  readonly code:
    | 'no-writes'
    | 'budget-spent'
    /** Two tasks of one wave may write the same files. */
    | 'write-overlap'
    /** A task reads what another of its wave writes, as it was before. */
    | 'read-overlap'
    /** A wave has tasks that may write anything beside others that write. */
    | 'unstated-overlap';
  readonly taskId: string;
  readonly message: string;
}
