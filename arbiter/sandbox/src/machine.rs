//! Which errors of the system are the machine's.

use std::io;

/// Whether an error says that the machine has run out of something, or that its disk or network
/// fails, for any path.
///
/// Every other error is due to the path: a bot that could be started once has caused it, as a link
/// to itself, a folder, a name that is too long, or a file that can no longer be read.
#[cfg(unix)]
pub fn is_of_machine(error: &io::Error) -> bool {
    use rustix::io::Errno;
    const OWN: &[Errno] = &[
        Errno::AGAIN,
        Errno::DQUOT,
        Errno::INTR,
        Errno::IO,
        Errno::MFILE,
        Errno::NFILE,
        Errno::NOBUFS,
        Errno::NOMEM,
        Errno::NOSPC,
        Errno::NOSYS,
        Errno::NOTCONN,
        Errno::STALE,
        Errno::TIMEDOUT,
        // Somebody has the file open for writing, or has a lease on it, for which it is `AGAIN`.
        Errno::TXTBSY,
    ];
    error.raw_os_error().is_some_and(|code| OWN.iter().any(|own| own.raw_os_error() == code))
}

/// Elsewhere only what is known to lie in the path is not the machine's.
#[cfg(not(unix))]
pub fn is_of_machine(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    const BAD_EXE_FORMAT: i32 = 193;
    let of_path = [
        Kind::NotFound,
        Kind::PermissionDenied,
        Kind::NotADirectory,
        Kind::IsADirectory,
        Kind::ArgumentListTooLong,
        Kind::InvalidFilename,
        Kind::InvalidInput,
        Kind::ExecutableFileBusy,
    ];
    !of_path.contains(&error.kind()) && error.raw_os_error() != Some(BAD_EXE_FORMAT)
}
