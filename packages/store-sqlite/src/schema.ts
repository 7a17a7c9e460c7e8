/** One run. `verdict` is empty while it is driven; `cause`, `detail` and `resume_at` (epoch ms) tell why it paused. */
export interface RunRow {
  readonly run_id: string;
  readonly policy_json: string;
  readonly started_at: string;
  readonly resumed_at: string | null;
  readonly finished_at: string | null;
  readonly verdict: 'complete' | 'abandoned' | 'parked' | 'interrupted' | null;
  readonly cause: string | null;
  readonly detail: string | null;
  readonly resume_at: number | null;
}

/**
 * One task of a run. `created_at` is canonical UTC text, or `~` where the plan gave none, which sorts last. Work
 * that waits for its reviewers is `reviewing`, and its attempt has no ending.
 */
export interface TaskRow {
  readonly run_id: string;
  readonly task_key: string;
  readonly id: string | number;
  readonly position: number;
  readonly title: string | null;
  readonly parallel_group: number | null;
  readonly created_at: string;
  readonly assigned_persona: string | null;
  readonly status:
    | 'pending'
    | 'running'
    | 'reviewing'
    | 'accepted'
    | 'complete'
    | 'abandoned'
    | 'held';
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly closed_at: string | null;
  readonly abandon_category: string | null;
  readonly upstream_key: string | null;
  readonly abandoned_ack_at: string | null;
  /** Of a task that an earlier attempt's merged work completed: the run and the number of that attempt. */
  readonly replayed_run_id: string | null;
  readonly replayed_attempt: number | null;
}

/** A task that can not run before another; one row for a pair. */
export interface EdgeRow {
  readonly run_id: string;
  readonly task_key: string;
  readonly upstream_key: string;
  readonly kind: 'explicit' | 'reads' | 'review';
}

/** A path that a task declares, at its place in the plan's list. */
export interface TaskPathRow {
  readonly run_id: string;
  readonly task_key: string;
  readonly kind: 'reads' | 'writes' | 'must_produce';
  readonly position: number;
  readonly path: string;
}

/**
 * One charged attempt; `ending` is empty while it is in flight, at its checks or under review. `cause` is the
 * failure's cause, the refused field, the abandonment's category or the held status, whichever the ending has.
 * `findings` is what the next attempt is told beyond `detail`. Of a reviewer, `reviews_…` names the attempt whose
 * work it looks at. `content_key` stands for everything that the result depends on.
 */
export interface AttemptRow {
  readonly run_id: string;
  readonly task_key: string;
  readonly attempt: number;
  readonly nonce: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly ending: 'accepted' | 'done' | 'abandoned' | 'held' | 'rejected' | 'failed' | null;
  readonly cause: string | null;
  readonly detail: string | null;
  readonly reply_json: string | null;
  readonly usage_json: string | null;
  readonly evidence_json: string | null;
  readonly findings: string | null;
  readonly reviews_key: string | null;
  readonly reviews_attempt: number | null;
  readonly spawned_at: string | null;
  readonly worker_json: string | null;
  readonly replied_at: string | null;
  readonly content_key: string | null;
}

/** A stage of the checks that an attempt has passed. */
export interface StageRow {
  readonly run_id: string;
  readonly task_key: string;
  readonly attempt: number;
  readonly stage: string;
  readonly passed_at: string;
  readonly evidence_json: string | null;
}

/** A file that an attempt changed, at its place in the evidence; lines are empty for what is not text. */
export interface ChangeRow {
  readonly run_id: string;
  readonly task_key: string;
  readonly attempt: number;
  readonly position: number;
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
  readonly insertions: number | null;
  readonly deletions: number | null;
}

/**
 * A file that an attempt produced. `sha256`, in lower-case hex, and `bytes` are the host's own findings; `claimed` is
 * the worker's hash where it is another. `sha256` is empty for a claim about a file that is not there.
 */
export interface ProductRow {
  readonly run_id: string;
  readonly task_key: string;
  readonly attempt: number;
  readonly path: string;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly claimed: string | null;
}

/** An escalation on its way to a person, `seq` being the event that raised it. */
export interface EscalationRow {
  readonly run_id: string;
  readonly key: string;
  readonly seq: number;
  readonly task_key: string;
  readonly payload_json: string;
  readonly raised_at: string;
  readonly delivered_at: string | null;
}

/** One event. `hash` chains it to the one before it. */
export interface EventRow {
  readonly run_id: string;
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly payload_json: string;
  readonly hash: string | null;
}

/** The events and the tables that follow from them, by name. */
export interface Schema {
  readonly runs: RunRow;
  readonly tasks: TaskRow;
  readonly edges: EdgeRow;
  readonly task_paths: TaskPathRow;
  readonly attempts: AttemptRow;
  readonly attempt_stages: StageRow;
  readonly changes: ChangeRow;
  readonly products: ProductRow;
  readonly events: EventRow;
  readonly escalations: EscalationRow;
}
