//! The layer of files: a root of its own, with what is shown and nothing else.
//!
//! It promises that a bot finds the folders that were shown, all of them read-only and without
//! rights for set-user-id programs or devices; `/dev` with five harmless devices and those that were
//! granted; `/proc` of its own
//! processes; and `/tmp`, in memory, bounded and empty at first, as the only place to write.
//! Whatever it writes is gone with the keeper. Nothing else of the machine's files has a name there.
//! A masked path is there and empty. A build folder is the one exception: a copy of a folder, which is found
//! at the place of that folder and can be written.
//! It does not promise that what is shown holds no secrets, and a file that is shown can still be
//! changed by those outside who may.

use std::collections::BTreeSet;
use std::ffi::{CString, OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use nix::sched::CloneFlags;
use rustix::fs::{CWD, FileType, Mode, OFlags, StatVfsMountFlags};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags,
};
use rustix::process::{chdir, pivot_root, umask};
use text::{printable, system_error};

use super::shown::ShownPlace;
use crate::isolation::BuildFolder;

pub(super) const DEVICES: [&str; 5] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Links that programs look for below `/dev`.
const LINKS: [(&str, &str); 5] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/dev/shm", "/tmp"),
];

/// The folder in which a bot may write.
pub(super) const SCRATCH: &str = "/tmp";

/// The number of parts of that path.
const ROOT_AND_SCRATCH: usize = 2;

/// Room for a bot's files, over all games that it plays.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiskBudget {
    /// In bytes.
    pub(super) bytes: u64,
    /// In files and folders.
    pub(super) files: u64,
}

pub(super) struct OwnRoot<'a> {
    pub(super) shown: &'a [ShownPlace],
    /// The paths that are empty.
    pub(super) masked: &'a [PathBuf],
    /// The devices besides those that every bot has.
    pub(super) devices: &'a [PathBuf],
    /// A folder that is covered while the root is made.
    pub(super) base: &'a Path,
    pub(super) room: DiskBudget,
    /// The build folder that is written instead of a folder that is shown.
    pub(super) build_folder: Option<&'a BuildFolder>,
}

impl OwnRoot<'_> {
    /// Gives this process mounts of its own, and this root: nothing of what was visible before has a
    /// name any more.
    ///
    /// Fails where the system refuses something; the process is then of no use.
    pub(super) fn enter(&self) -> Result<(), String> {
        nix::sched::unshare(CloneFlags::CLONE_NEWNS)
            .map_err(|error| cannot("new mounts", Errno::from_raw_os_error(error as i32)))?;
        let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        rustix::mount::mount_change("/", private).map_err(|it| cannot("private mounts", it))?;
        let before = umask(Mode::from_raw_mode(0o022));
        let built = build(self);
        umask(before);
        built
    }
}

fn build(own: &OwnRoot<'_>) -> Result<(), String> {
    let OwnRoot { shown, masked, devices: granted, base, room, build_folder } = *own;
    let (inside, outside): (Vec<_>, Vec<_>) =
        shown.iter().partition(|it| it.at().starts_with(SCRATCH));
    // All of it is taken before anything is covered.
    let outside = held_entries(&outside)?;
    let inside = held_entries(&inside)?;
    let usual = DEVICES.iter().map(PathBuf::from);
    let is_unusual = |at: &&PathBuf| !DEVICES.iter().any(|usual| *at == Path::new(usual));
    let devices: BTreeSet<PathBuf> =
        usual.chain(granted.iter().filter(is_unusual).cloned()).collect();
    let devices: Vec<ShownPlace> = devices.into_iter().map(|at| ShownPlace::Whole { at }).collect();
    let devices = held_entries(&devices.iter().collect::<Vec<_>>())?;
    let build_folder = build_folder.map(|it| Ok((it.folder.as_path(), tree(&it.copy)?)));
    let build_folder = build_folder.transpose().map_err(|it| cannot("a build folder", it))?;

    let plain = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", base, plain, "mode=0755").map_err(|it| cannot("a new root", it))?;
    chdir(base).map_err(|it| cannot("the new root", it))?;
    let root = folder(CWD, OsStr::new(".")).map_err(|it| cannot("the new root", it))?;
    outside.iter().chain(&devices).try_for_each(|it| it.place(&root))?;
    for (at, to) in LINKS {
        HeldEntry::link(at, to).place(&root)?;
    }
    for at in ["proc", "tmp"] {
        rustix::fs::mkdirat(&root, at, 0o755.into()).map_err(|it| cannot("the new root", it))?;
    }
    // Read-only: a bot must not undo that it is the first to go when the machine is out of memory.
    let proc = plain | MountFlags::NOEXEC | MountFlags::RDONLY;
    mount("proc", Path::new("proc"), proc, "").map_err(|it| cannot("its own `/proc`", it))?;
    // The folders above what is shown there, and what it is put onto, are not the bot's.
    let above: usize = inside.iter().map(|it| it.at.iter().skip(2).count()).sum();
    mount("tmpfs", Path::new("tmp"), plain, &room.options(above as u64))
        .map_err(|it| cannot("its own `/tmp`", it))?;
    inside.iter().try_for_each(|it| it.place(&root))?;
    close_folders(&inside).map_err(|it| cannot("closed folders in `/tmp`", it))?;
    let empty = empty_files(masked.len()).map_err(|it| cannot("an empty file", it))?;

    // The old root then lies on the new one, and is taken away from there.
    pivot_root(".", ".").map_err(|it| cannot("the new root", it))?;
    rustix::mount::unmount(".", UnmountFlags::DETACH)
        .map_err(|it| cannot("the end of the old root", it))?;
    chdir("/").map_err(|it| cannot("the new root", it))?;
    seal(granted)?;
    if let Some((at, copy)) = &build_folder {
        place_build_folder(at, copy).map_err(|it| cannot("a build folder", it))?;
    }
    // After the seal: a mount that is covered could not be made read-only any more.
    masked.iter().zip(empty).try_for_each(|(at, empty)| {
        mask(at, &empty).map_err(|error| {
            let at = printable(&at.to_string_lossy());
            cannot(&format!("`{at}` empty"), error)
        })
    })
}

/// This number of mounts of an empty file, for which the current folder has a name for a moment.
fn empty_files(count: usize) -> Result<Vec<OwnedFd>, Errno> {
    if count == 0 {
        return Ok(Vec::new());
    }
    // In a file system of its own: a file without a name could not be put anywhere.
    let (place, flags) = (Path::new("empty"), OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC);
    rustix::fs::mkdir(place, 0o755.into())?;
    mount("tmpfs", place, MountFlags::NOSUID | MountFlags::NODEV, "mode=0755,size=4096")?;
    let file = place.join("file");
    drop(rustix::fs::open(&file, flags, 0o444.into())?);
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let mounts: Result<Vec<OwnedFd>, Errno> =
        (0..count).map(|_| rustix::mount::open_tree(CWD, &file, flags)).collect();
    rustix::mount::unmount(place, UnmountFlags::DETACH)?;
    rustix::fs::rmdir(place)?;
    mounts
}

/// Covers a folder with the copy of it that can be written.
fn place_build_folder(at: &Path, copy: &OwnedFd) -> Result<(), Errno> {
    // Restrictions of a mount must be said again, as where the others are sealed.
    let refused = rustix::fs::fstatvfs(copy)?.f_flag;
    let is_closed = refused.contains(StatVfsMountFlags::NOEXEC);
    let refused = if is_closed { MountFlags::NOEXEC } else { MountFlags::empty() };
    let place = folder(CWD, at.as_os_str())?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    rustix::mount::move_mount(copy, "", &place, "", flags)?;
    let plain = MountFlags::BIND | MountFlags::NOSUID | MountFlags::NODEV;
    rustix::mount::mount_remount(at, plain | refused, "")
}

/// Covers a file or folder with nothing, if it is there.
fn mask(at: &Path, empty: &OwnedFd) -> Result<(), Errno> {
    let plain = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let place = match rustix::fs::open(at, flags, Mode::empty()) {
        Ok(place) => place,
        // The bot, like its user, cannot look there.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS) => return Ok(()),
        Err(error) => return Err(error),
    };
    match FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode) {
        // Its end is masked too.
        FileType::Symlink => Ok(()),
        FileType::Directory => mount("tmpfs", at, plain, "mode=0555,size=4096,nr_inodes=1"),
        _ => {
            let flags =
                MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
            rustix::mount::move_mount(empty, "", &place, "", flags)?;
            rustix::mount::mount_remount(at, MountFlags::BIND | plain, "")
        }
    }
}

/// Makes mounts of the folders in `/tmp` that were made for what is shown there, so that they can be
/// sealed: otherwise a bot that owns them would write there, and find it in its next game. It is below
/// the new root, which is the current folder.
fn close_folders(inside: &[HeldEntry<'_>]) -> Result<(), Errno> {
    let made = inside.iter().filter(|it| it.at.iter().count() > ROOT_AND_SCRATCH + 1);
    let made: BTreeSet<PathBuf> =
        made.map(|it| it.at.iter().skip(1).take(ROOT_AND_SCRATCH).collect()).collect();
    for folder in made {
        let tree = tree(&folder)?;
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        rustix::mount::move_mount(tree, "", CWD, &folder, flags)?;
    }
    Ok(())
}

impl DiskBudget {
    /// Options for the file system in memory, with the number of files that are not the bot's. Its
    /// own folder is one more, and zero would mean no bound.
    fn options(self, others: u64) -> String {
        let (bytes, files) = (self.bytes.max(1), self.files.saturating_add(others + 1));
        format!("mode=1777,size={bytes},nr_inodes={files}")
    }
}

/// Something shown, held by the kernel under no name.
struct HeldEntry<'a> {
    at: &'a Path,
    what: EntryKind<'a>,
}

enum EntryKind<'a> {
    Link(&'a Path),
    Folder(OwnedFd),
    File(OwnedFd),
}

/// A mount of a file or folder under no name.
fn tree(at: &Path) -> Result<OwnedFd, Errno> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_SYMLINK_NOFOLLOW;
    rustix::mount::open_tree(CWD, at, flags)
}

/// All of it that there still is.
fn held_entries<'a>(shown: &[&'a ShownPlace]) -> Result<Vec<HeldEntry<'a>>, String> {
    shown.iter().filter_map(|it| HeldEntry::take(it).transpose()).collect()
}

impl<'a> HeldEntry<'a> {
    fn link(at: &'a str, to: &'a str) -> HeldEntry<'a> {
        HeldEntry { at: Path::new(at), what: EntryKind::Link(Path::new(to)) }
    }

    fn take(shown: &'a ShownPlace) -> Result<Option<HeldEntry<'a>>, String> {
        let at = match shown {
            ShownPlace::Link { at, to } => {
                return Ok(Some(HeldEntry { at, what: EntryKind::Link(to) }));
            }
            ShownPlace::Whole { at } => at,
        };
        let tree = match tree(at) {
            Ok(tree) => tree,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS) => return Ok(None),
            Err(error) => return Err(cannot_show(at, error)),
        };
        let stat = rustix::fs::fstat(&tree).map_err(|it| cannot_show(at, it))?;
        let what = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => EntryKind::Folder(tree),
            // It was none a moment ago.
            FileType::Symlink => return Ok(None),
            _ => EntryKind::File(tree),
        };
        Ok(Some(HeldEntry { at, what }))
    }

    /// Puts it below a new root where it was below the old one, in folders that are made for it.
    fn place(&self, root: &OwnedFd) -> Result<(), String> {
        self.put(root).map_err(|it| cannot_show(self.at, it))
    }

    fn put(&self, root: &OwnedFd) -> Result<(), Errno> {
        let (Some(above), Some(name)) = (self.at.parent(), self.at.file_name()) else {
            return Err(Errno::INVAL);
        };
        let above = folders(root, above)?;
        let (tree, onto) = match &self.what {
            EntryKind::Link(to) => return rustix::fs::symlinkat(*to, &above, name),
            EntryKind::Folder(tree) => (tree, open_or_create(&above, name)?),
            EntryKind::File(tree) => {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
                (tree, rustix::fs::openat(&above, name, flags, 0o444.into())?)
            }
        };
        let flags =
            MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
        rustix::mount::move_mount(tree, "", onto, "", flags)
    }
}

/// The folder at a path below a root, made where it is missing; no link is followed.
fn folders(root: &OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    let mut at = folder(root, OsStr::new("."))?;
    for name in path.iter().skip(1) {
        at = open_or_create(&at, name)?;
    }
    Ok(at)
}

/// A folder in another one, made if it is missing.
fn open_or_create(above: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    match rustix::fs::mkdirat(above, name, 0o755.into()) {
        Ok(()) | Err(Errno::EXIST) => folder(above, name),
        Err(error) => Err(error),
    }
}

fn folder(above: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(above, name, flags, Mode::empty())
}

fn mount(kind: &str, at: &Path, flags: MountFlags, options: &str) -> Result<(), Errno> {
    let options = CString::new(options).map_err(|_| Errno::INVAL)?;
    rustix::mount::mount(kind, at, kind, flags, options.as_c_str())
}

/// Makes every mount read-only but the scratch folder.
fn seal(granted: &[PathBuf]) -> Result<(), String> {
    let list = fs::read("/proc/self/mountinfo")
        .map_err(|error| format!("cannot list the mounts of a bot: {}", system_error(error)))?;
    for Mount { at, flags } in mounts(&list) {
        if at == Path::new("/proc") || at == Path::new(SCRATCH) {
            continue;
        }
        // A device must stay one; on a read-only mount it can still be written to.
        let device = DEVICES.iter().any(|device| at == Path::new(device)) || granted.contains(&at);
        let wanted = if device { MountFlags::NOEXEC } else { MountFlags::NODEV };
        // Restrictions of a mount must be said again: otherwise they would be given up, which is
        // not allowed for mounts of another owner.
        let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | wanted | flags;
        match rustix::mount::mount_remount(&at, flags, "") {
            // Behind a folder that this user cannot enter: the bot, who is no other, cannot either.
            Ok(()) | Err(Errno::ACCESS) => {}
            Err(error) => {
                let at = printable(&at.to_string_lossy());
                return Err(cannot(&format!("`{at}` read-only"), error));
            }
        }
    }
    Ok(())
}

fn cannot(what: &str, error: Errno) -> String {
    format!("cannot set up {what}: {}", system_error(io::Error::from(error)))
}

fn cannot_show(at: &Path, error: Errno) -> String {
    let at = printable(&at.to_string_lossy());
    format!("cannot show `{at}`: {}", system_error(io::Error::from(error)))
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mount {
    pub(super) at: PathBuf,
    /// The restrictions that a new mount below a user namespace must not give up.
    pub(super) flags: MountFlags,
}

/// The mounts of a list; a line that is none is left out.
pub(super) fn mounts(list: &[u8]) -> Vec<Mount> {
    list.split(|byte| *byte == b'\n').filter_map(parsed_mount).collect()
}

/// `22 27 0:21 / /proc rw,relatime - proc proc rw`: the fifth word is the place, the sixth the
/// options of this mount.
fn parsed_mount(line: &[u8]) -> Option<Mount> {
    let mut words = line.split(|byte| *byte == b' ').skip(4);
    let at = PathBuf::from(OsString::from_vec(unescaped(words.next()?)));
    let options = words.next()?.split(|byte| *byte == b',');
    let flags = options.filter_map(|option| match option {
        b"ro" => Some(MountFlags::RDONLY),
        b"nosuid" => Some(MountFlags::NOSUID),
        b"nodev" => Some(MountFlags::NODEV),
        b"noexec" => Some(MountFlags::NOEXEC),
        b"nosymfollow" => Some(MountFlags::NOSYMFOLLOW),
        _ => None,
    });
    Some(Mount { at, flags: flags.collect() })
}

/// A word in which blanks, line ends and backslashes stand as `\040`, in three octal digits.
fn unescaped(word: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word;
    while let [first, after @ ..] = rest {
        match rest {
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', after @ ..] => {
                bytes.push(((a - b'0') << 6) | ((b - b'0') << 3) | (c - b'0'));
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let list = b"22 27 0:21 / /proc rw,relatime - proc proc rw\n\
            28 27 0:25 /a /mnt/two\\040words\\134 ro,nosuid,nodev,noexec shared:1 - tmpfs none rw\n\
            nonsense\n";
        let expected = [
            Mount { at: PathBuf::from("/proc"), flags: MountFlags::empty() },
            Mount {
                at: PathBuf::from("/mnt/two words\\"),
                flags: MountFlags::RDONLY
                    | MountFlags::NOSUID
                    | MountFlags::NODEV
                    | MountFlags::NOEXEC,
            },
        ];
        assert_eq!(mounts(list), expected);
    }

    #[test]
    fn a_backslash_without_three_digits_is_one() {
        assert_eq!(unescaped(b"\\04 \\400\\"), b"\\04 \\400\\");
    }
}
