/**
 * What runs inside. Plain sh, coreutils, util-linux, and the running Node for sockets; every parameter comes by the
 * environment. Each try leaves its name, exit status and message, ended by a NUL. What a try steals it puts into the
 * worktree, where the host looks.
 */
export const SCRIPT: string = String.raw`
try() {
  said=$(eval "$2" 2>&1)
  printf '%s\t%s\t%s\0' "$1" "$?" "$said"
}
try write-worktree 'printf %s "$TOKEN" > "$WORKTREE/made"'
try write-home 'printf %s "$TOKEN" > "$HOME/made"'
try read-repository 'cat "$COMMON/HEAD" > "$WORKTREE/head"'
try environment 'env > "$WORKTREE/environment"; cat /proc/[0-9]*/environ > "$WORKTREE/environments"'
try write-outside 'mkdir -p "$OUTSIDE"; printf x > "$OUTSIDE/canary"'
try write-system 'printf x > "/usr/$CANARY"; printf x > "/etc/$CANARY"; printf x > "/$CANARY"'
try read-secret 'cat "$SECRET" > "$WORKTREE/secret"'
try read-real-home 'stat -c %d:%i "$REAL_HOME" || stat -f %d:%i "$REAL_HOME"'
try journal-hidden 'cat "$COMMON/atelier/atelier.db" > "$WORKTREE/journal"'
try see-processes 'cat /proc/[0-9]*/cmdline /proc/"$BYSTANDER"/environ > "$WORKTREE/processes"'
try signal-host 'kill -KILL "$BYSTANDER"'
try trace-init 'head -c 1 /proc/1/maps || : <> /proc/1/mem'
try kernel-settings ': >> /proc/sys/kernel/core_pattern'
try capabilities 'cat /proc/self/status'
try git-config-and-hooks '
  printf x >> "$COMMON/config"
  printf x > "$COMMON/hooks/post-merge"
  printf x > "$COMMON/refs/heads/main"
  printf x > "$GIT_FOLDER/commondir"'
try git-pointer '
  printf x > "$WORKTREE/.git"
  printf "gitdir: %s\n" "$HOME" > "$WORKTREE/other"
  mv -f "$WORKTREE/other" "$WORKTREE/.git"
  rm -f "$WORKTREE/.git"
  ln -sfn "$HOME" "$WORKTREE/.git"
  mv "$WORKTREE/.git" "$WORKTREE/gone"
  mv "$WORKTREE" "$WORKTREE.moved" && mv "$WORKTREE.moved" "$WORKTREE" && printf x > "$WORKTREE/moved"'
try frozen '
  printf x >> "$WORKTREE/deps/shared"
  chmod 777 "$WORKTREE/deps/shared"
  ln "$WORKTREE/deps/shared" "$WORKTREE/again" && printf x >> "$WORKTREE/again"
  mv "$WORKTREE/deps" "$WORKTREE/moved-deps" && printf x >> "$WORKTREE/moved-deps/shared"
  rm -f "$WORKTREE/deps/shared"'
try has-mount 'command -v mount'
try remount '
  for at in /usr "$WORKTREE/.git" "$COMMON"; do mount -o remount,bind,rw "$at"; done
  printf x > "/usr/$CANARY.remount"
  printf x >> "$WORKTREE/.git"
  printf x >> "$COMMON/config"'
try has-unshare 'command -v unshare'
try user-namespaces 'unshare -U true'
try nested-remount '
  unshare -Urm sh -c "
    mount -o remount,bind,rw /usr
    printf x > \"/usr/\$CANARY.nested\"
    umount \"\$WORKTREE/.git\"
    printf x >> \"\$WORKTREE/.git\""'
try network '"$NODE" -e "$CLIENT"'
setsid sh -c 'printf x > "$HOME/survivor"; while :; do sleep 0.2; done' "$MARKER" </dev/null >/dev/null 2>&1 &
tries=0
while [ ! -e "$HOME/survivor" ] && [ "$tries" -lt 2000 ]; do sleep 0.01; tries=$((tries + 1)); done
try ends true
exit 43
`;

/** The exit status of {@link SCRIPT}: the sandbox has to pass it on unchanged. */
export const SCRIPT_EXIT = 43;

/** Tries to write a worktree that is read-only, and tells that it ran. */
export const READ_ONLY = `
printf x > "$WORKTREE/read-only"
mkdir "$WORKTREE/read-only-folder"
printf ran > "$HOME/read-only-ran"
`;

/** Stays until it is ended from outside, together with a process of a session of its own, which tells when it runs. */
export const ENDLESS = `
setsid sh -c 'printf ready; while :; do sleep 0.2; done' "$0" &
while :; do sleep 0.2; done
`;

/** Tries every way to another process over a socket, and prints for each what became of it. */
export const CLIENT: string = String.raw`
const { connect } = require('node:net');
const { PORT, SOCKET, UNBOUND_SOCKET, ABSTRACT_SOCKET, TOKEN } = process.env;
const reach = (name, to) => new Promise((resolve) => {
  const end = (how) => resolve(name + '=' + how);
  try {
    const socket = connect(to);
    socket.setTimeout(3000, () => { socket.destroy(); end('TIMEOUT'); });
    socket.on('error', ({ code }) => end(code));
    socket.on('connect', () => socket.end(TOKEN));
    socket.on('close', () => end('REACHED'));
    socket.resume();
  } catch ({ code }) { end(code); }
});
Promise.all([
  reach('tcp', { host: '127.0.0.1', port: Number(PORT) }),
  reach('unbound', { path: UNBOUND_SOCKET }),
  ...(ABSTRACT_SOCKET ? [reach('abstract', { path: '\0' + ABSTRACT_SOCKET })] : []),
  reach('bound', { path: SOCKET }),
]).then((all) => console.log(all.join(' ')));
`;
