//! Commands of the referee as lines of words, and files of a test's folder as texts.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;

use crate::bench::{Bench, Ended};
use crate::running::Running;

/// The words of a line, as a shell splits it.
pub fn words(line: &str) -> Vec<String> {
    assert!(!line.contains(" #"), "a shell takes the rest for a comment: {line}");
    shlex::split(line).expect("quotes in pairs")
}

impl Bench {
    /// Runs the referee to its end with the words of a line.
    pub fn line(&self, line: &str) -> Ended {
        self.run(words(line))
    }

    /// Runs the referee with the words of a line; it must be content, and this gives what it printed.
    pub fn ok(&self, line: &str) -> String {
        self.succeed(words(line))
    }

    /// The word for a faulty bot with this name in a mode.
    pub fn bad(&self, name: &str, mode: &str) -> String {
        format!("\"{name}={}\"", self.faulty(mode))
    }

    /// Asserts that the referee refuses a line as wrong usage, in one line of error with these words.
    pub fn refuses(&self, line: &str, why: &str) {
        let ended = self.line(line);
        assert_eq!(ended.code, Some(2), "{line}: {ended:?}");
        ended.assert_refused(2, &[why]);
    }

    /// Starts the referee with the words of a line in a process group of its own; what it prints goes to the files `output`
    /// and `errors`.
    pub fn start(&self, line: &str) -> Running {
        let file = |name| File::create(self.path(name)).expect("the folder is ours");
        let mut command = self.arbiter(words(line));
        Running::start(command.stdout(file("output")).stderr(file("errors")).process_group(0))
    }

    /// The text of a file in the folder of this test.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// Replaces a text that a file must have.
    pub fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.text(name);
        assert!(text.contains(from), "{name} has no `{from}`");
        self.write(name, text.replace(from, to));
    }

    /// Holds the lock of this file until it is dropped, as another program does.
    pub fn lock(&self, name: &str) -> File {
        let file = File::create(self.path(name)).expect("the folder is ours");
        file.lock().expect("a lock");
        file
    }
}
