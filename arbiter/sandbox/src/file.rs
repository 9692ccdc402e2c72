//! Files that someone else may have written: opened without waiting, and read up to a bound.
//!
//! No file may hang the program or fill its memory: no pipe that no one writes to, no device
//! without an end, no file that is too long. So everything that is read is a regular file. Only a
//! file that a user names and that is read once, such as a log or a seed, may also be a stream that
//! this process already has open: `/dev/stdin`, or what a shell makes of `<(COMMAND)`.

use std::fs::{self, DirBuilder, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The most links to follow on the way to a stream, as many as the system follows.
const MOST_LINKS: usize = 40;

/// The most that the text of a plan, or of another file that a tournament keeps, may hold.
pub const LONGEST_TEXT: u64 = 16 << 20;

/// Something that can be read from a path.
#[derive(Debug)]
pub enum ReadableFile {
    /// A regular file.
    Regular(File),
    /// A pipe, a terminal or the like that this process had open already.
    Stream(File),
}

/// Has a folder be made that no other user can look into, where the system knows users.
#[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has rights of that kind"))]
pub fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
}

/// Has a file be made that no other user can read, where the system knows users.
pub fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Returns the folder that a file lies in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Writes the names in a folder to the disk, so that they outlive a loss of power. Windows opens no folders for that.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Opens a regular file to read it.
///
/// # Errors
///
/// Fails if it cannot be opened, and where it is something else than a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// Opens a file that lies in a folder: no link on the way, not even one that was just put there,
/// leads out of it.
///
/// # Errors
///
/// As for [`open`], and where the file lies elsewhere; it is not opened then, unless a link changes meanwhile.
pub fn open_within(folder: &Path, path: &Path) -> io::Result<File> {
    open_within_real(&folder.canonicalize()?, path)
}

/// Does the same for a folder whose path has no link in it: one that takes its place later leads nowhere.
pub fn open_within_real(folder: &Path, path: &Path) -> io::Result<File> {
    let must_be_inside = |real: PathBuf| match real.starts_with(folder) {
        true => Ok(()),
        false => Err(invalid("a link leads out of its folder")),
    };
    must_be_inside(path.canonicalize()?)?;
    let file = open(path)?;
    must_be_inside(path_of(&file).map_or_else(|| path.canonicalize(), Ok)?)?;
    Ok(file)
}

/// The place of an open file, if the system tells.
#[cfg(target_os = "linux")]
fn path_of(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

#[cfg(not(target_os = "linux"))]
fn path_of(_file: &File) -> Option<PathBuf> {
    None
}

/// Opens a regular file with these options.
pub fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Opening a device may have effects, so the kind of file is checked before. It is checked again
    // afterwards, since the file may have been replaced.
    match fs::metadata(path) {
        Ok(found) => must_be_regular(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = without_waiting(options).open(path)?;
    must_be_regular(&file.metadata()?)?;
    Ok(file)
}

/// Opens a regular file, or a stream that this process has open.
///
/// # Errors
///
/// As for [`open`]; another pipe or device is an error, too.
pub fn open_or_stream(path: &Path) -> io::Result<ReadableFile> {
    let found = fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() && is_open_here(path) {
        let stream = without_waiting(OpenOptions::new().read(true)).open(path)?;
        may_wait(&stream)?;
        return Ok(ReadableFile::Stream(stream));
    }
    match must_be_regular(&found) {
        Ok(()) => open(path).map(ReadableFile::Regular),
        Err(error) => {
            let problem = format!("{error}, expected a file, /dev/stdin or <(COMMAND)");
            Err(io::Error::new(error.kind(), problem))
        }
    }
}

/// The text of a regular file of at most this number of bytes.
///
/// # Errors
///
/// As for [`open`]; a file that is longer, or no UTF-8, is an error, too.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    read_text(open(path)?, most)
}

/// The bytes of a regular file of at most this number of them.
///
/// # Errors
///
/// As for [`open`]; a file that is longer is an error, too.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    at_most(open(path)?, most)
}

/// The text of at most this number of bytes in a regular file or in a stream that this process has
/// open.
pub fn text_or_stream(path: &Path, most: u64) -> io::Result<String> {
    match open_or_stream(path)? {
        ReadableFile::Regular(file) | ReadableFile::Stream(file) => read_text(file, most),
    }
}

/// At most this number of bytes of an open file, from where it is.
pub fn beginning(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Advice for a path to which the system denies access; empty if there is none.
///
/// A file system in user space (FUSE) denies it even to root, unless it was mounted to allow that.
pub fn why_denied(path: &Path, error: &io::Error) -> &'static str {
    const FUSE: &str = "; its file system (FUSE) lets only its owner in: mount it with -o allow_other, or copy \
                        the bot elsewhere";
    if error.kind() == io::ErrorKind::PermissionDenied && is_on_fuse(path) { FUSE } else { "" }
}

/// Returns true if a path lies on a file system in user space; one that does not let us in is seen from above.
#[cfg(target_os = "linux")]
fn is_on_fuse(path: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else { return false };
    let found = path.ancestors().find_map(|path| rustix::fs::statfs(path).ok());
    // `FUSE_SUPER_MAGIC`, of a type that differs between systems.
    found.is_some_and(|found| found.f_type == 0x6573_5546)
}

#[cfg(not(target_os = "linux"))]
fn is_on_fuse(_path: &Path) -> bool {
    false
}

/// Returns true if a path lies on a file system that was mounted so that it starts no programs.
#[cfg(target_os = "linux")]
pub fn is_on_noexec(path: &Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(path).is_ok_and(|found| found.f_flag.contains(StatVfsMountFlags::NOEXEC))
}

/// Returns true if a path lies on a file system that was mounted so that it starts no programs: not known here.
#[cfg(not(target_os = "linux"))]
pub fn is_on_noexec(_path: &Path) -> bool {
    false
}

/// An absolute path to the same file without `..` in it, where the folders before the last `..` are
/// there.
pub fn without_parents(path: PathBuf) -> PathBuf {
    let parts: Vec<Component<'_>> = path.components().collect();
    let Some(last) = parts.iter().rposition(|part| *part == Component::ParentDir) else {
        return path;
    };
    let (before, behind) = parts.split_at(last + 1);
    match fs::canonicalize(before.iter().collect::<PathBuf>()) {
        Ok(folder) => folder.join(behind.iter().collect::<PathBuf>()),
        Err(_) => path,
    }
}

/// The error for something longer than this number of bytes.
pub fn too_long(most: u64) -> io::Error {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB"), (0, "bytes")];
    let fitting = units.into_iter().find(|(shift, _)| most.is_multiple_of(1 << shift));
    let (shift, unit) = fitting.unwrap_or((0, "bytes"));
    invalid(format!("more than {} {unit}", most >> shift))
}

fn read_text(file: File, most: u64) -> io::Result<String> {
    String::from_utf8(at_most(file, most)?).map_err(|_| invalid("not UTF-8"))
}

fn at_most(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_long(most)),
        false => Ok(bytes),
    }
}

fn must_be_regular(found: &Metadata) -> io::Result<()> {
    match found.is_file() {
        true => Ok(()),
        false => {
            let what = kind_name(found.file_type());
            Err(invalid(format!("not a regular file but {what}")))
        }
    }
}

fn invalid(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}

/// Returns true if a path leads to one of the descriptors of this process, as `/dev/stdin` does.
fn is_open_here(path: &Path) -> bool {
    let Ok(descriptors) = fs::canonicalize("/dev/fd") else { return false };
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            Some(_) => PathBuf::from("."),
            None => return false,
        };
        if fs::canonicalize(&folder).is_ok_and(|folder| folder == descriptors) {
            return true;
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return false,
        }
    }
    false
}

/// Has a file opened without waiting for a process at its other end.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32)
}

/// Has a stream waited for that was opened without waiting.
#[cfg(unix)]
fn may_wait(stream: &File) -> io::Result<()> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(stream)?;
    Ok(fcntl_setfl(stream, flags - OFlags::NONBLOCK)?)
}

/// Returns true if an error says that a path leads through too many links.
#[cfg(unix)]
pub fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(unix)]
fn kind_name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(not(unix))]
fn may_wait(_stream: &File) -> io::Result<()> {
    Ok(())
}

/// Returns true if an error says that a path leads through too many links.
#[cfg(not(unix))]
pub fn is_loop(_error: &io::Error) -> bool {
    false
}

#[cfg(not(unix))]
fn kind_name(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "a device" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_a_bound() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("text");
        fs::write(&path, "0123").expect("it is ours");
        assert_eq!(text(&path, 4).expect("a text"), "0123");
        assert_eq!(text(&path, 3).expect_err("too long").to_string(), "more than 3 bytes");
        assert_eq!(too_long(64 << 10).to_string(), "more than 64 KiB");
        assert_eq!(too_long(16 << 20).to_string(), "more than 16 MiB");
        fs::write(&path, b"\xff").expect("it is ours");
        assert_eq!(text(&path, 4).expect_err("no text").to_string(), "not UTF-8");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_in_a_folder_is_not_reached_by_a_link_that_leads_out() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("bot/inner")).expect("a folder");
        fs::create_dir(path("other")).expect("a folder");
        for name in ["bot/inner/file", "other/file"] {
            fs::write(path(name), "").expect("it is ours");
        }
        symlink("inner/file", path("bot/own")).expect("a link");
        symlink("../other", path("bot/folder")).expect("a link");
        symlink("../other/file", path("bot/link")).expect("a link");
        let opens = |name: &str| open_within(&path("bot"), &path("bot").join(name)).is_ok();
        assert!(opens("inner/file") && opens("own"));
        assert!(!opens("folder/file") && !opens("link"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_that_changes_between_look_and_opening_leads_nowhere() {
        use std::os::unix::fs::symlink;
        use std::sync::atomic::{AtomicBool, Ordering};

        struct DropFlag<'a>(&'a AtomicBool);

        impl Drop for DropFlag<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }

        let folder = tempfile::TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        let path = |name: &str| top.join(name);
        fs::create_dir_all(path("game")).expect("a folder");
        fs::write(path("secret"), "secret").expect("it is ours");
        fs::write(path("game/own"), "own").expect("it is ours");
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for turn in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let target = if turn % 2 == 0 { "../secret" } else { "own" };
                    symlink(target, path("game/.new")).expect("a link");
                    fs::rename(path("game/.new"), path("game/data")).expect("it is ours");
                }
            });
            // Also where an assertion fails, or the thread would never end.
            let _ending = DropFlag(&is_over);
            let (mut opened, mut refused) = (0, 0);
            while opened < 100 || refused < 100 {
                match open_within_real(&path("game"), &path("game/data")) {
                    Ok(file) => {
                        let bytes = beginning(file, 10).expect("a file");
                        assert_eq!(bytes, b"own");
                        opened += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        });
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_a_link_replaces_holds_nothing() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        fs::create_dir_all(top.join("home")).expect("a folder");
        fs::write(top.join("home/data"), "secret").expect("it is ours");
        symlink("home", top.join("game")).expect("a link");
        let game = top.join("game");
        assert!(open_within(&game, &game.join("data")).is_ok());
        let problem = open_within_real(&game, &game.join("data")).expect_err("a link");
        assert_eq!(problem.to_string(), "a link leads out of its folder");
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        use std::os::unix::fs::symlink;
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        symlink("/dev/zero", path("zero")).expect("a link");
        symlink("loop", path("loop")).expect("a link");
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).expect("a socket");
        fs::write(path("file"), "").expect("it is ours");
        symlink("file", path("link")).expect("a link");
        let problem = |name| open(&path(name)).expect_err(name).to_string();
        assert_eq!(problem("zero"), "not a regular file but a device");
        assert_eq!(problem("pipe"), "not a regular file but a named pipe");
        assert_eq!(problem("socket"), "not a regular file but a socket");
        assert_eq!(problem("."), "not a regular file but a folder");
        assert!(is_loop(&open(&path("loop")).expect_err("a loop")));
        assert!(open(&path("link")).is_ok());
        let stream = open_or_stream(&path("pipe")).expect_err("a pipe").to_string();
        assert!(stream.ends_with("expected a file, /dev/stdin or <(COMMAND)"), "{stream}");
    }
}
