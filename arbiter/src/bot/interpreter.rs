//! The interpreters that the first line of a script names.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::file;

/// How many bytes of a script the system looks at.
const FIRST_LINE: u64 = 256;

/// How many interpreters of interpreters the system starts at most.
const DEEPEST: usize = 5;

/// The program that a script is started with, where it is one, and the interpreter of that one, if
/// it is a script as well.
///
/// What cannot be read has none: whether it can be started is found out elsewhere.
pub(crate) fn interpreters(program: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    while found.len() < DEEPEST {
        match named_by(found.last().map_or(program, PathBuf::as_path)) {
            Ok(Some(path)) => found.push(path),
            Ok(None) | Err(_) => break,
        }
    }
    found
}

/// The path after `#!`, if there is an absolute one: any other starts in the scratch folder, which
/// is empty.
fn named_by(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut line = Vec::new();
    file::open(path)?.take(FIRST_LINE).read_to_end(&mut line)?;
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(rest) = line.strip_prefix(b"#!") else { return Ok(None) };
    let rest = String::from_utf8_lossy(rest);
    let named = rest.split([' ', '\t']).find(|word| !word.is_empty()).map(PathBuf::from);
    Ok(named.filter(|path| path.is_absolute()))
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
}
