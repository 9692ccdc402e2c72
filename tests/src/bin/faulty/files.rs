//! Modes that write files: too much, too odd, or of others.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use std::ffi::OsStr;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::fchdir;

use crate::answers;
use crate::bot::{Bot, usage};
use crate::others::own_path;

/// More than a file may hold by default, far below what a disk does, in pieces of how many bytes.
const HUGE: usize = 100 << 20;
const PIECE: usize = 1 << 20;

/// More than any disk holds.
const SPARSE: u64 = 1 << 40;

/// Number of files left behind, and of names for each content: removing names takes as long as
/// removing files, and making them a fraction of the time.
const MANY: usize = 100_000;
const NAMES: usize = 1000;

/// Number of nested folders: the path to the last one is longer than a path may be, and a process
/// can rarely have as many descriptors.
const DEPTH: usize = 1500;

pub(crate) fn huge_file(bot: &Bot) {
    bot.request();
    let mut file = or_exit(File::create("huge"));
    for _ in 0..HUGE / PIECE {
        or_exit(file.write_all(&[b'x'; PIECE]));
    }
    answers::ok(bot);
}

pub(crate) fn sparse_file(bot: &Bot) {
    bot.request();
    or_exit(or_exit(File::create("sparse")).set_len(SPARSE));
    answers::ok(bot);
}

pub(crate) fn many_files(bot: &Bot) {
    bot.request();
    for number in 0..MANY {
        let (name, first) = (number.to_string(), (number - number % NAMES).to_string());
        if name == first {
            or_exit(File::create(name));
        } else {
            or_exit(fs::hard_link(first, name));
        }
    }
    answers::ok(bot);
}

/// Leaves everything in the scratch folder that makes it hard to remove, and links that lead to
/// the FOLDER that was given, in which nothing may change.
pub(crate) fn litter(bot: &Bot) {
    leave_litter_once(bot, DEPTH);
}

/// As `litter`, but with few folders in each other.
pub(crate) fn litter_flat(bot: &Bot) {
    leave_litter_once(bot, 3);
}

fn leave_litter_once(bot: &Bot, depth: usize) {
    let outside = bot.fixed_answer();
    if !Path::new("closed").exists() {
        or_exit(leave_litter(Path::new(&outside), depth));
    }
    answers::ok(&bot.with_words(&[]));
}

fn leave_litter(outside: &Path, depth: usize) -> io::Result<()> {
    for (name, mode) in [("closed", 0o000), ("read-only", 0o555), ("no-list", 0o333)] {
        fs::create_dir(name)?;
        File::create(Path::new(name).join("file"))?
            .set_permissions(Permissions::from_mode(0o000))?;
        symlink(outside, Path::new(name).join("link"))?;
        fs::set_permissions(name, Permissions::from_mode(mode))?;
    }
    symlink(outside, "link-to-folder")?;
    symlink(outside.join("file"), "link-to-file")?;
    symlink("nowhere", "link-to-nothing")?;
    symlink("link-to-itself", "link-to-itself")?;
    symlink("..", "link-upwards")?;
    symlink("/", "link-to-root")?;
    // There is no way to link to another file system.
    let _ = fs::hard_link(outside.join("file"), "hard-link");
    mknodat(CWD, "fifo", FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
    match UnixListener::bind("socket") {
        // Without an isolated network, all sockets are refused.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
        bound => drop(bound?),
    }
    let long = "n".repeat(255);
    let names: [&[u8]; 9] =
        [b"new\nline", b"\xff\xfe", b"-rf", b" ", b"...", b"*", b"$(exit)", b"\x1b[2J", b"\\"];
    for name in names.into_iter().chain([long.as_bytes()]) {
        let name = Path::new(OsStr::from_bytes(name));
        DirBuilder::new().mode(0o700).create(name)?;
        File::create(name.join(name))?;
    }
    let top = File::open(".")?;
    for _ in 0..depth {
        fs::create_dir("deep")?;
        env::set_current_dir("deep")?;
    }
    Ok(fchdir(top)?)
}

/// Writes into every scratch folder beside its own.
pub(crate) fn write_to_others(bot: &Bot) {
    bot.request();
    let own = or_exit(env::current_dir());
    for entry in or_exit(fs::read_dir("..")) {
        let folder = or_exit(entry).path();
        if or_exit(fs::canonicalize(&folder)) != own {
            // A folder may be gone again, or belong to another user.
            let _ = fs::write(folder.join("planted"), "by somebody else");
            let _ = fs::write(folder.join("requests"), "by somebody else");
        }
    }
    answers::ok(bot);
}

/// Writes to the home folder as the environment names it.
pub(crate) fn write_home(bot: &Bot) {
    let home = env::var_os("HOME").unwrap_or_default();
    or_exit(fs::write(Path::new(&home).join(".profile"), "exit 1\n"));
    answers::ok(bot);
}

/// Changes a file in one of several ways.
pub(crate) fn spoil(bot: &Bot) {
    let [how, file] = bot.words() else { usage("`spoil` expects a way and a file") };
    let file = or_exit(OpenOptions::new().read(true).write(true).open(file));
    or_exit(spoil_file(how, file));
    answers::ok(&bot.with_words(&[]));
}

fn spoil_file(how: &str, mut file: File) -> io::Result<()> {
    match how {
        "append" => {
            file.seek(SeekFrom::End(0))?;
            file.write_all(b"{\"game\":{}}\n")
        }
        "append-much" => {
            file.seek(SeekFrom::End(0))?;
            file.write_all(&b"{\"game\":{}}\n".repeat(PIECE / 8))
        }
        "overwrite" => {
            file.seek(SeekFrom::Start(30))?;
            file.write_all(b"#")
        }
        "empty" => file.set_len(0),
        _ => usage("`spoil` expects `append`, `append-much`, `overwrite` or `empty`"),
    }
}

/// Puts another program in the place of its own.
pub(crate) fn replace_self(bot: &Bot) {
    if is_asked(bot) {
        put_in_place(b"and more");
    }
    answers::ok(bot);
}

/// Puts the same program in the place of its own.
pub(crate) fn renew_self(bot: &Bot) {
    if is_asked(bot) {
        put_in_place(b"");
    }
    answers::ok(bot);
}

/// A request has come: before the match a program is started without one and killed, however far it
/// got.
fn is_asked(bot: &Bot) -> bool {
    bot.request().value("move").is_some()
}

/// The new program is whole before it gets the name of the old one, which runs.
fn put_in_place(more: &[u8]) {
    let path = own_path();
    let mut bytes = or_exit(fs::read(&path));
    bytes.extend(more);
    let new = path.with_extension("new");
    or_exit(fs::write(&new, bytes));
    or_exit(fs::set_permissions(&new, Permissions::from_mode(0o755)));
    or_exit(fs::rename(new, path));
}

/// Puts something into the place of a file that is no file: a link to itself, a pipe, a folder.
pub(crate) fn replace_by(bot: &Bot) {
    let [how, file] = bot.words() else { usage("`replace-by` expects a way and a file") };
    let file = Path::new(file);
    // Before the match a program is started without a request.
    if is_asked(bot) && file.is_file() {
        or_exit(fs::remove_file(file));
        or_exit(match how.as_str() {
            "link" => symlink(file, file),
            "long-name" => symlink("n".repeat(300), file),
            "device" => symlink("/dev/zero", file),
            "fifo" => mknodat(CWD, file, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
                .map_err(io::Error::from),
            "socket" => UnixListener::bind(file).map(drop),
            "folder" => fs::create_dir(file),
            _ => usage("`replace-by` expects another way"),
        });
    }
    answers::ok(&bot.with_words(&[]));
}

/// Takes all rights from its own program.
pub(crate) fn close_self(bot: &Bot) {
    if is_asked(bot) {
        or_exit(fs::set_permissions(own_path(), Permissions::from_mode(0o000)));
    }
    answers::ok(bot);
}

pub(crate) fn delete_self(bot: &Bot) {
    if is_asked(bot) {
        or_exit(fs::remove_file(own_path()));
    }
    answers::ok(bot);
}

fn or_exit<T>(result: io::Result<T>) -> T {
    result.unwrap_or_else(|error| usage(&format!("cannot write a file: {error}")))
}
