export {
  type JournalCase,
  type JournalFixture,
  journalConformance,
} from './journal-conformance.ts';
