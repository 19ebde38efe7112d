//! Turns Ctrl-C and a polite `kill` into a flag that games look at while they wait, so that they
//! end with complete files; the second signal ends the program at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell reports for a program ended by Ctrl-C.
const EXIT_CODE: i32 = 130;

/// The flag that SIGINT and SIGTERM raise from now on. A second one exits with code 130; servers
/// die with us (on Linux the kernel sees to it).
///
/// # Errors
/// I/O when a handler cannot be installed.
pub fn on_signals() -> io::Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag down and only raises it.
        flag::register_conditional_shutdown(signal, EXIT_CODE, Arc::clone(&raised))?;
        flag::register(signal, Arc::clone(&raised))?;
    }
    Ok(raised)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn a_signal_raises_the_flag_and_leaves_us_alive() {
        let raised = on_signals().expect("handlers");
        assert!(!raised.load(Ordering::Relaxed));
        signal_hook::low_level::raise(SIGTERM).expect("raised");
        assert!(raised.load(Ordering::Relaxed));
    }
}
