//! The layers of the user, who a bot is, and of privileges.
//!
//! It promises a bot of the superuser an id that owns nothing, in a namespace of users that knows
//! no other where the system allows one; so no file is its own but those of its scratch folder. A
//! bot of an ordinary user keeps that user's id, which no system lets it change, but in a namespace
//! of its own, where the id comes with no right to the rest of the machine. It does not hide who the
//! owner of a shown file is from those who have the same id.

use std::path::Path;
use std::{fs, io};

use nix::sched::{CloneFlags, unshare};
use nix::unistd::{setfsgid, setfsuid};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Gid, Pid, Uid, getegid, geteuid, parent_process_death_signal,
    set_dumpable_behavior, set_parent_process_death_signal,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};
use text::{printable, system_error};

use crate::isolation::NOBODY;

/// The rights of the user who runs the referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Privilege {
    /// Mount, and become another user.
    Superuser,
    /// Become another user, but not mount: the superuser of most containers.
    Contained,
    /// Neither.
    Ordinary,
}

impl Privilege {
    /// Fails if it cannot be found out, for want of descriptors.
    pub(super) fn find() -> io::Result<Privilege> {
        let becoming = CapabilitySet::SETUID | CapabilitySet::SETGID | CapabilitySet::CHOWN;
        let rights = capabilities(None).map_or(CapabilitySet::empty(), |sets| sets.effective);
        if !geteuid().is_root() || !rights.contains(becoming) {
            return Ok(Privilege::Ordinary);
        }
        for map in ["/proc/self/uid_map", "/proc/self/gid_map"] {
            match fs::read_to_string(map) {
                Ok(map) if knows(&map, NOBODY) => {}
                Err(error) if is_wanting(&error) => return Err(error),
                Ok(_) | Err(_) => return Ok(Privilege::Ordinary),
            }
        }
        Ok(match rights.contains(CapabilitySet::SYS_ADMIN) {
            true => Privilege::Superuser,
            false => Privilege::Contained,
        })
    }

    /// The user and group that a bot gets just before it is started, if its keeper stays the same user.
    pub(super) fn of_child(self) -> Option<(u32, u32)> {
        (self != Privilege::Ordinary).then_some((NOBODY, NOBODY))
    }
}

/// The steps that are left for each child before its program is started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ChildUser {
    /// The user and group of the child, if the keeper stays another user.
    pub(crate) user: Option<(u32, u32)>,
}

impl ChildUser {
    /// Becomes that user, for good. It makes system calls only and asks for no memory.
    ///
    /// Fails if the system refuses it; the program must not be started then.
    pub(crate) fn take(self) -> io::Result<()> {
        match self.user {
            Some((user, group)) => become_user(user, group),
            None => Ok(()),
        }
    }

    /// Has this process look with the rights of that user at what its processes have open, where it may
    /// not as who it is: the system shows that to the same user only, or for a right that the superuser of
    /// most containers lacks.
    pub(crate) fn look<T>(self, look: impl FnOnce() -> T) -> T {
        let may_trace = || {
            let rights = capabilities(None).map(|sets| sets.effective);
            rights.is_ok_and(|rights| rights.contains(CapabilitySet::SYS_PTRACE))
        };
        let Some((user, group)) = self.user.filter(|_| !may_trace()) else { return look() };
        let (user, group) = (nix::unistd::Uid::from_raw(user), nix::unistd::Gid::from_raw(group));
        // A process that becomes another user loses the signal that it gets when its parent is gone.
        let of_parent = parent_process_death_signal().ok().flatten();
        // Both give who it was before; a system that refuses them leaves it so.
        let before = (setfsgid(group), setfsuid(user));
        let seen = look();
        setfsuid(before.1);
        setfsgid(before.0);
        // Without it, the process still ends once it sees that its socket is closed.
        let _ = set_parent_process_death_signal(of_parent);
        seen
    }

    /// Gives a file or folder to that user.
    pub(crate) fn change_owner(self, path: &Path) -> io::Result<()> {
        match self.user {
            Some((user, group)) => {
                let (user, group) =
                    (nix::unistd::Uid::from_raw(user), nix::unistd::Gid::from_raw(group));
                Ok(nix::unistd::chown(path, Some(user), Some(group))?)
            }
            None => Ok(()),
        }
    }
}

/// Becomes another user in all respects.
fn become_user(user: u32, group: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    Ok(())
}

/// Makes a namespace of users that knows this user only, and one of processes for the children.
pub(super) fn own_with_processes(privilege: Privilege) -> Result<(), String> {
    if privilege == Privilege::Contained {
        become_user(NOBODY, NOBODY)
            .map_err(|error| format!("cannot become another user: {}", system_error(error)))?;
        // A process that has just changed its user gives its own `/proc` to the superuser, and
        // could not write below.
        let _ = set_dumpable_behavior(DumpableBehavior::Dumpable);
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    let flags = CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID;
    unshare(flags).map_err(|error| {
        format!(
            "cannot create user and process namespaces: {}",
            system_error(io::Error::from(error))
        )
    })?;
    let this = Path::new("/proc/self");
    // A kernel so old that it has no such file does not ask for it either.
    if let Err(error) = write(&this.join("setgroups"), "deny")
        && this.join("setgroups").exists()
    {
        return Err(error);
    }
    write(&this.join("uid_map"), &format!("{user} {user} 1"))?;
    write(&this.join("gid_map"), &format!("{group} {group} 1"))
}

/// Makes a namespace of users that knows no user, once `map` has had that written from outside, and
/// becomes nobody.
///
/// Nothing fails if the system has no such namespace to give: then this process stays who it is,
/// and the answer says who its children are to become.
pub(super) fn own_as_nobody(map: impl FnOnce() -> Result<(), String>) -> Result<ChildUser, String> {
    // Afterwards it is no longer allowed.
    let alone = |error: io::Error| format!("cannot leave all groups: {}", system_error(error));
    set_thread_groups(&[]).map_err(|error| alone(error.into()))?;
    if let Err(error) = unshare(CloneFlags::CLONE_NEWUSER) {
        let error = io::Error::from(error);
        return match is_wanting(&error) {
            true => Err(format!("cannot create a user namespace: {}", system_error(error))),
            false => Ok(ChildUser { user: Some((NOBODY, NOBODY)) }),
        };
    }
    map()?;
    become_user(NOBODY, NOBODY)
        .map_err(|error| format!("cannot become another user: {}", system_error(error)))?;
    Ok(ChildUser::default())
}

/// Writes the map of the namespace of users that a process has just made, from outside.
pub(super) fn map_nobody(process: Pid) -> Result<(), String> {
    let process = Path::new("/proc").join(process.as_raw_pid().to_string());
    let map = format!("{NOBODY} {NOBODY} 1");
    write(&process.join("uid_map"), &map)?;
    write(&process.join("gid_map"), &map)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| {
        let path = printable(&path.to_string_lossy());
        format!("cannot write `{path}`: {}", system_error(error))
    })
}

/// Returns true if a map of ids, as `/proc` shows it, has this id: `first-inside first-outside how-many`.
fn knows(map: &str, id: u32) -> bool {
    map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|it| it.parse().ok()).collect();
        matches!(numbers[..], [first, _, many] if (first..first + many).contains(&u64::from(id)))
    })
}

// Privileges: no right beyond those of a user, and no way to one.
//
// It promises that a bot has no capability, and that no program that it starts gives it one: a
// set-user-id program runs as the bot. It takes nothing from a user's own rights.

/// Capabilities of a keeper that stays the superuser: to start its bot as another user, to end it,
/// to clear up after it, and to see what its descriptors lead to.
pub(super) const OF_KEEPER: CapabilitySet = CapabilitySet::SETUID
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::CHOWN)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::SYS_PTRACE);

/// Gives up all capabilities but those that are `kept`, and the way to new ones.
pub(super) fn give_up(kept: CapabilitySet) -> Result<(), String> {
    give_up_all(kept).map_err(|error| {
        format!("cannot give up privileges: {}", system_error(io::Error::from(error)))
    })
}

fn give_up_all(kept: CapabilitySet) -> Result<(), Errno> {
    set_no_new_privs(true)?;
    for bit in 0..u64::BITS {
        match remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << bit)) {
            Ok(()) => {}
            // It has no right to, and then nothing that it could pass on either.
            Err(Errno::PERM) => break,
            // The kernel knows no further ones.
            Err(Errno::INVAL) => break,
            Err(error) => return Err(error),
        }
    }
    match clear_ambient_capability_set() {
        // Kernels before 4.3 have no such set.
        Ok(()) | Err(Errno::INVAL) => {}
        Err(error) => return Err(error),
    }
    let kept = capabilities(None)?.permitted & kept;
    let sets =
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets)
}

/// Errors of a system that has run out of something, and may have it again a moment later.
pub(super) const WANTS: [Errno; 5] =
    [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM, Errno::NOBUFS];

/// Returns true if something failed for want of descriptors, processes or memory.
pub(super) fn is_wanting(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| WANTS.iter().any(|it| it.raw_os_error() == code))
}

/// Returns true if that is the reason. Reasons come as texts from the
/// processes of a keeper, and end with the words of the system.
pub(super) fn is_want(why: &str) -> bool {
    WANTS.iter().any(|errno| why.ends_with(&system_error(io::Error::from(*errno))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_tells_which_ids_there_are() {
        assert!(knows("         0          0 4294967295\n", NOBODY));
        assert!(!knows("         0       1000          1\n", NOBODY));
        assert!(knows("0 1000 1\n1 100000 65536\n", NOBODY));
        assert!(!knows("0 1000 1\n1 100000 65533\n", NOBODY));
        assert!(!knows("", 0));
    }
}
