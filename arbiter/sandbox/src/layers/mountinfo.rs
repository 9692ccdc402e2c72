//! The mounts of this process, as `/proc/self/mountinfo` lists them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use rustix::mount::MountFlags;

/// One mount.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// Where it is.
    pub(super) at: PathBuf,
    /// Those of its restrictions that a new mount below a user namespace must not give up.
    pub(super) flags: MountFlags,
}

/// The mounts of a list; a line that is none is left out.
pub(super) fn mounts(list: &[u8]) -> Vec<Mount> {
    list.split(|byte| *byte == b'\n').filter_map(mount).collect()
}

/// `22 27 0:21 / /proc rw,relatime - proc proc rw`: the fifth word is the place, the sixth the
/// options of this mount.
fn mount(line: &[u8]) -> Option<Mount> {
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
