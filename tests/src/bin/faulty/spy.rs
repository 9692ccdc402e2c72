//! The mode that writes down everything that a bot can see of its surroundings.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process;

use tests::processes;

use crate::answers;
use crate::bot::{Bot, usage};

/// A file of the scratch folder that grows by a line with every request.
const NOTES: &str = "notes";

/// Writes one file for each request, named by the number of the process, into the folder that
/// the first argument names: sections that begin with a line `== NAME`.
pub(crate) fn spy(bot: &Bot) {
    let folder = bot.fixed_answer();
    let seen = dump(bot).unwrap_or_else(|error| usage(&format!("cannot look around: {error}")));
    let file = Path::new(&folder).join(process::id().to_string());
    if let Err(error) = fs::write(&file, seen).and_then(|()| take_note()) {
        usage(&format!("cannot write down what was seen: {error}"));
    }
    answers::ok(&bot.with_words(&[]));
}

fn dump(bot: &Bot) -> io::Result<Vec<u8>> {
    let mut seen = Vec::new();
    // The descriptors come first: later ones are this program's own.
    let descriptors = links(Path::new("/proc/self/fd"))?;
    section(&mut seen, "fd", &descriptors);
    section(&mut seen, "stdin", bot.request().text().as_bytes());
    section(&mut seen, "argv", &fs::read("/proc/self/cmdline")?);
    section(&mut seen, "environ", &fs::read("/proc/self/environ")?);
    section(&mut seen, "cwd", env::current_dir()?.as_os_str().as_bytes());
    section(&mut seen, "scratch", &contents(Path::new("."))?);
    // The referee may be a process of another user: its unreadable files are not seen.
    let parent = Path::new("/proc").join(std::os::unix::process::parent_id().to_string());
    section(&mut seen, "parent-argv", &fs::read(parent.join("cmdline")).unwrap_or_default());
    section(&mut seen, "parent-environ", &fs::read(parent.join("environ")).unwrap_or_default());
    section(&mut seen, "parent-fd", &links(&parent.join("fd")).unwrap_or_default());
    let memory = if fs::File::open(parent.join("mem")).is_ok() { "open" } else { "closed" };
    section(&mut seen, "parent-memory", memory.as_bytes());
    section(&mut seen, "others", &others(bot));
    section(&mut seen, "other-scratch", &other_folders()?);
    // In a test the log lies above the folder of the scratch folders.
    section(&mut seen, "log", &fs::read("../../match.jsonl").unwrap_or_default());
    Ok(seen)
}

fn section(seen: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    seen.extend(format!("== {name}\n").bytes());
    seen.extend(bytes);
    seen.push(b'\n');
}

/// The arguments and the environment of every other process of the same test: the other bot's.
fn others(bot: &Bot) -> Vec<u8> {
    let mut seen = Vec::new();
    for number in processes::numbers_with_argument(bot.marker().unwrap_or_default()) {
        if number != process::id() {
            let process = Path::new("/proc").join(number.to_string());
            seen.extend(fs::read(process.join("cmdline")).unwrap_or_default());
            seen.extend(fs::read(process.join("environ")).unwrap_or_default());
        }
    }
    seen
}

/// Contents of the scratch folders beside the own one.
fn other_folders() -> io::Result<Vec<u8>> {
    let own = env::current_dir()?;
    let mut seen = Vec::new();
    for entry in fs::read_dir("..")? {
        let folder = fs::canonicalize(entry?.path()).unwrap_or_default();
        if folder != own {
            seen.extend(contents(&folder).unwrap_or_default());
        }
    }
    Ok(seen)
}

/// The links of a folder: a line `NAME -> TARGET` for each that still is there.
fn links(folder: &Path) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let (Some(name), Ok(target)) = (path.file_name(), fs::read_link(&path)) {
            lines.extend(name.as_bytes());
            lines.extend(b" -> ");
            lines.extend(target.as_os_str().as_bytes());
            lines.push(b'\n');
        }
    }
    Ok(lines)
}

/// The files of a folder: a line `NAME LENGTH` for each, and what it holds.
fn contents(folder: &Path) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let bytes = fs::read(&path).unwrap_or_default();
        lines.extend(path.file_name().unwrap_or_default().as_bytes());
        lines.extend(format!(" {}\n", bytes.len()).bytes());
        lines.extend(bytes);
    }
    Ok(lines)
}

fn take_note() -> io::Result<()> {
    let mut notes = fs::OpenOptions::new().create(true).append(true).open(NOTES)?;
    notes.write_all(b"asked\n")
}
