/** Where bubblewrap comes from. */
export const PACKAGES: string =
  'Install bubblewrap: "sudo apt install bubblewrap" on Debian and Ubuntu, "sudo dnf install bubblewrap" on Fedora.';

/** The ways by which a host keeps user namespaces from ordinary programs. */
export const USER_NAMESPACES: string =
  'User namespaces are refused here. On Ubuntu 24.04 and later that is AppArmor: run ' +
  '"sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" (and keep it in /etc/sysctl.d), or load an ' +
  'AppArmor profile for bwrap that has "userns,". Elsewhere see the sysctls kernel.unprivileged_userns_clone and ' +
  'user.max_user_namespaces. In a container, start it with "--security-opt seccomp=unconfined ' +
  '--security-opt apparmor=unconfined".';

/** A container that hides parts of /proc. */
export const FRESH_PROC: string =
  'A fresh /proc is refused here, as in a container that masks parts of it: start the container with ' +
  '"--security-opt systempaths=unconfined" (Podman: "--security-opt unmask=ALL"), or run outside of it.';

/** A program that needs more of the host than was opened. */
export const READ_MORE: string =
  'Add the folder it is installed in to sandbox.read; only /usr, the program with its own folder, and the running ' +
  'Node are there without being named.';

export const WSL: string =
  'Run it inside WSL2: there bubblewrap works as on any Linux. Windows itself has no walls that this package can build.';
