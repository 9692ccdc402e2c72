//! Errors of a system that has run out of something.

use std::io;

use rustix::io::Errno;
use text::system_error;

/// Errors of a system that has run out of something, and may have it again a moment later.
pub(super) const WANTS: [Errno; 5] =
    [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM, Errno::NOBUFS];

/// Returns true if something failed for want of descriptors, processes or memory.
pub(super) fn is_wanting(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| WANTS.iter().any(|it| it.raw_os_error() == code))
}

/// Returns true if that is the reason. Reasons come as texts from the
/// processes of a keeper, and end with the words of the system.
pub(super) fn is_want(why: &str) -> bool {
    WANTS.iter().any(|errno| why.ends_with(&system_error(io::Error::from(*errno))))
}
