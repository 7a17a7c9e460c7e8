import type { RunEvent } from '@atelier/engine';
import type { Connection } from './connection.ts';
import { acceptAttempt, chargeAttempt, closeAttempt } from './projections/attempt.ts';
import { deliverEscalation, raiseEscalation } from './projections/escalation.ts';
import { recordPlan, replacePlan } from './projections/plan.ts';
import { replayTask } from './projections/replay.ts';
import { requestReview } from './projections/review.ts';
import { finishRun, interruptRun, parkRun, resumeRun, startRun } from './projections/run.ts';
import { passStage } from './projections/stage.ts';
import { abandonTask, completeTask, holdTask } from './projections/task.ts';
import { keepReply, stampSpawn } from './projections/worker.ts';

/**
 * Brings the tables up to an event, in the caller's transaction. Events that no table shows change
 * nothing. Throws `STORE_NO_SUCH_…` for one that names a row the store does not have.
 */
export function project(connection: Connection, event: RunEvent): void {
  switch (event.type) {
    case 'run.started':
      startRun(connection, event);
      recordPlan(connection, event);
      break;
    case 'plan.taken':
      replacePlan(connection, event);
      break;
    case 'run.resumed':
      resumeRun(connection, event);
      break;
    case 'run.parked':
      parkRun(connection, event);
      break;
    case 'run.interrupted':
      interruptRun(connection, event);
      break;
    case 'run.finished':
      finishRun(connection, event);
      break;
    case 'attempt.started':
      chargeAttempt(connection, event);
      break;
    case 'attempt.spawned':
      stampSpawn(connection, event);
      break;
    case 'attempt.replied':
      keepReply(connection, event);
      break;
    case 'attempt.checked':
      passStage(connection, event);
      break;
    case 'review.requested':
      requestReview(connection, event);
      break;
    case 'attempt.accepted':
      acceptAttempt(connection, event);
      break;
    case 'attempt.closed':
      closeAttempt(connection, event);
      break;
    case 'task.completed':
      completeTask(connection, event);
      break;
    case 'task.replayed':
      replayTask(connection, event);
      break;
    case 'task.abandoned':
      abandonTask(connection, event);
      break;
    case 'task.held':
      holdTask(connection, event);
      break;
    case 'escalation.raised':
      raiseEscalation(connection, event);
      break;
    case 'escalation.delivered':
      deliverEscalation(connection, event);
      break;
  }
}
