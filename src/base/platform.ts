/** What differs between systems, where this process itself acts. Plans get the system as a value (`System`). */
interface Platform {
  windows: boolean;
  /** How a program is started that `endSession` can end together with all that it started. */
  session: { detached?: true; windowsHide?: true };
  /** How a program is started that outlives this process. */
  outliving: { detached?: true; windowsHide?: true };
}

const POSIX: Platform = { windows: false, session: { detached: true }, outliving: { detached: true } };

// On Windows node ends its child processes with itself, but for those that are detached. Without a console, each program
// that they start would open a window: they start theirs as a session.
const WINDOWS: Platform = {
  windows: true,
  session: { windowsHide: true },
  outliving: { detached: true, windowsHide: true },
};

/** The system on which this process runs. */
export const HERE: Platform = process.platform === 'win32' ? WINDOWS : POSIX;
