import { describeSmall } from './describe-small.ts';

// The others start workers and hosts: they are run by the long suite.
describeSmall(['fold', 'journal', 'durable', 'cost', 'memory']);
