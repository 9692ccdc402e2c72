//! Starting a program, and whose fault it is if that fails.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use text::system_error;
use thiserror::Error;

use super::program::{Program, printable_word};
use super::{interpreter, launchers};
use crate::file;

/// Why a program could not be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum StartError {
    /// The reason lies in the program; the text says what it is, in one line.
    #[error("{0}")]
    Program(String),
    /// The program or a file that it names is not found or may not be read: it may be there for
    /// others.
    #[error("{0}")]
    NotSeen(String),
    /// The reason lies in the referee or the machine; the text says what it is, in one line.
    #[error("{0}")]
    Referee(String),
}

/// Starts a program in its scratch folder, in a process group of its own, with three standard streams of a kind.
pub(super) fn spawn(
    program: &Program,
    scratch: &Path,
    stream: fn() -> Stdio,
) -> Result<Child, StartError> {
    command(program, scratch, stream)
        .spawn()
        .map_err(|error| blame(program.path(), scratch, &error))
}

/// The command to spawn.
///
/// Everything here is within what `posix_spawn` can do; the theory of operation says why no more
/// may be added.
fn command(program: &Program, scratch: &Path, stream: fn() -> Stdio) -> Command {
    let mut command = Command::new(program.path());
    command
        .args(program.all_arguments())
        .current_dir(scratch)
        .env_clear()
        .envs(inherited())
        .env("HOME", scratch)
        .env("LANG", "C.UTF-8")
        .env("ARBITER_SCRATCH", scratch)
        .envs(program.variables().iter().map(|(name, value)| (name, value)))
        .stdin(stream())
        .stdout(stream())
        .stderr(stream());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// The variables that a program gets from the referee's own environment.
pub(super) fn inherited() -> impl Iterator<Item = (&'static str, OsString)> {
    // Windows programs do not start without the folder of the system.
    let names: &[&str] = if cfg!(windows) { &["PATH", "SYSTEMROOT"] } else { &["PATH"] };
    names.iter().filter_map(|&name| Some((name, std::env::var_os(name)?)))
}

/// The error of a failed spawn, which is the program's or the referee's.
///
/// The same error can come from the program or from its folder, and a machine that has run out of
/// something must not cost a bot its game. Any other error is the program's: otherwise a bot could
/// cause it to get other cards.
pub(super) fn blame(program: &Path, scratch: &Path, error: &io::Error) -> StartError {
    let name = printable_word(program.as_os_str());
    if !is_usable(scratch) {
        let scratch = printable_word(scratch.as_os_str());
        return StartError::Referee(format!(
            "cannot use scratch folder `{scratch}`: {}",
            system_error(error)
        ));
    }
    if is_of_machine(error) {
        return StartError::Referee(format!("cannot start `{name}`: {}", system_error(error)));
    }
    let why = fault_of_program(program, error).unwrap_or_else(|| system_error(error));
    let why = format!("cannot start `{name}`: {why}");
    match error.kind() {
        io::ErrorKind::NotFound if !program.exists() => StartError::NotSeen(why),
        io::ErrorKind::PermissionDenied => StartError::NotSeen(why),
        _ => StartError::Program(why),
    }
}

/// Returns true if a child can be started in this folder.
fn is_usable(scratch: &Path) -> bool {
    // The dot makes the lookup fail where the folder itself may not be entered.
    fs::metadata(scratch.join(".")).is_ok_and(|found| found.is_dir())
}

/// An error in words that say more than the system's, if there are any.
fn fault_of_program(path: &Path, error: &io::Error) -> Option<String> {
    use io::ErrorKind as Kind;
    if is_foreign_format(error) {
        return Some(match launchers::usual_command(path).filter(|_| !interpreter::is_script(path)) {
            Some(interpreter) => {
                let name = printable_word(path.as_os_str());
                format!("it is a script without a `#!` line: write \"{interpreter} {name}\"")
            }
            None => {
                "this machine cannot run it: it has no `#!` line, is damaged, or is for another \
                     architecture"
                    .to_owned()
            }
        });
    }
    let why = match error.kind() {
        Kind::NotFound if path.exists() => "the interpreter or loader that it names is missing",
        Kind::NotFound => "no such file",
        Kind::PermissionDenied => "permission denied, for it or for the interpreter it names",
        Kind::NotADirectory => "a part of its path is not a folder",
        Kind::IsADirectory => "it or the interpreter it names is a folder",
        Kind::ArgumentListTooLong => "its arguments are too long",
        Kind::InvalidFilename => "its path is too long",
        Kind::InvalidInput => "it or an argument cannot be passed to a program",
        _ if file::is_loop(error) => "too many links in its path, or interpreters of interpreters",
        _ => return None,
    };
    Some(why.to_owned())
}

#[cfg(unix)]
fn is_foreign_format(error: &io::Error) -> bool {
    use rustix::io::Errno;
    #[cfg(target_vendor = "apple")]
    const EBADARCH: i32 = 86;
    let codes = [
        Errno::NOEXEC.raw_os_error(),
        #[cfg(target_os = "linux")]
        Errno::LIBBAD.raw_os_error(),
        #[cfg(target_vendor = "apple")]
        EBADARCH,
    ];
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}

#[cfg(not(unix))]
fn is_foreign_format(error: &io::Error) -> bool {
    const ERROR_BAD_EXE_FORMAT: i32 = 193;
    error.raw_os_error() == Some(ERROR_BAD_EXE_FORMAT)
}

/// Returns true if an error says that the machine has run out of something, or that its disk or network
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
        // A process has the file open for writing, or has a lease on it, for which it is `AGAIN`.
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

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    fn blamed(errno: Errno, scratch: &str) -> StartError {
        blame("/bin/sh".as_ref(), scratch.as_ref(), &errno.into())
    }

    #[test]
    fn the_program_is_blamed_for_what_lies_in_it() {
        let own = [
            Errno::NOENT,
            Errno::ACCESS,
            Errno::PERM,
            Errno::NOEXEC,
            Errno::LOOP,
            Errno::NOTDIR,
            Errno::ISDIR,
            Errno::TOOBIG,
            Errno::NAMETOOLONG,
            Errno::INVAL,
            Errno::NXIO,
            Errno::NODEV,
        ];
        for errno in own {
            let error = blamed(errno, "/");
            let is_own = matches!(error, StartError::Program(_) | StartError::NotSeen(_));
            assert!(is_own, "{errno:?}: {error}");
        }
    }

    #[test]
    fn a_program_that_others_may_see_is_told_from_one_that_cannot_start() {
        let blamed = |path: &str, errno: Errno| {
            let error = blame(path.as_ref(), "/".as_ref(), &errno.into());
            matches!(error, StartError::NotSeen(_))
        };
        assert!(blamed("/nowhere/at/all", Errno::NOENT));
        assert!(blamed("/bin/sh", Errno::ACCESS) && blamed("/bin/sh", Errno::PERM));
        // Its interpreter is missing.
        assert!(!blamed("/bin/sh", Errno::NOENT));
        assert!(!blamed("/nowhere/no such file", Errno::NOTDIR));
    }

    #[test]
    fn the_machine_is_blamed_for_what_it_has_run_out_of() {
        let own = [
            Errno::MFILE,
            Errno::NFILE,
            Errno::AGAIN,
            Errno::NOMEM,
            Errno::IO,
            Errno::NOSPC,
            Errno::STALE,
            Errno::TXTBSY,
        ];
        for errno in own {
            let error = blamed(errno, "/");
            assert!(matches!(error, StartError::Referee(_)), "{errno:?}: {error}");
        }
    }

    #[test]
    fn a_missing_scratch_folder_is_not_the_programs_fault() {
        for scratch in ["/nowhere/at/all", "/bin/sh"] {
            let error = blamed(Errno::NOENT, scratch);
            assert!(matches!(error, StartError::Referee(_)), "{scratch}: {error}");
        }
    }
}
