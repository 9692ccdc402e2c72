//! The interpreters that the first line of a script names.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::file;

/// How many bytes of a script the system looks at.
const FIRST_LINE: u64 = 256;

/// How many interpreters of interpreters the system starts at most.
const DEEPEST: usize = 5;

/// What stands between the words of a first line.
const BLANKS: [char; 2] = [' ', '\t'];

/// What the first line of a script says.
pub(super) struct FirstLine {
    /// The program that the script is started with, an absolute path.
    pub(super) interpreter: PathBuf,
    /// What stands behind it.
    pub(super) argument: String,
}

/// The program that a script is started with, where it is one, and the interpreter of that one, if
/// it is a script as well.
///
/// What cannot be read has none: whether it can be started is found out elsewhere.
pub(crate) fn interpreters(program: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    while found.len() < DEEPEST {
        match first_line(found.last().map_or(program, PathBuf::as_path)) {
            Some(line) => found.push(line.interpreter),
            None => break,
        }
    }
    found
}

/// The first line of a script, if it names an interpreter by an absolute path: any other starts in
/// the scratch folder, which is empty.
pub(super) fn first_line(path: &Path) -> Option<FirstLine> {
    let mut line = Vec::new();
    file::open(path).ok()?.take(FIRST_LINE).read_to_end(&mut line).ok()?;
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!")?).into_owned();
    let line = line.trim_start_matches(BLANKS);
    let (interpreter, argument) = line.split_once(BLANKS).unwrap_or((line, ""));
    let interpreter = Some(PathBuf::from(interpreter)).filter(|path| path.is_absolute())?;
    Some(FirstLine { interpreter, argument: argument.trim_matches(BLANKS).to_owned() })
}

impl FirstLine {
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

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn interpreters_of_interpreters_are_found() {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("own"), "#! \t/bin/sh -e\necho\n").expect("a file");
        fs::write(path("bot"), format!("#!{}\n", path("own").display())).expect("a file");
        assert_eq!(interpreters(&path("bot")), [path("own"), "/bin/sh".into()]);
        fs::write(path("loop"), format!("#!{}", path("loop").display())).expect("a file");
        assert_eq!(interpreters(&path("loop")).len(), DEEPEST);
        for text in ["", "#!", "#! \n", "#!sh\n", "echo #!/bin/sh\n", "\u{7f}ELF"] {
            fs::write(path("bot"), text).expect("a file");
            assert!(interpreters(&path("bot")).is_empty(), "{text:?}");
        }
        assert!(interpreters(&path("nowhere")).is_empty());
        assert!(interpreters(folder.path()).is_empty());
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
