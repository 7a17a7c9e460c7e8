/** What a row of the ledger tells. The names are documented and fixed; stores take others too. */
export const AUDIT_EVENTS = {
  gap: 'persona_gap_escalation',
  ack: 'persona_gap_ack',
  retry: 'persona_gap_retry',
  postMortem: 'meeting_failure_postmortem',
  sideQuery: 'side_query',
  proposal: 'roster_proposal',
  consent: 'roster_consent',
} as const;
