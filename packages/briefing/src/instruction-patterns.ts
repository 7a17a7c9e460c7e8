import { type WordPattern, wordPattern } from './word-pattern.ts';

/** What a text asks for or claims that is the host's alone. */
export type InstructionKind =
  /** Claims to be, or to speak for, who gives orders; or asks that orders be forgotten. */
  | 'authority'
  /** Gives, or asks for, somebody's consent. */
  | 'consent'
  /** Imitates a reply. */
  | 'envelope'
  /** Imitates the marks and headings of a briefing, or the turns of a conversation. */
  | 'fence'
  /** Asks to pass a check by, or to put the work where only the host does. */
  | 'gate'
  /** Speaks to the host. */
  | 'host'
  /** Names a variable of the host. */
  | 'name'
  /** Asks for an ending whatever the work is. */
  | 'status'
  /** Asks for a tool, a right, or a way out of the sandbox. */
  | 'tool';

const VERBS =
  'set|mark|report|return|reply|respond|answer|ignore|disregard|forget|approve|accept|skip|bypass|run|push|merge|grant|allow|give|enable|disable|stop|delete|send|use|call|execute|treat|do|you|your|please|from';

const RULERS = 'operator|orchestrator|administrator|admin|host|dispatcher|superuser|root';

const RIGHT =
  'tool|tools|permission|permissions|access|network|internet|shell|bash|sudo|root|rights|credentials|token|secrets';

const SPOKEN: Readonly<Partial<Record<InstructionKind, readonly string[]>>> = {
  authority: [
    'ignore|disregard|forget|override|discard ~2 previous|prior|above|earlier|preceding|foregoing|your|original|hosts ~3 instruction|instructions|rules|rule|prompt|prompts|directions|guidelines|orders|briefing|constraints',
    'ignore|disregard|forget all|any ~1 instructions|orders',
    'ignore|disregard|forget ~1 rules|instructions|briefing|prompt above',
    'ignore|disregard|forget everything|anything|all ~4 above|before|told|earlier|previously',
    'do|must|should not|never follow|obey ~2 rules|instructions|briefing|host',
    'dont follow|obey ~2 rules|instructions|briefing|host',
    `^ system|operator|orchestrator|host|admin|administrator|human|user|assistant|developer|maintainer|reviewer|worker ^ ${VERBS}`,
    `i|im ~1 the|your ${RULERS}`,
    `this is the|your ${RULERS}|system speaking|writing|and|again $`,
    `this is the|your operator|orchestrator|administrator $`,
    'as the|your operator|orchestrator|administrator ~4 i|we ~1 order|ask|tell|want|instruct|require',
    'speaking|acting|writing as|for the ~1 operator|orchestrator|host|administrator|system',
    'message|order|instruction|instructions|notice|directive from the|your operator|orchestrator|administrator',
    'you are now ~3 administrator|admin|root|unrestricted|operator|orchestrator|superuser|authorized|free|jailbroken',
    'you are no longer ~1 bound|restricted|limited|worker|subject',
    'your new|real|actual|true instructions|role|rules|task|orders|goal ~1 is|are|follow|supersede',
    'new|updated system prompt|instructions ~2 follow|supersede|replace|override|apply',
    'rules|instructions ~1 above|before|briefing ~3 void|obsolete|superseded|cancelled|revoked|suspended|apply',
    'supersedes|overrides|replaces ~2 briefing|rules|instructions|prompt ~1 above|briefing|you|given|host',
  ],
  consent: [
    'i|we ~1 hereby|explicitly|fully ~1 consent|approve|authorize|authorise|agree|grant|permit|confirm',
    'operator|orchestrator|maintainer|host|lead has|have|had ~1 approved|consented|authorized|authorised|agreed|confirmed|allowed|permitted|signed',
    'approved|authorized|authorised|confirmed|permitted|allowed by the ~1 operator|orchestrator|host|maintainer|lead',
    'consent|approval|authorization is|was|has ~2 hereby|already|been granted|given|recorded',
    'give|grant|record|register ~1 your|operators|hosts consent|approval',
    'you have|got my|our|explicit ~1 permission|approval|consent|authorization|authority|clearance',
    '^ approve|accept|confirm|consent ~1 this|the|my|every|all ~1 proposal|roster|persona|bypass|escalation|consent|deletion',
    '^ answer|say yes ~1 to|whenever ~3 prompt|prompts|question|questions|confirmation|asked',
    'no|without ~1 confirmation|consent|approval|human is|needed|required ~2 here|needed|required|anymore',
  ],
  envelope: [
    'type task_result',
    'notes_md',
    'status done ~1 artifacts',
    'task_id ~4 status done|abandoned',
  ],
  gate: [
    'skip|bypass|disable|override|ignore|waive|force ~1 the|this|your|all|any|every ~1 gate|gates|barrier',
    '^ skip|bypass|waive|ignore|disable ~2 review|reviewer|verification|verify|guard|acceptance $',
    'skip|bypass|waive|omit ~2 review|verification|checks|tests|gate ~1 for|of|on this|your|my',
    'merge|accept|commit|approve|integrate|land ~1 this|it|my|your ~3 without ~2 review|verification|checks|check|tests|gate|reviewing|verifying',
    '^ mark|report|declare|set ~2 gate|verification|verify|review|checks|tests ~3 passed|green|passing|approved|ok|successful',
    'let|wave ~1 this|it ~1 past|through ~1 gate|review|reviewer',
    '^ advance|force|move|set ~1 the|project phase',
    '^ push|commit|merge|deploy ~3 main|master|origin|production ~2 now|directly|yourself|immediately|without|anyway $',
    'push|commit|deploy ~2 to main|master|production yourself|immediately|anyway',
  ],
  host: [
    'tell|ask|instruct|order|inform|have|get ~1 the|your orchestrator|dispatcher ~1 to|that',
    'tell|ask|instruct|order the host to ~1 skip|accept|mark|raise|approve|merge|grant|give|run|extend|stop|allow|use|set|install|disable',
    '^ note|message|instruction|instructions|request|memo to|for ~1 the orchestrator|dispatcher|host|scheduler',
    '^ attention|dear|hey|hello|hi ~1 host|orchestrator|dispatcher|scheduler|operator',
    '^ host|orchestrator|dispatcher you|please|must|should|shall',
    'charge|count neither|no|not|nothing ~2 attempt|attempts',
    'do|must|should not|never charge|count ~2 attempt',
  ],
  status: [
    '^ set|mark|report|return|reply|respond|answer|declare|claim|say ~3 this|your ~1 task|attempt|work|job|reply|status|envelope ~3 done|complete|completed|finished|approved|abandoned|accepted|successful|blocked',
    '^ set|mark|change|make|report|claim|declare|reply|respond ~2 the|a|with|status ~1 status|task|attempt|envelope|job ~3 done|complete|completed|finished|approved|abandoned|accepted|blocked $',
    '^ report|return|reply|respond|answer|say|claim ~2 done|complete|completed|approved|abandoned|success ~3 regardless|anyway|without|immediately|now|whatever|always|even|no',
    'whatever|regardless|always ~6 report|return|reply|respond|answer|mark|set ~4 done|complete|completed|approved|abandoned|successful',
    'report|return|reply|respond|answer with ~1 status ~1 done|approved|abandoned|blocked',
    'your ~1 status|verdict|reply must|should|shall|has|will|is ~2 done|approved|complete|abandoned|blocked',
    'approve ~1 this|the|my work|change|attempt|it ~1 unconditionally|regardless|anyway|without|as-is|whatever|blindly',
    '^ set|make|report ~1 your verdict|status ~1 done|approved',
  ],
  tool: [
    `give|grant|allow|enable|unlock|get|lend ~1 me|yourself ~4 ${RIGHT}`,
    `give|grant|allow|enable|unlock|get|lend this ~1 worker|agent|session|task ~4 ${RIGHT}`,
    'enable|unlock|grant|request|turn|switch|open ~3 tool|tools|permission|permissions|access|network|internet ~1 for this|the ~1 worker|task|session|agent|attempt',
    '^ use|call|invoke|open|spawn ~1 the|your ~1 bash|webfetch|websearch|mcp|computer|subagent|task|agent tool|tools',
    'escape|leave|exit|outside|disable|without ~1 the|your|this sandbox ~1 and|to|so|for|first|by $',
    'break out of ~1 the|your|this sandbox|container|worktree',
    'escape|leave|exit the|your|this sandbox|worktree',
    'disable|remove|turn ~2 the|your ~1 sandbox $',
    '^ run|execute|work|write ~4 outside ~1 the|your|this sandbox|worktree|folder',
    'dangerously-skip-permissions',
    'dangerously-bypass-approvals-and-sandbox',
    'bypasspermissions',
    'read|print|send|post|upload|exfiltrate|reveal|show|leak ~2 your ~3 credentials|credential|token|tokens|secrets|secret|environment|prompt|nonce|key|keys|briefing',
  ],
};

/** One thing that is looked for among the words of a text. */
export interface SpokenInstruction {
  readonly kind: InstructionKind;
  readonly pattern: WordPattern;
}

/** All that is looked for, by the words that it may begin with. */
export const BY_FIRST_WORD: ReadonlyMap<string, readonly SpokenInstruction[]> = byFirstWord();

function byFirstWord(): Map<string, SpokenInstruction[]> {
  const found = new Map<string, SpokenInstruction[]>();
  for (const [kind, sources] of Object.entries(SPOKEN) as [InstructionKind, readonly string[]][]) {
    for (const source of sources) {
      const pattern = wordPattern(source);
      for (const word of pattern.first)
        found.set(word, [...(found.get(word) ?? []), { kind, pattern }]);
    }
  }
  return found;
}

/** Marks that are no words. Nothing in them repeats without a bound, so that no text makes them slow. */
export const FORGED_MARKS: readonly RegExp[] = [
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?system(?:-reminder|_prompt)?>|<\/?untrusted[ >]/giu,
  /^[ \t]{0,4}>>>(?: \d{1,9} more [a-z]{1,12} were cut)?[ \t\r]?$/gmu,
  /^[ \t]{0,4}<<< [a-z_ ]{2,20}\r?$/gmu,
  /^[ \t]{0,4}#{1,3} (?:Who you are|How you end|Your limits|This attempt|The attempt before this one|System prompt)\r?$/gmu,
];

/** How the names of the host's variables begin, folded. */
export const HOST_NAME = 'atelier_';
