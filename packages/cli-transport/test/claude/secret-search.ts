import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '@atelier/model-server';

/** A credential as the host has it. Nothing inside the walls may know it. */
export const newKey = (): string => `sk-real-${randomBytes(20).toString('hex')}`;

/**
 * Looks for such a key in the environment, the arguments and the written memory of every process, and in all files that
 * are not the system's own; and for the token that workers show instead, which is inside: a search that does not find it
 * has not searched. It knows both by their form alone: a search that knew the key would itself bring it in. Of the memory
 * only pages that are there are read; a program may have reserved gigabytes.
 */
const SCRIPT = `
use strict; no warnings;
my (%found, %seen);
my %form = (real => qr/sk-real-[0-9a-f]{40}/, shown => qr/atelier-[0-9a-f]{64}/);
sub look {
  my ($where, $bytes) = @_;
  $seen{$where} += length $bytes;
  for my $name (keys %form) { my $count = () = $bytes =~ /$form{$name}/g; $found{"$name $where"} += $count; }
}
sub slurp { open my $file, '<:raw', $_[0] or return ''; local $/; my $all = <$file>; return $all; }
for my $process (glob '/proc/[0-9]*') {
  next if $process eq "/proc/$$";
  look('environment', slurp("$process/environ") . slurp("$process/cmdline"));
  open my $memory, '<:raw', "$process/mem" or next;
  open my $pages, '<:raw', "$process/pagemap" or next;
  $seen{processes}++;
  for (split /\\n/, slurp("$process/maps")) {
    my ($from, $to) = map { hex } /^([0-9a-f]+)-([0-9a-f]+) rw/ or next;
    for (my $at = $from; $at < $to; $at += 1 << 22) {
      my $length = $to - $at < 1 << 22 ? $to - $at : 1 << 22;
      my ($map, $bytes);
      sysseek $pages, $at / 512, 0;
      sysread $pages, $map, $length / 512;
      next if $map eq "\\0" x length $map;
      my $present = pack 'C*', unpack '(x7C)*', $map;
      while ($present =~ /[\\x40-\\xff]+/g) {
        sysseek $memory, $at + 4096 * $-[0], 0;
        look('memory', $bytes) if sysread $memory, $bytes, 4096 * ($+[0] - $-[0]);
      }
    }
  }
}
for (split /\\n/, \`find "$ENV{HOME}" "$ENV{ATELIER_REPLY_FILE}/.." . /tmp /run /etc -type f -size -4096k 2>/dev/null\`) {
  look('files', slurp($_));
}
print "$_: $found{$_}\\n" for keys %found;
print "$_: $seen{$_}\\n" for keys %seen;
`;

const FOUND = 'search.txt';

/** A command of the model's, run inside like any other. */
export const SEARCH: Turn = {
  kind: 'use',
  tool: 'Bash',
  input: {
    command: `perl - >${FOUND} <<'END'${SCRIPT}END\n`,
    description: 'Look around',
  },
};

/** What the search in a worktree has come to: how often each was found where, and how much was looked at. */
export function foundIn(worktree: string): Readonly<Record<string, number>> {
  const lines = readFileSync(join(worktree, FOUND), 'utf8').matchAll(/^(.+): (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, name, count]) => [name, Number(count)]));
}
