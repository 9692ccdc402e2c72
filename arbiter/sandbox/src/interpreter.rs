//! The interpreters that the first line of a script names.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::clock::Clock;
use crate::exit::{ChildChange, Group, Waiter, reap_later};
use crate::{file, guard};

/// Bytes of a script that the system looks at.
const FIRST_LINE: u64 = 256;

/// The most interpreters of interpreters that the system starts.
pub(super) const DEEPEST: usize = 5;

/// Blanks between the words of a first line.
const BLANKS: [char; 2] = [' ', '\t'];

pub(super) struct Shebang {
    /// The program that the script is started with, an absolute path.
    pub(super) interpreter: PathBuf,
    /// The text behind it.
    pub(super) argument: String,
}

/// The first line of a script, if it names an interpreter by an absolute path: any other starts in
/// the scratch folder, which is empty.
pub(super) fn first_line(path: &Path) -> Option<Shebang> {
    let mut line = Vec::new();
    file::open(path).ok()?.take(FIRST_LINE).read_to_end(&mut line).ok()?;
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!")?).into_owned();
    let line = line.trim_start_matches(BLANKS);
    let (interpreter, argument) = line.split_once(BLANKS).unwrap_or((line, ""));
    let interpreter = Some(PathBuf::from(interpreter)).filter(|path| path.is_absolute())?;
    Some(Shebang { interpreter, argument: argument.trim_matches(BLANKS).to_owned() })
}

/// The program that a script is started with. Only its first line is read, so it may be anywhere.
pub fn interpreter(script: &Path) -> Option<PathBuf> {
    first_line(script).map(|line| line.interpreter)
}

/// Returns true if the first line of a script ends as lines do on Windows, so that the name of the interpreter
/// or its argument ends with a carriage return. Only `env -S` takes that for a blank.
pub(super) fn has_windows_first_line(path: &Path) -> bool {
    let mut line = Vec::new();
    let read = file::open(path).and_then(|file| file.take(FIRST_LINE).read_to_end(&mut line));
    let line = line.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_split = line.windows(4).any(|letters| letters == b" -S ");
    read.is_ok() && line.starts_with(b"#!") && line.ends_with(b"\r\n") && !is_split
}

/// Returns true if a byte-order mark stands before the `#!` of a script, so that the system sees none.
pub(super) fn has_byte_order_mark(path: &Path) -> bool {
    let mut opening = Vec::new();
    let read = file::open(path).and_then(|file| file.take(5).read_to_end(&mut opening));
    read.is_ok() && opening == b"\xef\xbb\xbf#!"
}

/// Returns true if a file begins as a script that names its interpreter does.
pub(super) fn is_script(path: &Path) -> bool {
    let mut opening = Vec::new();
    let read = file::open(path).and_then(|file| file.take(2).read_to_end(&mut opening));
    read.is_ok() && opening == b"#!"
}

/// Returns true if a file is a program for a processor of 32 bits, or a script that such a program runs.
#[cfg(target_os = "linux")]
pub(super) fn is_32_bit(program: &Path) -> bool {
    const CLASS_32: &[u8] = b"\x7fELF\x01";
    let interpreter = interpreter(program);
    let path = interpreter.as_deref().unwrap_or(program);
    let mut opening = Vec::new();
    let read = file::open(path)
        .and_then(|file| file.take(CLASS_32.len() as u64).read_to_end(&mut opening));
    read.is_ok() && opening == CLASS_32
}

/// The program that `env` looks for on `PATH` when this script starts: `python3` of
/// `#!/usr/bin/env python3`.
pub fn sought_by_env(script: &Path) -> Option<String> {
    first_line(script)?.sought_by_env().map(str::to_owned)
}

/// The most bytes of a path that an interpreter tells.
const PATH_BYTES: u64 = 4096;

/// The time that an interpreter has to tell its path.
const TO_TELL: Duration = Duration::from_secs(10);

/// Starts a program of the user with these arguments, which make it print a path, and returns the path if it is the
/// absolute path of a file. It and what it has started end within ten seconds.
///
/// It starts in the root folder and as the user, so it must not be a program of a stranger.
pub fn ask_for_path(program: &Path, arguments: &[String]) -> Option<PathBuf> {
    ask_for_path_within(TO_TELL, program, arguments)
}

fn ask_for_path_within(time: Duration, program: &Path, arguments: &[String]) -> Option<PathBuf> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.stdout(Stdio::piped()).spawn().ok()?;
    let clock = Clock::start(time);
    let (id, mut group) = (child.id(), Group::new(&child));
    guard::started(&child);
    let path = printed_path(&mut child, &clock);
    // A program that has printed something else has nothing more to tell.
    let has_ended = path.is_some() && has_ended_in_time(&mut child, &clock);
    group.kill(&mut child);
    let has_worked = if has_ended {
        child.wait().is_ok_and(|status| status.success())
    } else {
        reap_later(child);
        false
    };
    guard::ended(id);
    path.filter(|_| has_worked)
}

/// The path of a file that is all a program prints.
fn printed_path(child: &mut Child, clock: &Clock) -> Option<PathBuf> {
    let output = child.stdout.take()?;
    let (tell, told) = mpsc::channel();
    let read = move || {
        let mut text = String::new();
        if output.take(PATH_BYTES).read_to_string(&mut text).is_ok() {
            // After the time is up, there is no receiver.
            let _ = tell.send(text);
        }
    };
    // Without a thread, there is no sender, and nothing to wait for.
    let _ = thread::Builder::new().name("interpreter".to_owned()).spawn(read);
    let text = told.recv_timeout(clock.time_left()).ok()?;
    let path = PathBuf::from(text.trim_end_matches(['\r', '\n']));
    (path.is_absolute() && path.is_file()).then_some(path)
}

fn has_ended_in_time(child: &mut Child, clock: &Clock) -> bool {
    let Ok(mut waiter) = Waiter::for_child(child) else { return false };
    matches!(waiter.wait(child, clock.time_left()), Ok(Some(ChildChange::Ended(_))))
}

impl Shebang {
    /// The program that `env` looks for, if it is the interpreter: `python3` of
    /// `#!/usr/bin/env -S python3 -u`.
    pub(super) fn sought_by_env(&self) -> Option<&str> {
        if self.interpreter.file_name()? != "env" {
            return None;
        }
        let words = self.argument.split(BLANKS).map(|word| word.strip_prefix("-S").unwrap_or(word));
        let is_other = |word: &&str| word.is_empty() || word.starts_with('-') || word.contains('=');
        words.into_iter().find(|word| !is_other(word))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::time::Instant;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn only_an_absolute_path_is_an_interpreter() {
        let folder = TempDir::new().expect("a folder");
        let script = folder.path().join("bot");
        let interpreter = || first_line(&script).map(|line| line.interpreter);
        assert_eq!(interpreter(), None);
        fs::write(&script, "#! \t/bin/sh -e\necho\n").expect("a file");
        assert_eq!(interpreter(), Some("/bin/sh".into()));
        for text in ["", "#!", "#! \n", "#!sh\n", "echo #!/bin/sh\n", "\u{7f}ELF"] {
            fs::write(&script, text).expect("a file");
            assert_eq!(interpreter(), None, "{text:?}");
        }
        assert!(first_line(folder.path()).is_none());
    }

    #[test]
    fn a_program_tells_the_path_of_a_file() {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("python3");
        fs::write(&file, "").expect("a file");
        let told = |script: String| ask_for_path(Path::new("/bin/sh"), &["-c".to_owned(), script]);
        let name = file.display();
        assert_eq!(told(format!("echo {name}")).as_deref(), Some(file.as_path()));
        for script in [
            format!("echo {name}; exit 1"),
            format!("echo {name}x"),
            "echo python3".to_owned(),
            "pwd".to_owned(),
            "printf '\\377'".to_owned(),
            String::new(),
        ] {
            assert_eq!(told(script.clone()), None, "{script}");
        }
    }

    #[test]
    fn a_program_that_does_not_end_is_not_waited_for() {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("python3");
        fs::write(&file, "").expect("a file");
        let name = file.display();
        let begun = Instant::now();
        for script in [
            "exec >&-; exec sleep 600".to_owned(),
            "trap '' PIPE; while :; do echo x; done".to_owned(),
            format!("echo {name}; exec >&-; exec sleep 600"),
            format!("sleep 600 & echo {name}"),
            "exec sleep 600".to_owned(),
        ] {
            let told = ask_for_path_within(
                Duration::from_millis(300),
                Path::new("/bin/sh"),
                &["-c".to_owned(), script.clone()],
            );
            assert_eq!(told, None, "{script}");
        }
        assert!(begun.elapsed() < Duration::from_secs(300));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_program_that_told_its_path_has_started_ends_with_it() {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("python3");
        fs::write(&file, "").expect("a file");
        let (name, left) = (file.display(), folder.path().join("left"));
        let script = format!("sleep 600 >&- & echo $! > {}; echo {name}", left.display());
        let told = ask_for_path(Path::new("/bin/sh"), &["-c".to_owned(), script]);
        assert_eq!(told.as_deref(), Some(file.as_path()));
        let id = fs::read_to_string(left).expect("a number");
        let state = format!("/proc/{}/stat", id.trim());
        // It stays as a zombie where nothing reaps orphans.
        let lives = || fs::read_to_string(&state).is_ok_and(|it| !it.contains(") Z "));
        let begun = Instant::now();
        while lives() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{state}");
            thread::yield_now();
        }
    }

    #[test]
    fn env_is_asked_for_a_program() {
        let folder = TempDir::new().expect("a folder");
        let script = folder.path().join("script");
        let cases = [
            ("#!/usr/bin/env python3", Some("python3")),
            ("#!/usr/bin/env \t-S python3 -u", Some("python3")),
            ("#!/usr/bin/env -Spython3 -u", Some("python3")),
            ("#!/usr/bin/env -S A=1 B= node", Some("node")),
            ("#!/usr/bin/env", None),
            ("#!/bin/sh -e", None),
        ];
        for (text, expected) in cases {
            fs::write(&script, text).expect("a file");
            let line = first_line(&script).expect("a first line");
            assert_eq!(line.sought_by_env(), expected, "{text}");
        }
    }
}
