//! Stopping a program with all that it has started, and letting it go on.

use std::fs::File;
use std::os::unix::fs::FileExt;

use nix::sys::signal::Signal;
use rustix::process::Pid;

use super::super::layers::OwnNamespace;
use super::super::proc::ProcessStat;
use super::remains;

/// More than `/proc/PID/stat` holds, in bytes, and than two numbers of processes.
const ROOM: usize = 4 << 10;

/// Stops one program, again and again.
#[derive(Debug)]
pub(super) struct ProgramStop {
    program: Pid,
    /// Nothing where it cannot be told, or need not be.
    single_process: Option<SingleProcess>,
    scope: StopScope,
}

/// The processes that were stopped since the program was let go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopScope {
    /// The group of the program at most.
    Group,
    /// Others, too.
    Tree,
}

impl ProgramStop {
    /// For a child of this thread, which has no other children but what that one has started.
    pub(super) fn new(program: Pid, namespace: Option<&OwnNamespace>) -> ProgramStop {
        // In a namespace, one signal reaches everyone.
        let single_process = if namespace.is_some() { None } else { SingleProcess::find(program) };
        ProgramStop { program, single_process, scope: StopScope::Group }
    }

    pub(super) fn stop(&mut self, namespace: Option<&OwnNamespace>) {
        if namespace.is_none() {
            remains::signal_group(self.program, Signal::SIGSTOP);
            if self.single_process.as_ref().is_some_and(SingleProcess::is_certain) {
                return;
            }
            self.scope = StopScope::Tree;
        }
        signal(self.program, namespace, Signal::SIGSTOP);
    }

    pub(super) fn go_on(&mut self, namespace: Option<&OwnNamespace>) {
        match (namespace, self.scope) {
            (None, StopScope::Group) => remains::signal_group(self.program, Signal::SIGCONT),
            _ => signal(self.program, namespace, Signal::SIGCONT),
        }
        self.scope = StopScope::Group;
    }
}

/// Sends a signal to a program and all that it has started.
pub(super) fn signal(program: Pid, namespace: Option<&OwnNamespace>, signal: Signal) {
    match namespace {
        Some(own) => drop(own.signal_all(signal)),
        None => remains::signal_tree(program, signal),
    }
}

/// Tells whether a program is a single process, in its own group. It is asked in every turn, so its
/// files stay open.
#[derive(Debug)]
struct SingleProcess {
    program: Pid,
    stat: File,
    children: File,
    siblings: File,
}

impl SingleProcess {
    fn find(program: Pid) -> Option<SingleProcess> {
        Some(SingleProcess {
            program,
            stat: File::open(format!("/proc/{program}/stat")).ok()?,
            children: File::open(format!("/proc/{program}/task/{program}/children")).ok()?,
            siblings: File::open("/proc/thread-self/children").ok()?,
        })
    }

    /// Returns true if no other process can be there, once the program was stopped.
    fn is_certain(&self) -> bool {
        // Its siblings come last: a process that loses its parent meanwhile is one of them.
        self.is_single().unwrap_or(false) && self.has_no_sibling().unwrap_or(false)
    }

    /// Returns true if the program is in its own group, and has one thread and no child.
    fn is_single(&self) -> Option<bool> {
        let stat = ProcessStat::parse(&read(&self.stat)?)?;
        let is_plain = stat.group == self.program.as_raw_pid() && stat.threads == 1;
        Some(is_plain && read(&self.children)?.is_empty())
    }

    fn has_no_sibling(&self) -> Option<bool> {
        Some(read(&self.siblings)?.trim_end() == self.program.to_string())
    }
}

/// Reads a short file of the system from its beginning.
fn read(file: &File) -> Option<String> {
    let mut text = [0; ROOM];
    let length = file.read_at(&mut text, 0).ok()?;
    Some(String::from_utf8_lossy(text.get(..length)?).into_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::thread;

    use super::*;

    /// Returns true if a shell that runs this command is found alone once it has said a word.
    fn is_alone(command: &str, group: Option<i32>) -> bool {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(group) = group {
            shell.process_group(group);
        }
        let mut shell = shell.spawn().expect("there is a shell");
        let program = Pid::from_child(&shell);
        let single_process = SingleProcess::find(program).expect("it runs");
        let mut word = String::new();
        let mut stdout = BufReader::new(shell.stdout.take().expect("a pipe"));
        stdout.read_line(&mut word).expect("it says a word");
        let found = single_process.is_certain();
        remains::signal_group(program, Signal::SIGKILL);
        shell.kill().and_then(|()| shell.wait()).expect("it is ours");
        found
    }

    #[test]
    fn one_process_in_its_own_group_is_alone() {
        // A new thread has no children of other tests.
        let alone = thread::spawn(|| is_alone("echo a; read b", Some(0))).join();
        assert!(alone.expect("no panic"));
    }

    #[test]
    fn one_with_a_child_or_in_another_group_is_not() {
        assert!(!is_alone("sleep 1000 & echo a; read b", Some(0)));
        assert!(!is_alone("echo a; read b", None));
    }

    #[test]
    fn one_with_a_sibling_is_not() {
        let mut other = Command::new("/bin/cat").stdin(Stdio::piped()).spawn().expect("it starts");
        assert!(!is_alone("echo a; read b", Some(0)));
        other.kill().and_then(|()| other.wait()).map(drop).expect("it is ours");
    }
}
