// What the bridge makes on disk is other people's money: it is readable by whoever runs the bridge and by nobody else, with
// systemd and without it. Directories that are there already stay as the operator made them.
export const PRIVATE_DIRECTORY = 0o700;
export const PRIVATE_FILE = 0o600;
/** Somebody else than us must pass through it, but not list it: the embedded server of a bridge that runs as root. */
export const PASSABLE_DIRECTORY = 0o711;
